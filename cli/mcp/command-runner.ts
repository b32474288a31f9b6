/** How a tool reaches svc: every tool is a command line, so that it checks, masks and refuses what the command does. */
export interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Personal values that stand in the files of the project: no answer may hold them. */
  readonly personal: ReadonlySet<string>
}

/** Runs one command line in the folder of the server. It ends soon after the signal is aborted, and never throws. */
export type RunCommand = (words: readonly string[], signal: AbortSignal) => Promise<Ended>

export interface Serving {
  readonly run: RunCommand
  /** The version of svc. */
  readonly version: string
  readonly environment: string
  /** Whether files may be changed and previews be built. */
  readonly allowsWriting: boolean
}

/** A command took longer than it may. */
export class TooSlow extends Error {}

export interface Turns {
  readonly run: RunCommand
  /** Ends the command that runs, lets no other begin, and resolves when all have ended. */
  end(): Promise<void>
}

/**
 * Commands take turns, because each opens the project anew. The time of a command begins with its turn. `run` throws what
 * its signal was aborted with, and TooSlow.
 */
export function inTurns(run: RunCommand, mostMs: number): Turns {
  const over = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  const begin = async (words: readonly string[], signal: AbortSignal) => {
    const timeout = AbortSignal.timeout(mostMs)
    const all = AbortSignal.any([signal, over.signal])
    all.throwIfAborted()
    const ended = await run(words, AbortSignal.any([all, timeout]))
    all.throwIfAborted()
    if (timeout.aborted) throw new TooSlow()
    return ended
  }
  return {
    run(words, signal) {
      const turn = last.then(() => begin(words, signal))
      last = turn.catch(() => undefined)
      return turn
    },
    async end() {
      over.abort()
      await last
    },
  }
}
