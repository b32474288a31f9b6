/**
 * Counts what runs on a database, so that closing waits for it: a connection that is closed under a running statement
 * takes the whole process with it. Work fails half-way (one of several promises rejects), so nobody else can know.
 */
export interface Running {
  /** Refused once `close` was called. */
  track<T>(start: () => Promise<T>): Promise<T>
  /** Runs `end` when nothing runs any more; at once where nothing does. Later calls do nothing. */
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
