/** Finds out whether the language server still answers. Independent of the editor. */

/** How long a question may stay without an answer, in seconds. */
const patience = 10
/** How long the server is looked at after something was asked of it: what it does for that may come to nothing later. */
const watchedMs = 60_000
const pauseMs = 5_000

export interface Watched {
  /** Resolves or rejects with an answer of any kind. */
  ask(): Promise<unknown>
  /** Called once for a question that got none. */
  onSilence(): void
}

export type Watchdog = ReturnType<typeof createWatchdog>

/** Asks only while the user works: an idle server is left alone. */
export function createWatchdog({ ask, onSilence }: Watched) {
  let watchedUntil = 0
  let timer: NodeJS.Timeout | undefined
  /** Of the last question: the answer to an earlier one, of a server that was ended, does not count. */
  let asked = 0
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
    asked += 1
  }
  const look = (): void => {
    const question = ++asked
    const answered = (): void => {
      if (question !== asked) return
      clearTimeout(timer)
      timer = Date.now() < watchedUntil ? setTimeout(look, pauseMs) : undefined
    }
    wait(question, patience)
    ask().then(answered, answered)
  }
  // In seconds that are counted one by one: of a night in which the machine slept only one counts.
  const wait = (question: number, seconds: number): void => {
    timer = setTimeout(() => {
      if (question !== asked) return
      if (seconds > 1) wait(question, seconds - 1)
      else {
        stop()
        onSilence()
      }
    }, 1_000)
  }
  return {
    /** Something is asked of the server now. */
    noteWork(): void {
      watchedUntil = Date.now() + watchedMs
      if (timer === undefined) look()
    },
    /** The server is stopped or started: nothing is asked until the next work. */
    stop,
  }
}
