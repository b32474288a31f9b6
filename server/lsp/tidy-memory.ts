/**
 * Gives memory back after a large change. What thousands of files leave behind is garbage within seconds, but V8 looks
 * for it again only after a minute or more in which little happens, and the heap stays as large as it was until then.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So long nobody has asked for anything: each pass takes a moment in which nothing else is done. */
const quietMs = 4000
const betweenMs = 200
/** What is only held weakly by other garbage goes a pass later. */
const passes = 3

export interface MemoryTidier {
  /** There was large work: the memory is tidied once, when all is quiet. */
  soon(): void
  /** Somebody is at work. */
  notYet(): void
}

export function memoryTidier(): MemoryTidier {
  let timer: NodeJS.Timeout | undefined
  const after = (delayMs: number, left: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      collect(left === 1)
      if (left > 1) after(betweenMs, left - 1)
    }, delayMs)
    timer.unref()
  }
  return {
    soon: () => after(quietMs, passes),
    notYet() {
      if (timer !== undefined) after(quietMs, passes)
    },
  }
}

/** `compacts`: what is left is moved together, so that pages come free. */
function collect(compacts: boolean): void {
  setFlagsFromString('--expose-gc')
  const run: unknown = runInNewContext('typeof gc === "function" ? gc : undefined')
  setFlagsFromString('--no-expose-gc')
  if (typeof run !== 'function') return
  if (compacts) setFlagsFromString('--compact-on-every-full-gc')
  run()
  if (compacts) setFlagsFromString('--no-compact-on-every-full-gc')
}
