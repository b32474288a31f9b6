/**
 * Gives memory back after a large change. What thousands of files leave behind is garbage within seconds, but V8 looks
 * for it again only after a minute or more in which little happens, and the heap stays as large as it was until then.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So long nobody has asked for anything: it takes a moment in which nothing else is done. */
const quietMs = 4000

export interface MemoryTidier {
  /** There was large work: the memory is tidied once, when all is quiet. */
  soon(): void
  /** Somebody is at work. */
  notYet(): void
}

export function memoryTidier(): MemoryTidier {
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      tidy()
    }, quietMs)
    timer.unref()
  }
  return {
    soon,
    notYet() {
      if (timer !== undefined) soon()
    },
  }
}

/** The first pass finds what is garbage, the second one moves what is left together, so that pages come free. */
function tidy(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('typeof gc === "function" ? gc : undefined')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect !== 'function') return
  collect()
  setFlagsFromString('--compact-on-every-full-gc')
  collect()
  setFlagsFromString('--no-compact-on-every-full-gc')
}
