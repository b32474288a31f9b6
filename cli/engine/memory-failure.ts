/** Recognizes errors that say no more than that the system gave no memory: they are no bug, wherever they come from. */
import { SvcError } from './errors.ts'

const signs =
  /Out of Memory Error: Allocation failure|\bENOMEM\b|Cannot allocate memory|std::bad_alloc|failed to map segment from shared object|^WebAssembly\.\w+\(\): Out of memory|^Array buffer allocation failed/

/** Returns the error in the words of svc; undefined for every other one. */
export function memoryFailure(error: unknown): SvcError | undefined {
  if (!(error instanceof Error) || !signs.test(error.message)) return undefined
  return new SvcError('out-of-memory', 'the system gives svc no more memory', {
    hint: 'Close other programs, or raise the limit of memory of the process (ulimit -v, or that of its container).',
    cause: error,
  })
}
