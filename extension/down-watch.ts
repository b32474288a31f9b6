/** Tells a server that is starting again after a crash from one that stays away, because it has crashed too often. */
import type { ServerState } from './client.ts'

export interface DownWatch {
  /** Whether it has stopped and is not being started again. */
  readonly isDown: boolean
  heard(state: ServerState): void
  /** From now on a stop is meant. */
  end(): void
}

/** After a crash the client starts the server again at once. */
const downAfterMs = 2_000

export function downWatch(onDown: () => void): DownWatch {
  let isDown = false
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  return {
    get isDown() {
      return isDown
    },
    heard(state) {
      isDown = false
      clearTimeout(timer)
      if (state !== 'stopped' || hasEnded) return
      timer = setTimeout(() => {
        isDown = true
        onDown()
      }, downAfterMs)
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}
