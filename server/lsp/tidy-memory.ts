/**
 * Gives memory back after a large change. What thousands of files leave behind is garbage within seconds, but V8 looks
 * for it again only after a minute or more in which little happens, and the heap stays as large as it was until then.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So long nobody has asked for anything: it takes a moment in which nothing else is done. */
const quietMs = 4000

/** `soon` is called after each piece of large work; the memory is tidied once, when no further one has followed. */
export function memoryTidier(): { soon(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    soon() {
      clearTimeout(timer)
      timer = setTimeout(tidy, quietMs)
      timer.unref()
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
