/**
 * Returns memory after a large change. The data of thousands of files is garbage within seconds, but V8
 * collects it only after a minute or more of little activity, and until then the heap keeps its size.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The idle time before a collection, since each pass blocks for a moment. */
const quietMs = 4000
const betweenMs = 200
/** Objects that are only weakly held by other garbage need another pass. */
const passes = 3

export interface MemoryTidier {
  /** Requests a collection once the server is idle. */
  soon(): void
  /** Postpones the collection because a request arrived. */
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

/** Runs the collector. `compacts` moves the remaining objects together, so that pages are freed. */
function collect(compacts: boolean): void {
  setFlagsFromString('--expose-gc')
  const run: unknown = runInNewContext('typeof gc === "function" ? gc : undefined')
  setFlagsFromString('--no-expose-gc')
  if (typeof run !== 'function') return
  if (compacts) setFlagsFromString('--compact-on-every-full-gc')
  run()
  if (compacts) setFlagsFromString('--no-compact-on-every-full-gc')
}
