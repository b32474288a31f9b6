/** Tells a server that is starting again after a crash from one that stays away, because it has crashed too often. */
import type { ServerState } from './client.ts'

/** After a crash the client starts the server again at once. */
const downAfterMs = 2_000

export function downWatch(onDown: () => void) {
  let isDown = false
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  return {
    /** Whether it has stopped and is not being started again. */
    get isDown(): boolean {
      return isDown
    },
    heard(state: ServerState): void {
      isDown = false
      clearTimeout(timer)
      if (state !== 'stopped' || hasEnded) return
      timer = setTimeout(() => {
        isDown = true
        onDown()
      }, downAfterMs)
    },
    /** From now on a stop is meant. */
    end(): void {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}
