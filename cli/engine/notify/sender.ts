/** The interface of a kind of notifier that sends. */
import type { Notifier } from '@svc/server/language'
import type { World } from '../workspace/workspace.ts'
import type { Message } from './message.ts'

export interface SendTools {
  readonly env: World['env']
  readonly now: () => Date
  /** Ends one try. */
  readonly signal: AbortSignal
}

/** Sends once. Throws NotSent. */
export type Sender = (notifier: Notifier, message: Message, tools: SendTools) => Promise<void>

/** Its message holds no secret and no address. */
export class NotSent extends Error {
  /** Whether another try could end differently. */
  readonly isPassing: boolean
  readonly waitMs: number | undefined

  constructor(
    message: string,
    { isPassing, waitMs }: { readonly isPassing: boolean; readonly waitMs?: number | undefined },
  ) {
    super(message)
    this.isPassing = isPassing
    this.waitMs = waitMs
  }
}
