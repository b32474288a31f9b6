/** Replaces files for other programs atomically: write a temporary file, fsync, rename (decisions 4). */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { SvcError } from '../errors.ts'

/**
 * Writes the text, so that readers see the old text or the new one. A file that already has the text is not
 * touched; one that is replaced keeps its permissions. A link is replaced by a file, so that a link which somebody put
 * into a project leads to nothing that is overwritten. Throws SvcError `file-failed`.
 */
export function writeWhole(path: string, text: string, pid: number): void {
  if (!holds(path, text)) replaceWhole(path, [text], pid, modeOf(path))
}

/** The same for a file that svc has read and changes in place: the file behind a link is changed, and the link stays. */
export function changeWhole(path: string, text: string, pid: number): void {
  writeWhole(existsSync(path) ? realpathSync(path) : path, text, pid)
}

/** Of a file that cannot be looked at, writing reports the problem. */
function modeOf(path: string): number | undefined {
  try {
    const stat = lstatSync(path)
    return stat.isFile() ? stat.mode & 0o777 : undefined
  } catch {
    return undefined
  }
}

/** The same for what is never there already. `mode`: its permissions, whatever the umask. SvcError `file-failed`. */
export function replaceWhole(
  path: string,
  parts: readonly (string | Buffer)[],
  pid: number,
  mode?: number,
): void {
  replace(path, pid, temporary => {
    const file = writeNew(temporary, parts, mode)
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  })
}

/** The same, while the process goes on: to wait for the disk takes three times as long as to write. Rejects as it throws. */
export async function replaceMeanwhile(path: string, parts: readonly Buffer[], pid: number): Promise<void> {
  const temporary = temporaryOf(path, pid)
  try {
    prepare(path, temporary)
    const file = writeNew(temporary, parts)
    await synced(file).finally(() => closeSync(file))
    rename(temporary, path)
  } catch (cause) {
    throw failure(path, temporary, cause)
  }
}

const synced = promisify(fsync)

function writeNew(path: string, parts: readonly (string | Buffer)[], mode?: number): number {
  const file = openSync(path, 'wx', mode ?? 0o644)
  try {
    if (mode !== undefined) fchmodSync(file, mode)
    for (const part of parts) writeFileSync(file, part)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/**
 * Gives a written file a second name. Since files are replaced and never changed in place, both names are
 * independent afterwards. Throws SvcError `file-failed`.
 */
export function copyWhole(from: string, to: string, pid: number): void {
  replace(to, pid, temporary => {
    try {
      linkSync(from, temporary)
    } catch {
      // The file system does not support links.
      copyFileSync(from, temporary)
    }
  })
}

function replace(path: string, pid: number, make: (temporary: string) => void): void {
  const temporary = temporaryOf(path, pid)
  try {
    prepare(path, temporary)
    make(temporary)
    rename(temporary, path)
  } catch (cause) {
    throw failure(path, temporary, cause)
  }
}

function temporaryOf(path: string, pid: number): string {
  return join(dirname(path), `.${basename(path)}.${pid}.tmp`)
}

function prepare(path: string, temporary: string): void {
  mkdirSync(dirname(path), { recursive: true })
  removeQuietly(temporary)
}

function rename(temporary: string, path: string): void {
  renameSync(temporary, path)
  // Renaming one name of a file onto another name of the same file does nothing, so the first has to be
  // removed.
  removeQuietly(temporary)
}

function failure(path: string, temporary: string, cause: unknown): SvcError {
  removeQuietly(temporary)
  return new SvcError('file-failed', `cannot write ${path} (${reasonOf(cause)})`, {
    hint: 'Is the folder writable, and is there room on the disk?',
    cause,
  })
}

/** An unreadable file is replaced; writing reports the problem, if there is one. */
function holds(path: string, text: string): boolean {
  try {
    return statSync(path).size === Buffer.byteLength(text) && readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}

/** A file that does not exist needs no removal. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The file does not exist.
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

/** Formats JSON as in all written files: two spaces, a final line break. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/**
 * Like `toJson`, with every string cleaned. Usually nothing has to be cleaned, which one check of the whole
 * text shows.
 */
export function toCleanJson(value: unknown, clean: (text: string) => string): string {
  const text = toJson(value)
  if (clean(text) === text) return text
  const replacer = (_key: string, each: unknown) => (typeof each === 'string' ? clean(each) : each)
  return `${JSON.stringify(value, replacer, 2)}\n`
}
