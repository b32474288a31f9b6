/**
 * The DuckDB files that are open in this process. This module loads no native code, so that commands which
 * open no file can ask too.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'

export interface OpenInstance {
  readonly instance: DuckDBInstance
  /** The path under which it was opened, and beside which DuckDB puts its other files. */
  readonly file: string
  readonly mode: 'read' | 'write'
  readonly isIsolated: boolean
  /** The statements that loaded its extensions. */
  readonly load: readonly string[]
  readonly closed: Promise<void>
  readonly markClosed: () => void
  uses: number
  /** A file that nobody uses, which is closed soon unless the process ends before. */
  left: LeftOpen | undefined
}

interface LeftOpen {
  readonly closing: NodeJS.Timeout
  /** The file as it was left. */
  readonly version: string | undefined
}

/** The longest time, in milliseconds, that a file is held without a session, because other processes may need it. */
export const unusedMs = 2_000

/** The instances by canonical path, including those that are being opened. */
export const instances = new Map<string, Promise<OpenInstance>>()

/** Returns one path for a file under several names (a symbolic link, `..`), which must share one instance. */
export function canonicalPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return join(realpathSync(dirname(file)), basename(file))
  }
}

/**
 * Leaves a file open that nobody uses and to which everything is written: the end of the process frees it, and until then
 * whoever opens it in this process gets the same instance. To close it frees each entry of the catalogue, which blocks the
 * process for a quarter of a second at 20,000 relations. Otherwise closes it.
 */
export function leave(key: string, open: OpenInstance): void {
  if (open.mode !== 'write' || !isAlone(open.file)) {
    close(key, open)
    return
  }
  const closing = setTimeout(() => close(key, open), unusedMs).unref()
  open.left = { closing, version: versionOf(open.file) }
}

let keepsAll = false

/**
 * Leaves the file of each session open that a command of a process that ends soon has closed, not only of the last one: for
 * tests, which run thousands of commands in a process and let nobody else have their files.
 */
export function leaveAllOpen(all = true): void {
  keepsAll = all
}

/** Whether a file that its session has closed must be as whole as if the process ended here. */
export function isLeftBetween(file: string): boolean {
  return keepsAll && existsSync(`${file}.wal`)
}

/** Whether everything is written to the file, and nothing is left that closing deletes. */
function isAlone(file: string): boolean {
  return !existsSync(`${file}.wal`) && !existsSync(`${file}.tmp`)
}

/**
 * Whether a file that was left open is not what is asked for: it was deleted, replaced, or written by another program, or other
 * extensions are wanted.
 */
export function isOutdated({ file, load, left }: OpenInstance, wanted: readonly string[]): boolean {
  if (left === undefined) return false
  return left.version === undefined || left.version !== versionOf(file) || load.join() !== wanted.join()
}

function versionOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ')
}

/** Says that a file that was left open is used again. */
export function takeUp(open: OpenInstance): void {
  clearTimeout(open.left?.closing)
  open.left = undefined
}

export function close(key: string, open: OpenInstance): void {
  takeUp(open)
  instances.delete(key)
  open.instance.closeSync()
  open.markClosed()
}

/** Closes every file that was left open, for a process that does not end and lets another one have them. */
export async function closeLeftOpen(): Promise<void> {
  for (const [key, opening] of instances) {
    const open = await opening.catch(() => undefined)
    if (open?.left !== undefined) close(key, open)
  }
}

/** What reads the bytes of a file now, by canonical path. */
const readings = new Map<string, Promise<unknown>>()

/**
 * Reads the bytes of a file that is not open as a database in this process; undefined if it is. Closing a file releases all
 * locks that the process has on it, DuckDB's too: an opening in the meantime waits until the reading is over.
 */
export async function readBytes<T>(key: string, read: () => Promise<T>): Promise<T | undefined> {
  if (instances.has(key)) return undefined
  const before = readings.get(key)
  const reading = read()
  const all = Promise.allSettled([before, reading])
  readings.set(key, all)
  try {
    return await reading
  } finally {
    if (readings.get(key) === all) readings.delete(key)
  }
}

/**
 * Reads the bytes of a file that this process has open as a database, under the lock of that. The handle is closed after the
 * database: closing it earlier would release the lock.
 */
export async function readWhileOpen<T>(key: string, read: (handle: FileHandle) => Promise<T>): Promise<T> {
  const instance = await instances.get(key)
  if (instance === undefined) throw new Error('the file is not open as a database')
  const handle = await open(key, 'r')
  const ended = instance.closed.then(() => handle.close())
  readings.set(key, Promise.allSettled([readings.get(key), ended]))
  return read(handle)
}

/** Resolves when nobody reads the bytes of the file; the caller has entered its instance before. */
export async function bytesRead(key: string): Promise<void> {
  await readings.get(key)
}
