/**
 * The last step of every fetch: from records in local files and their type to raw tables with the SQL that loads
 * them. Contracts are held here, so that a source that breaks its promise never reaches the warehouse.
 */
import type { LocalDuckDb } from '@svc/server/catalog'
import {
  type Ingest,
  type JsonShape,
  keepPrevious,
  type NoIngest,
  type RawTable,
  type RawTables,
  rawTables,
  type SourceType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { checkContract } from './contract-check.ts'
import { columnType } from './conversion.ts'
import type { RecordSource } from './record-source.ts'
import type { FetchContext, FetchedSource, FetchedTable } from './source.ts'
import { tableSql } from './table-sql.ts'

export interface FetchedRecords {
  readonly source: RecordSource
  /** Of JSON: what kinds of values were seen. */
  readonly shape?: JsonShape
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
  readonly pages: number
}

type LoadedIngest = Exclude<Ingest, NoIngest>

export async function finishFetch(
  context: FetchContext,
  ingest: LoadedIngest,
  records: FetchedRecords,
  duckdb: LocalDuckDb,
): Promise<FetchedSource> {
  const { contract } = context.asset.definition
  const { source, loadId } = records
  const read = readTables(context, ingest, source.recordType)
  warnOfUnmatched(context, read, records)
  const tables = withPrevious(context, ingest, read.tables)
  refuseNothing(tables[0], records)
  await checkContract({ contract, columns: tables[0]?.columns ?? [], source, shape: records.shape, duckdb })
  const options = { tables, source, loadId, primaryKey: ingest.primaryKey, maxRows: ingest.limits.maxRows }
  const fetched = await Promise.all(
    tables.map(table => fetchedTable(table, tableSql(table, options), duckdb)),
  )
  const { bytes } = records
  const rows = Math.min(records.rows, ingest.limits.maxRows ?? records.rows)
  return { asset: context.asset.name, loadId, rows, bytes, tables: fetched, excludedColumns: read.excluded }
}

/** Enforced types are as promised, whatever was before. */
function withPrevious(
  context: FetchContext,
  ingest: LoadedIngest,
  tables: readonly RawTable[],
): readonly RawTable[] {
  if (context.previous === undefined) return tables
  const [root, ...children] = keepPrevious(tables, context.previous, ingest)
  const { contract } = context.asset.definition
  if (root === undefined || contract?.enforceTypes !== true)
    return root === undefined ? [] : [root, ...children]
  const promised = new Map(tables[0]?.columns.map(column => [column.name, column]))
  const columns = root.columns.map(column =>
    contract.columns[column.name]?.type === undefined ? column : (promised.get(column.name) ?? column),
  )
  return [{ ...root, columns }, ...children]
}

/** Throws `source-shape` with every problem of the tables that a source would become. */
export function readTables(context: FetchContext, ingest: LoadedIngest, recordType: SourceType): RawTables {
  const read = rawTables(ingest, context.asset.definition.contract, recordType)
  const first = read.problems[0]
  if (first === undefined) return read
  throw new SvcError('source-shape', read.problems.map(problem => problem.message).join('; '), {
    hint: first.hint,
  })
}

/** A table needs a column. */
function refuseNothing(root: RawTable | undefined, { rows }: FetchedRecords): void {
  if (root !== undefined && root.columns.length > 0) return
  throw new SvcError(
    'source-shape',
    rows === 0
      ? 'the source brought no records, and nothing says which columns it has'
      : 'no column of the source is left',
    { hint: rows === 0 ? 'Name its columns in contract.columns.' : 'Check include and exclude.' },
  )
}

/** A pattern that excludes nothing may be a misspelt one, and what it meant to keep out is in. */
function warnOfUnmatched(context: FetchContext, read: RawTables, records: FetchedRecords): void {
  if (read.unmatched.length === 0 || records.rows === 0) return
  const { rows, bytes, pages } = records
  const names = read.unmatched.map(name => `"${name}"`).join(', ')
  context.onProgress({
    rows,
    bytes,
    pages,
    note: `nothing in the source matches ${names} of include or exclude`,
  })
}

/** The engine has the last word on names of types: it is asked, not guessed at. */
async function fetchedTable(table: RawTable, sql: string, duckdb: LocalDuckDb): Promise<FetchedTable> {
  const columns = await duckdb.columns(sql)
  const shape = {
    ...table,
    columns: table.columns.map((column, index) =>
      column.type === undefined ? column : { ...column, type: columns[index]?.type ?? columnType(column) },
    ),
  }
  return { shape, sql, columns: columns.map(({ name, type }) => ({ name, type })) }
}
