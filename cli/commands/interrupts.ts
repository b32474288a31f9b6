/**
 * Ctrl-C and SIGTERM. While there is something to give back or to take away (a lease, temporary files, a hidden cursor)
 * the first one asks the work to stop and the second one ends the process. At any other time they end it at once, as
 * they do without svc: also in the middle of reading a long file, where no code of ours would be asked.
 */
import type { World } from '../engine/workspace/workspace.ts'

type Guard = NonNullable<World['guard']>

export interface Interrupts {
  readonly signal: AbortSignal
  readonly guard: Guard
}

/** What is needed of a process. */
export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): SignalSource
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): SignalSource
  readonly stderr: { write(text: string): unknown }
}

export function createInterrupts(process: SignalSource, exit: () => void): Interrupts {
  const controller = new AbortController()
  const { signal } = controller
  let guards = 0

  function stop(): void {
    if (signal.aborted) {
      exit()
      return
    }
    process.stderr.write('\nStopping; press Ctrl-C again to stop at once.\n')
    controller.abort()
  }

  const guard: Guard = async work => {
    if (guards++ === 0) process.on('SIGINT', stop).on('SIGTERM', stop)
    try {
      return await work()
    } finally {
      if (--guards === 0) process.off('SIGINT', stop).off('SIGTERM', stop)
    }
  }

  return { signal, guard }
}
