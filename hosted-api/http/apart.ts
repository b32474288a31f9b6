/** Long questions that are answered somewhere else than in this process. */
import type { AnyRoute, Call } from './route.ts'

/** An answer as it is sent. */
export interface EncodedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/**
 * Answers a long question in another process. Undefined: it has to be answered here.
 * @param revision of the project, read before: the answer is not older than it
 * @throws what the handler of the route throws
 */
export type AnswerApart = (
  route: AnyRoute,
  call: Call,
  revision: number | undefined,
) => Promise<EncodedReply | undefined>
