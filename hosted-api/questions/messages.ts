/** What travels between the service and a process that answers its long questions: plain data. */
import type { Call, Failure } from '../http/index.ts'
import type { SqliteDriver } from '../storage/index.ts'

/** The first message to the process. An address may have a password, so it is in no argument and no variable. */
export interface Opening {
  readonly type: 'open'
  readonly address: string
  readonly driver: SqliteDriver | undefined
  readonly cursorKey: Buffer
  readonly version: string
  /** Megabytes of JavaScript values; an argument of the process. */
  readonly memory: number
}

/** One request after all its checks. */
export interface Question
  extends Pick<Call, 'requestId' | 'principal' | 'params' | 'query' | 'project' | 'url' | 'limits'> {
  readonly route: string
  /** Of the project, read before the question is asked: the answer is never older. */
  readonly revision: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The clock of the service, in milliseconds. */
  readonly now: number
}

export interface Asking {
  readonly type: 'ask'
  readonly id: number
  readonly question: Question
}

export type ToProcess = Opening | Asking

/** A large answer comes in parts, so that neither side copies all of it at once. */
export type FromProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | {
      readonly type: 'answer'
      readonly id: number
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly type: 'failure'; readonly id: number; readonly failure: Failure }
