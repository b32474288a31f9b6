/** How a tool reaches svc: every tool is a command line, so that it checks, masks and refuses what the command does. */
export interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command line in the folder of the server. Commands take turns, because each opens the project anew. */
export type RunCommand = (words: readonly string[], signal: AbortSignal) => Promise<Ended>

export interface Serving {
  readonly run: RunCommand
  /** The version of svc. */
  readonly version: string
  readonly environment: string
  /** Whether files may be changed and previews be built. */
  readonly allowsWriting: boolean
}

/** Returns a runner that begins a command when the one before has ended. */
export function inTurns(run: RunCommand): RunCommand {
  let last: Promise<unknown> = Promise.resolve()
  return (words, signal) => {
    const turn = last.then(() => {
      signal.throwIfAborted()
      return run(words, signal)
    })
    last = turn.catch(() => undefined)
    return turn
  }
}
