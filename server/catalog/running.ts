/**
 * Counts what runs on a database, so that closing waits for it: closing a connection under a running
 * statement crashes the process. A caller cannot know, because work may be abandoned halfway (one of several
 * promises rejects).
 */
export type Running = ReturnType<typeof countRunning>

export function countRunning() {
  let running = 0
  let isClosed = false
  let whenIdle: (() => void) | undefined
  return {
    /** Starts a task; rejects once `close` was called. */
    async track<T>(start: () => Promise<T>) {
      if (isClosed) throw new Error('the database is closed')
      running += 1
      try {
        return await start()
      } finally {
        running -= 1
        if (running === 0) whenIdle?.()
      }
    },
    /** Calls `end` as soon as no task runs. Later calls do nothing. */
    close(end: () => void) {
      if (isClosed) return
      isClosed = true
      if (running === 0) end()
      else whenIdle = end
    },
  }
}
