/**
 * The DuckDB files that are open in this process. This module loads no native code, so that commands which
 * open no file can ask too.
 */
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'

export interface OpenInstance {
  readonly instance: DuckDBInstance
  /** The path under which it was opened, and beside which DuckDB puts its other files. */
  readonly file: string
  readonly mode: 'read' | 'write'
  readonly isIsolated: boolean
  readonly closed: Promise<void>
  readonly markClosed: () => void
  uses: number
  /** Closes a file that nobody uses, unless the process ends before. */
  leaving: NodeJS.Timeout | undefined
}

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

/** Resolves when nobody reads the bytes of the file; the caller has entered its instance before. */
export async function bytesRead(key: string): Promise<void> {
  await readings.get(key)
}
