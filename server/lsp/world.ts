/** The server's dependencies on the outside, which tests replace. */
import type { Readable, Writable } from 'node:stream'

export interface ServerWorld {
  readonly input: Readable
  readonly output: Writable
  readonly now: () => Date
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The version of the running program, for which `.svc/cache` is used; undefined to ignore the cache. */
  readonly program: string | undefined
  /** Whether the user trusts the projects: only then is their native code loaded. */
  readonly isTrusted: boolean
  /** The environment of projects for which the editor chooses none. */
  readonly environment: string
  /** The process id of the editor, if it was given before the first message. */
  readonly clientProcessId: number | undefined
  /** Returns whether a process exists; the server exits when its editor is gone. */
  readonly isAlive: (pid: number) => boolean
  /** Ends the server like the editor's `exit`. */
  readonly signal: AbortSignal
}
