/**
 * Errors whose cause is outside svc's code: thrown as `SvcError`, caught by the commands (interface.md 7,
 * architecture "Errors"). Every code is in this file; the code decides the exit code of decisions 3.
 */
import { EngineMissing, type Facts, type Hint, hintIn } from '@svc/server/language'
import { FileFailure } from '@svc/server/workspace'

/** code -> exit code: 1 the check, test, data or contract failed; 2 wrong usage; 3 something outside the project failed. */
export const errorCodes = {
  // 1: the project or its data
  'invalid-project': 1,
  'test-failed': 1,
  'unit-test-failed': 1,
  'build-failed': 1,
  'contract-violated': 1,
  /** The source cannot become the tables of the definition: two names become equal, or a key is missing. */
  'source-shape': 1,
  /** The declared primary key comes twice with different records. */
  'duplicate-key': 1,
  /** A source that had records has none now. */
  'source-empty': 1,
  /** A file that is loaded once has changed, and its records would be added a second time. */
  'file-changed': 1,
  /** Rows that loads have gathered would go, and nobody has agreed to that. */
  'history-lost': 1,
  /** The asset of `for_each` has more rows to ask for, or they more pages, than the limits allow. */
  'for-each-rows': 1,
  /** Records would be hashed with another key than those that they join. */
  'mask-key-changed': 1,
  /** A mask names a column that the source does not have. */
  'mask-without-column': 1,
  /** What `paginate` names is in no answer of the service. */
  'paginate-missing': 1,
  /** The values of a column are of another type than at the last load. */
  'type-changed': 1,
  /** A text file under a contract is read in another way than those before it. */
  'layout-changed': 1,
  'not-deployed': 1,
  'nothing-to-roll-back': 1,
  /** A strict run has warnings that the run before it did not have. */
  'new-warnings': 1,
  'promotion-stale': 1,
  'breaking-change': 1,
  /** What a promotion or a rollback would show is not in the warehouse any more. */
  'build-gone': 1,
  'foreign-object': 1,
  'replaced-view': 1,
  'parent-not-built': 1,
  'asset-exists': 1,
  'policy-breach': 1,
  'destination-shape': 1,
  /** More rows would change than `max_change` allows. */
  'mass-change': 1,
  /** A target took none of the first rows. */
  'rows-refused': 1,
  'term-exists': 1,
  'entry-exists': 1,
  /** An entry of the glossary that others refer to is not removed. */
  'entry-in-use': 1,
  /** Rows of a file to import, or changes on two sides, contradict each other. */
  'glossary-conflict': 1,
  'import-unreadable': 1,
  'invalid-glossary': 1,
  /** What a language model answered, also at its second try, is not what was asked for. */
  'answer-invalid': 1,
  // 2: wrong usage
  'wrong-usage': 2,
  'no-project': 2,
  'unknown-asset': 2,
  'unknown-role': 2,
  'unknown-run': 2,
  'unknown-term': 2,
  'unknown-entry': 2,
  'unknown-column': 2,
  'unknown-destination': 2,
  'unknown-environment': 2,
  /** The warehouse would cut the name of an environment's schema. */
  'schema-name-too-long': 2,
  'invalid-settings': 2,
  'ai-not-configured': 2,
  'not-built-yet': 2,
  // 3: something outside the project
  'lease-held': 3,
  /** The command slept, and another one has taken its lease. */
  'lease-lost': 3,
  'warehouse-locked': 3,
  'warehouse-failed': 3,
  'warehouse-not-a-database': 3,
  'warehouse-newer': 3,
  /** A state table is gone although the others are there. */
  'state-lost': 3,
  'file-failed': 3,
  'out-of-memory': 3,
  'http-failed': 3,
  'http-status': 3,
  'http-body': 3,
  'host-not-allowed': 3,
  'missing-credentials': 3,
  'database-unreachable': 3,
  'database-denied': 3,
  'database-statement': 3,
  'port-unavailable': 3,
  'hosted-refused': 3,
  /** The provider of a language model refused, failed, was silent, or cannot be reached. */
  'model-failed': 3,
  /** The local library that runs models is not installed. */
  'model-library-missing': 3,
  'source-empty-glob': 3,
  /** The warehouse has no such table. */
  'source-missing': 3,
  'source-unreadable': 3,
  interrupted: 130,
} as const

