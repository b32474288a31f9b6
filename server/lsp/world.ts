/** What the server takes from outside, so that a test can give its own. */
import type { Readable, Writable } from 'node:stream'

export interface ServerWorld {
  readonly input: Readable
  readonly output: Writable
  readonly now: () => Date
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The exact program that runs: what it kept in `.svc/cache` is believed. Undefined: nothing is. */
  readonly program: string | undefined
  /** Whether somebody said that the projects are trusted: only then their native code is loaded. */
  readonly isTrusted: boolean
  /** Of the editor, where it was given before the first message. */
  readonly clientProcessId: number | undefined
  /** Whether a process is there; the server ends when its editor is gone. */
  readonly isAlive: (pid: number) => boolean
  /** Ends the server as the editor's `exit` would. */
  readonly signal: AbortSignal
}
