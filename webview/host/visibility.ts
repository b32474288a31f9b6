/** Whether anybody can see the page: a tab in the background needs no connection. */

/** Who only looks at another tab for a moment loses nothing. */
const graceMs = 10_000

export function isHidden(): boolean {
  return document.visibilityState === 'hidden'
}

/** Resolves when the page can be seen. */
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

/** Aborted once the page has been hidden for a while; a new one is given after that. */
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
