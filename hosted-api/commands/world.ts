/** A mistake of who called; the message says which. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command did its work, and what it looked at is not well. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** What a command may ask of the process. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: () => Date
  /** A line on stdout. */
  say(line: string): void
  /** A line on stderr. */
  warn(line: string): void
  /** Settles at the first SIGINT or SIGTERM. */
  readonly interrupted: Promise<void>
}
