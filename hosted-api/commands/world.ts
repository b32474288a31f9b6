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
