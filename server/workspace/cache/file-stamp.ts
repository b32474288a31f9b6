/**
 * Detects without reading whether a file has changed: same inode, size and times. The change time (ctime)
 * cannot be set by users. Two changes within the clock's resolution look like none, so a file that was only
 * just written when it was read is not trusted.
 */
import { type Stats, statSync } from 'node:fs'

/** The coarsest file system clocks tick every two seconds. */
export const settledMs = 3000

/** Returns undefined if there is no such file, or if it is not accessible. */
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

/** Returns whether a change of the file after `readAtMs` would show in its stamp. */
export function isSettled(stamp: FileStamp, readAtMs: number): boolean {
  return stamp.newestMs + settledMs < readAtMs
}
