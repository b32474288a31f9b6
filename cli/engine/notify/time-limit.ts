/**
 * `AbortSignal.timeout` for `AbortSignal.any`. Node 20 lets the garbage collector take a signal that only `any` knows, and its time
 * never comes: who waits for it waits for ever. A signal with a listener stays until its time has come.
 */
export function timeLimit(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => undefined, { once: true })
  return signal
}
