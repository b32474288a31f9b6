/** Files that other programs read are replaced whole: write beside, fsync, rename (decisions 4). */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SvcError } from '../errors.ts'

/** A reader sees the old text or the new one. SvcError `file-failed`. */
export function writeWhole(path: string, text: string, pid: number): void {
  const temporary = join(dirname(path), `.${basename(path)}.${pid}.tmp`)
  try {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(temporary, 'w', 0o644)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (cause) {
    removeQuietly(temporary)
    throw new SvcError('file-failed', `cannot write ${path} (${reasonOf(cause)})`, {
      hint: 'Is the folder writable, and is there room on the disk?',
      cause,
    })
  }
}

/** The first error is the one to tell. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It was never made.
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

/** JSON as it is written everywhere: two spaces, a line break at the end. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
