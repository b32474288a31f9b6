/** Files that other programs read are replaced whole: write beside, fsync, rename (decisions 4). */
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SvcError } from '../errors.ts'

/** A reader sees the old text or the new one. A file that holds the text already is left alone. SvcError `file-failed`. */
export function writeWhole(path: string, text: string, pid: number): void {
  if (!holds(path, text)) replaceWhole(path, [text], pid)
}

/** The same for what is never there already. SvcError `file-failed`. */
export function replaceWhole(path: string, parts: readonly (string | Buffer)[], pid: number): void {
  replace(path, pid, temporary => {
    const file = openSync(temporary, 'wx', 0o644)
    try {
      for (const part of parts) writeFileSync(file, part)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  })
}

/**
 * A second name for a file that was written whole: nothing is written twice, and since files are replaced and never
 * changed, neither name sees what happens to the other. SvcError `file-failed`.
 */
export function copyWhole(from: string, to: string, pid: number): void {
  replace(to, pid, temporary => {
    try {
      linkSync(from, temporary)
    } catch {
      // A file system without links.
      copyFileSync(from, temporary)
    }
  })
}

function replace(path: string, pid: number, make: (temporary: string) => void): void {
  const temporary = join(dirname(path), `.${basename(path)}.${pid}.tmp`)
  try {
    mkdirSync(dirname(path), { recursive: true })
    removeQuietly(temporary)
    make(temporary)
    renameSync(temporary, path)
    // Renaming one name of a file onto another name of the same file does nothing, and leaves the first.
    removeQuietly(temporary)
  } catch (cause) {
    removeQuietly(temporary)
    throw new SvcError('file-failed', `cannot write ${path} (${reasonOf(cause)})`, {
      hint: 'Is the folder writable, and is there room on the disk?',
      cause,
    })
  }
}

/** Where it cannot be read it is replaced, and that says what is wrong. */
function holds(path: string, text: string): boolean {
  try {
    return statSync(path).size === Buffer.byteLength(text) && readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}

/** What was never made is gone already. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // There is none.
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

/** JSON as it is written everywhere: two spaces, a line break at the end. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** The same with every text in it cleaned. Nearly always there is nothing to do, and one look at the whole says so. */
export function toCleanJson(value: unknown, clean: (text: string) => string): string {
  const text = toJson(value)
  if (clean(text) === text) return text
  const replacer = (_key: string, each: unknown) => (typeof each === 'string' ? clean(each) : each)
  return `${JSON.stringify(value, replacer, 2)}\n`
}
