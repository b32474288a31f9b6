/**
 * The DuckDB files that are open in this process. This module loads no native code, so that commands which
 * open no file can ask too.
 */
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'

export interface OpenInstance {
  readonly instance: DuckDBInstance
  readonly mode: 'read' | 'write'
  readonly isIsolated: boolean
  readonly closed: Promise<void>
  readonly markClosed: () => void
  uses: number
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
