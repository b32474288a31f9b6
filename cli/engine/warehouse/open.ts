/** From a warehouse URL to its adapter: the only place that names the engines. Opens nothing. */
import { SvcError } from '../errors.ts'
import type { Warehouse } from './warehouse.ts'

export interface OpenWarehouseOptions {
  /** The project's root, absolute: relative paths in URLs start here. */
  readonly root: string
  /** Whose state is read and written: the name of the project. */
  readonly project: string
  /** Statements that load extensions of the engine, asked for when a file is opened; SvcError where one is missing. */
  readonly extensions?: (mode: 'read' | 'write') => Promise<readonly string[]>
}

/**
 * `duckdb:./file`, `duckdb:/file`. Throws SvcError `wrong-usage` for a URL of no known kind and `not-built-yet` for a
 * kind to come; messages name the kind and never the rest of the URL, which may hold a secret.
 */
export async function openWarehouse(url: string, options: OpenWarehouseOptions): Promise<Warehouse> {
  const kind = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (kind === 'duckdb') {
    const { duckdbWarehouse } = await import('./duckdb/duckdb-warehouse.ts')
    return duckdbWarehouse({ path: duckdbPath(url), ...options })
  }
  if (kind === 'postgres' || kind === 'postgresql') {
    throw new SvcError('not-built-yet', 'a postgres:// warehouse is not built yet', {
      hint: 'Use a DuckDB file for now: duckdb:./warehouse.duckdb.',
    })
  }
  const given = kind === undefined ? 'the warehouse has no kind' : `unknown kind of warehouse "${kind}"`
  throw new SvcError('wrong-usage', given, {
    hint: 'Known is duckdb:<file>, such as duckdb:./warehouse.duckdb; postgres:// comes later.',
  })
}

function duckdbPath(url: string): string {
  const path = url.slice('duckdb:'.length).replace(/^\/\/(?=\/|\.)/, '')
  if (path === '' || path === '//') {
    throw new SvcError('wrong-usage', 'the duckdb warehouse names no file', {
      hint: 'Write duckdb:./warehouse.duckdb.',
    })
  }
  if (/^(\/\/)?:?memory:?$/i.test(path)) {
    throw new SvcError('wrong-usage', 'a warehouse in memory would be gone at the end of each command', {
      hint: 'Name a file: duckdb:./warehouse.duckdb.',
    })
  }
  if (path.startsWith('//') || path.includes('?')) {
    throw new SvcError('wrong-usage', 'a duckdb warehouse is a path and takes no host and no options', {
      hint: 'Write duckdb:./warehouse.duckdb or duckdb:/path/to/warehouse.duckdb.',
    })
  }
  return path
}
