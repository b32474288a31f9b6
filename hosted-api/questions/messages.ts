/** What travels between the service and a process that answers its long questions: plain data. */
import { Problem, type ProblemCode, type ProblemParts } from '../http/index.ts'
import { type SqliteDriver, StorageError, type StorageErrorKind } from '../storage/index.ts'

/** The first message to the process. An address may have a password, so it is in no argument and no variable. */
export interface Opening {
  readonly type: 'open'
  readonly address: string
  readonly driver: SqliteDriver
  readonly cursorKey: Buffer
  readonly version: string
  /** Megabytes of JavaScript values; an argument of the process. */
  readonly memory: number
}

/** One request after all its checks. */
export interface Question {
  readonly route: string
  readonly requestId: string
  readonly tokenId: number
  readonly actor: string
  readonly scopes: readonly string[]
  readonly projects: 'all' | readonly number[]
  readonly params: unknown
  readonly query: unknown
  readonly project: number | undefined
  /** Of the project, read before the question is asked: the answer is never older. */
  readonly revision: number | undefined
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The clock of the service, in milliseconds. */
  readonly now: number
  /** Seconds; 0 means no limit. */
  readonly time: number
  readonly limits: unknown
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

export type Failure =
  | {
      readonly kind: 'problem'
      readonly code: ProblemCode
      readonly text: string
      readonly parts: ProblemParts
    }
  | { readonly kind: 'storage'; readonly code: StorageErrorKind; readonly text: string }
  | { readonly kind: 'bug'; readonly text: string; readonly stack: string | undefined }

export function failureOf(error: unknown): Failure {
  if (error instanceof Problem) {
    return { kind: 'problem', code: error.code, text: error.message, parts: error.parts }
  }
  if (error instanceof StorageError) return { kind: 'storage', code: error.kind, text: error.message }
  const isError = error instanceof Error
  return {
    kind: 'bug',
    text: isError ? error.message : String(error),
    stack: isError ? error.stack : undefined,
  }
}

/** Returns the error that a handler in this process would have thrown. */
export function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'problem':
      return new Problem(failure.code, failure.text, failure.parts)
    case 'storage':
      return new StorageError(failure.code, failure.text, undefined)
    case 'bug': {
      const error = new Error(failure.text)
      if (failure.stack !== undefined) error.stack = failure.stack
      return error
    }
  }
}
