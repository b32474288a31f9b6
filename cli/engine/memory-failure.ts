/** Recognizes errors that say no more than that the system gave no memory: they are no bug, wherever they come from. */
import { SvcError } from './errors.ts'

const signs =
  /Out of Memory Error: Allocation failure|\bENOMEM\b|Cannot allocate memory|std::bad_alloc|failed to map segment from shared object|^WebAssembly\.\w+\(\): Out of memory|^Array buffer allocation failed/

/** Node aborts without a word where it gets no memory or no thread at its start; the system kills what takes too much. */
const endedAtStart = /does not start \((SIGABRT|SIGKILL|SIGTRAP|SIGILL)\)/

/** Returns the error in the words of svc; undefined for every other one. */
export function memoryFailure(error: unknown): SvcError | undefined {
  if (!(error instanceof Error)) return undefined
  const [, signal] = endedAtStart.exec(error.message) ?? []
  if (signal === undefined && !signs.test(error.message)) return undefined
  const message =
    signal === undefined
      ? 'the system gives svc no more memory'
      : `a process of svc ended at its start (${signal}), which happens where the system gives no more memory or threads`
  return new SvcError('out-of-memory', message, {
    hint: 'Close other programs, or raise the limit of memory of the process (ulimit -v, or that of its container).',
    cause: error,
  })
}
