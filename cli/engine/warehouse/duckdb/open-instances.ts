/** The DuckDB files that are open in this process. Loads no native module, so that who opens none can ask. */
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

/** By canonical path; open or about to be. */
export const instances = new Map<string, Promise<OpenInstance>>()

/** The same file under two names (a symbolic link, `..`) must give the same instance. */
export function canonicalPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return join(realpathSync(dirname(file)), basename(file))
  }
}
