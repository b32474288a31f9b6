/**
 * Whether a file is the one that was read before, without reading it: same inode, size and times. The time of change
 * cannot be set by hand. A file that changes twice within the grain of its clock looks unchanged, so that what had
 * only just been written when it was read is never taken for settled.
 */
import { type Stats, statSync } from 'node:fs'

/** The coarsest clocks of file systems tick every two seconds. */
export const settledMs = 3000

/** Undefined where there is no such file, or it cannot be looked at. */
export function fileStamp(path: string): FileStamp | undefined {
  try {
    const stat = statSync(path)
    return { text: textOf(stat), newestMs: Math.max(stat.mtimeMs, stat.ctimeMs) }
  } catch {
    return undefined
  }
}

export interface FileStamp {
  readonly text: string
  readonly newestMs: number
}

function textOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`
}

/** Whether a file read at `readAtMs` would show by its stamp if it changed since. */
export function isSettled(stamp: FileStamp, readAtMs: number): boolean {
  return stamp.newestMs + settledMs < readAtMs
}
