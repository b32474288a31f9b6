/** Creates the adapter for a warehouse URL. Only this module names the engines. It opens nothing. */
import { loadDuckdb, withNativePart } from '@svc/server/catalog'
import { EngineMissing, type PromotionPatience } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Warehouse } from './warehouse.ts'

export interface OpenWarehouseOptions {
  /** The absolute path of the project's root, against which paths in URLs are resolved. */
  readonly root: string
  /** The name of the project whose state is read and written. */
  readonly project: string
  /** How a promotion meets transactions that hold its views, where the engine has such. */
  readonly patience?: PromotionPatience
  /** Whether the process ends soon after it has closed the warehouse: an engine need not free what that frees. */
  readonly endsSoon?: boolean
  /**
   * Returns statements that load extensions of the engine, when a file is opened. Throws SvcError if one is
   * missing.
   */
  readonly extensions?: (mode: 'read' | 'write') => Promise<readonly string[]>
}

/**
 * Accepts `duckdb:./file`, `duckdb:/file` and `postgres://…`. Throws SvcError `wrong-usage` for an unknown kind. Messages name the kind and never the rest of the URL, which may contain
 * a secret.
 */
export async function openWarehouse(url: string, options: OpenWarehouseOptions): Promise<Warehouse> {
  const kind = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (kind === 'duckdb') {
    const { duckdbWarehouse } = await withNativePart(() => import('./duckdb/duckdb-warehouse.ts'))
    return duckdbWarehouse({ path: duckdbPath(url), ...options })
  }
  if (kind === 'postgres' || kind === 'postgresql') {
    const { postgresWarehouse } = await import('./postgres/postgres-warehouse.ts')
    return postgresWarehouse({ url, ...options })
  }
  const given = kind === undefined ? 'the warehouse has no kind' : `unknown kind of warehouse "${kind}"`
  throw new SvcError('wrong-usage', given, {
    hint: 'Known are duckdb:<file>, such as duckdb:./warehouse.duckdb, and postgres://user@host/database.',
  })
}

/** Whether the embedded engine can be loaded at all, which `svc doctor` says also where no command needs it yet. */
export async function embeddedEngineMissing(): Promise<EngineMissing | undefined> {
  try {
    await loadDuckdb()
    return undefined
  } catch (error) {
    if (error instanceof EngineMissing) return error
    throw error
  }
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
