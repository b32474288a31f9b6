/**
 * Counts what runs on a database, so that closing waits for it: closing a connection under a running
 * statement crashes the process. A caller cannot know, because work may be abandoned halfway (one of several
 * promises rejects).
 */
export interface Running {
  /** Starts a task; rejects once `close` was called. */
  track<T>(start: () => Promise<T>): Promise<T>
  /** Calls `end` as soon as no task runs. Later calls do nothing. */
  close(end: () => void): void
}

export function countRunning(): Running {
  let running = 0
  let isClosed = false
  let whenIdle: (() => void) | undefined
  return {
    async track(start) {
      if (isClosed) throw new Error('the database is closed')
      running += 1
      try {
        return await start()
      } finally {
        running -= 1
        if (running === 0) whenIdle?.()
      }
    },
    close(end) {
      if (isClosed) return
      isClosed = true
      if (running === 0) end()
      else whenIdle = end
    },
  }
}
