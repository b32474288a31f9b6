/** The errors of the client. None of them ever contains the token. */
import type { Static } from '@sinclair/typebox'
import type { ProblemBody } from '../http/index.ts'

export type ProblemAnswer = Static<typeof ProblemBody>

/** The service refused, and says why. */
export class HostedError extends Error {
  override readonly name = 'HostedError'
  readonly problem: ProblemAnswer
  readonly headers: Headers

  constructor(problem: ProblemAnswer, headers: Headers) {
    super(problem.detail)
    this.problem = problem
    this.headers = headers
  }

  get status(): number {
    return this.problem.status
  }

  get code(): string {
    return this.problem.code
  }
}

/** There was no answer. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'

  constructor(url: string, reason: string, cause: unknown) {
    super(`${hostOf(url)} cannot be reached (${reason})`, { cause })
  }
}

/** The answer is not from the service: a proxy's page, a redirect, or an incomplete answer. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly status: number
  readonly headers: Headers

  constructor(url: string, status: number, headers: Headers, text: string) {
    super(`${hostOf(url)} answered ${status} ${kindOf(headers, text)}: is that the address of the service?`)
    this.status = status
    this.headers = headers
  }
}

function kindOf(headers: Headers, text: string): string {
  const location = headers.get('location')
  if (location !== null) return `with a redirect to ${hostOf(location)}`
  const media = headers.get('content-type')?.split(';')[0] ?? (text === '' ? 'nothing' : 'something')
  return media === 'text/html' ? 'with a web page' : `with ${media} that is not of the service`
}

/** Returns the origin, without path or password. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'another path'
}
