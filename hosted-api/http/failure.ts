/** Errors as they travel between processes and threads: plain data. */
import { StorageError, type StorageErrorKind } from '../storage/storage-error.ts'
import { Problem, type ProblemCode, type ProblemParts } from './problems.ts'

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

/** Returns the error as if it had been thrown here. */
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
