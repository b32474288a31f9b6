/** Wrong usage; the message says what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command succeeded, and what it checked has a problem. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The part of the process that commands may use. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: () => Date
  /** A line on stdout. */
  say(line: string): void
  /** A line on stderr. */
  warn(line: string): void
  /** Resolves at the first SIGINT or SIGTERM. */
  readonly interrupted: Promise<void>
  /** The file that this process runs, for others of the same code; left out where there is none. */
  readonly bundle?: string
}