export type ErrorCode = keyof typeof errorCodes

export interface ErrorDetails {
  /** Says what to do, in one sentence; a function where it names commands that have `--env`. */
  readonly hint?: Hint | undefined
  readonly cause?: unknown
  /** The asset that it is about. */
  readonly asset?: string | undefined
  /** The place in the user's files: `path:line:column`. */
  readonly place?: string | undefined
  /** The statement around a build that failed, if it was one of them. */
  readonly around?: AroundPlace | undefined
  /** The place in the SQL, if the warehouse reports it. */
  readonly excerpt?: SqlExcerpt | undefined
  /** The message without values of the data, which may be personal; absent if it never has any. */
  readonly withoutValues?: string | undefined
  /** What the message tells in words, as values: no code reads the message. */
  readonly facts?: Facts | undefined
}

/** One of the statements that a build has around it. */
export interface AroundPlace {
  readonly list:
    | 'before'
    | 'tablespace'
    | 'settings'
    | 'primary_key'
    | 'unique'
    | 'foreign_keys'
    | 'indexes'
    | 'after'
  readonly index: number
}

/** An excerpt of a statement with the position of the error. */
export interface SqlExcerpt {
  readonly text: string
  readonly offset: number
}

/** Reasons in words, for errors that the user's disk, folders or limits cause, never a bug in svc. */
const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be too large',
  EIO: 'the disk failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go round in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'it is not there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
}

/** Turns an error of the operating system into `file-failed`; returns undefined for other errors. */
export function systemFailure(error: unknown): SvcError | undefined {
  if (error instanceof FileFailure || error instanceof EngineMissing) {
    return new SvcError('file-failed', error.message, { hint: error.hint, cause: error.cause })
  }
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  const reason = systemReasons[String(error.code)]
  if (reason === undefined) return undefined
  const path = 'path' in error ? ` ${String(error.path)}` : ''
  return new SvcError(
    'file-failed',
    `cannot ${String(error.syscall)}${path}: ${reason} (${String(error.code)})`,
    {
      hint: 'Check that the path is there, its owner and mode, and the room on the disk.',
      cause: error,
    },
  )
}

/** The fact of an error that disk, network or server failed, whatever the statement was. */
export const ofWorld: Facts = { of_world: true }

/** Returns whether disk, network or server failed: another statement would have met the same. */
export function isOfWorld(error: unknown): boolean {
  return error instanceof SvcError && error.facts?.['of_world'] === true
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `near`: names of assets that may be meant. */
export function unknownAsset(name: string, near: readonly string[] = []): SvcError {
  const question = near.length === 0 ? '' : `; did you mean ${near.map(each => `"${each}"`).join(' or ')}?`
  return new SvcError('unknown-asset', `no asset is called "${name}"${question}`, {
    hint: 'svc ls lists all assets.',
  })
}

export class SvcError extends Error {
  readonly code: ErrorCode
  /** The hint as it was given, for an error that another one is made of. */
  readonly givenHint: Hint | undefined
  private environment: string | undefined
  readonly asset: string | undefined
  readonly place: string | undefined
  readonly excerpt: SqlExcerpt | undefined
  readonly around: AroundPlace | undefined
  readonly withoutValues: string | undefined
  readonly facts: Facts | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'SvcError'
    this.code = code
    this.givenHint = details.hint
    this.asset = details.asset
    this.place = details.place
    this.excerpt = details.excerpt
    this.around = details.around
    this.withoutValues = details.withoutValues
    this.facts = details.facts
  }

  /** Returns the same error in other words. */
  retold(message: string, details: ErrorDetails = {}): SvcError {
    const same = { ...this, hint: this.givenHint, cause: this.cause }
    return new SvcError(this.code, message, { ...same, ...details })
  }

  /** Says which environment the error is about, so that commands of its hint name it; the first who says so is right. */
  inEnvironment(name: string): this {
    this.environment ??= name
    return this
  }

  /** Says what to do, in one sentence. */
  get hint(): string | undefined {
    return this.givenHint === undefined ? undefined : hintIn(this.givenHint, this.environment)
  }

  get exitCode(): number {
    return errorCodes[this.code]
  }
}
