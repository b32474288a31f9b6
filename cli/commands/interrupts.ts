/**
 * Handles Ctrl-C and SIGTERM. While the process holds something that has to be released (a lease, temporary
 * files, a hidden cursor), the first signal asks the work to stop and the second ends the process. At any
 * other time a signal ends it at once, as the default of the system does, even during synchronous work in
 * which no handler would run.
 */
import type { World } from '../engine/workspace/workspace.ts'

type Guard = NonNullable<World['guard']>

export interface Interrupts {
  readonly signal: AbortSignal
  readonly guard: Guard
}

/** The part of a process that is needed here. */
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
