/** Warehouses into which fetched tables are loaded, and their values asked back as texts that the warehouse itself writes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteName } from '@svc/server/catalog'
import type { Engine } from '@svc/server/language'
import type { FetchedSource } from '../../../cli/engine/ingest/source.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { BuildOutcome, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { engineOf } from '../../../server/language/engines/index.ts'

export interface StoredTable {
  /** The type of each column at the warehouse. */
  readonly types: Readonly<Record<string, string>>
  readonly rows: readonly Readonly<Record<string, string | null>>[]
}

export interface Store {
  readonly kind: 'duckdb' | 'postgres'
  readonly engine: Engine
  /** Loads the table of a source, and returns its rows as texts, in the order of `id`. */
  load(fetched: FetchedSource): Promise<StoredTable>
  close(): Promise<void>
}

export async function openStore(url: string): Promise<Store> {
  const root = mkdtempSync(join(tmpdir(), 'svc-values-'))
  const warehouse = await openWarehouse(url, { root, project: 'values' })
  const session = await warehouse.open('write')
  const kind = url.startsWith('duckdb') ? 'duckdb' : 'postgres'
  await session.createSchema('loaded')
  if (kind === 'postgres') await session.execute(["SET TIME ZONE 'UTC'"])
  let count = 0
  return {
    kind,
    engine: engineOf(url),
    async load(fetched) {
      const name = `t${++count}`
      const types = await build(session, fetched, name)
      const texts = Object.entries(types).map(
        ([column, type]) => `${textSql(column, type)} AS ${quoteName(column)}`,
      )
      const rows = await session.query<Record<string, string | null>>(
        `SELECT ${texts.join(', ')} FROM loaded.${name} AS rows ORDER BY rows.id`,
      )
      // The driver of DuckDB drops a mark of byte order at the start of a text.
      const decoded = rows.map(row =>
        Object.fromEntries(
          Object.entries(row).map(([column, text]) => [
            column,
            types[column] === 'VARCHAR' && text !== null ? Buffer.from(text, 'hex').toString('utf8') : text,
          ]),
        ),
      )
      return { types, rows: decoded }
    },
    async close() {
      await session.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function textSql(column: string, type: string): string {
  const name = `rows.${quoteName(column)}`
  if (type === 'BLOB') return `hex(${name})`
  if (type === 'VARCHAR') return `hex(encode(${name}))`
  if (/\]$|^(STRUCT|MAP|UNION)/.test(type)) return `CAST(to_json(${name}) AS VARCHAR)`
  if (type === 'bytea') return `encode(${name}, 'hex')`
  return `CAST(${name} AS VARCHAR)`
}

async function build(session: WarehouseSession, { tables }: FetchedSource, name: string) {
  const [table] = tables
  if (table === undefined) throw new Error('nothing was fetched')
  let outcome: BuildOutcome | undefined
  await session.build(
    { id: name, target: { schema: 'loaded', name }, kind: 'load', sql: table.sql, columns: table.columns },
    {
      record: () => [],
      onEnd(_task, ended) {
        outcome = ended
      },
    },
  )
  if (outcome?.ok !== true) throw outcome?.error ?? new Error(`nothing became of ${name}`)
  return Object.fromEntries(outcome.result.columns.map(({ name: column, type = '' }) => [column, type]))
}
