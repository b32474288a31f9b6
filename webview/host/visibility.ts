/** Tracks whether the page is visible, because a tab in the background needs no connection. */

/** The delay before disconnecting, so that a short look at another tab costs nothing. */
const graceMs = 10_000

export function isHidden(): boolean {
  return document.visibilityState === 'hidden'
}

/** Resolves when the page is visible. */
export function shown(): Promise<void> {
  if (!isHidden()) return Promise.resolve()
  return new Promise(resolve => {
    const look = () => {
      if (isHidden()) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
  })
}

let current: AbortController | undefined

/**
 * Returns a signal that aborts when the page has been hidden for a while; a new one is created after that.
 */
export function hiding(): AbortSignal {
  if (current === undefined || current.signal.aborted) {
    current = new AbortController()
    watchHiding(current)
  }
  return current.signal
}

function watchHiding(controller: AbortController): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (!isHidden()) return
    timer = setTimeout(() => {
      document.removeEventListener('visibilitychange', look)
      controller.abort()
    }, graceMs)
  }
  document.addEventListener('visibilitychange', look)
  look()
}
