/**
 * The last step of every fetch: turns records in local files and their type into raw tables with the SQL that
 * loads them. Contracts are checked here, so that a source that breaks its contract never reaches the
 * warehouse.
 */
import { createHash } from 'node:crypto'
import type { LocalReader } from '@svc/server/catalog'
import {
  type Ingest,
  type JsonShape,
  keepPrevious,
  type NoIngest,
  type PageChange,
  type RawColumn,
  type RawTable,
  type RawTables,
  rawTables,
  type SourceType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { checkContract, refuseFrozenShapes, refuseMissingColumns, type Verdict } from './contract-check.ts'
import { columnKey, type JudgedTables, judgeTables, withType } from './contract-shape.ts'
import { columnType } from './conversion.ts'
import { type RecordSource, typeAt } from './record-source.ts'
import { recordHashesSql } from './reject-rows.ts'
import type { FetchContext, FetchedSource, FetchedTable } from './source.ts'
import { pageDrift, sourceDrift } from './source-drift.ts'
import { tableSql } from './table-sql.ts'

export interface FetchedRecords {
  readonly source: RecordSource
  /** The kinds of JSON values that were seen. */
  readonly shape?: JsonShape
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
  readonly pages: number
  /** The changes of shape between the pages of the fetch. */
  readonly pageChanges?: readonly PageChange[]
}

type LoadedIngest = Exclude<Ingest, NoIngest>

export async function finishFetch(
  context: FetchContext,
  ingest: LoadedIngest,
  records: FetchedRecords,
  local: LocalReader,
): Promise<FetchedSource> {
  const { engine } = context
  const { contract } = context.asset.definition
  const { source, loadId } = records
  const read = readTables(context, ingest, source.recordType)
  warnOfUnmatched(context, read, records)
  const known = context.known ?? context.previous
  const loaded = context.loaded ?? known
  const betweenPages = pageDrift(records.pageChanges ?? [], read.tables, loaded, engine)
  if (betweenPages.length > 0) context.onPageDrift?.(betweenPages)
  const judged = judgeTables(read.tables, known, contract, engine)
  const tables = withPrevious(context, ingest, judged).map(table => marked(table, records, context))
  refuseNothing(tables[0], records)
  const { shape, bytes } = records
  const { maxRows } = ingest.limits
  const { onRefused } = context
  const verdict = await checkContract({
    contract,
    engine,
    judged,
    tables,
    source,
    shape,
    local,
    maxRows,
    loadId,
    onRefused,
  })
  const options = { engine, tables, source, loadId, primaryKey: ingest.primaryKey, maxRows, ...verdict }
  const fetched = await Promise.all(tables.map(table => fetchedTable(table, tableSql(table, options), local)))
  const delivered = read.tables.map(table => deliveredPart(table, source))
  return {
    asset: context.asset.name,
    loadId: verdict === undefined ? loadId : partialLoadId(loadId, tables, verdict),
    rows: Math.min(records.rows, maxRows ?? records.rows),
    bytes,
    tables: fetched,
    excludedColumns: read.excluded,
    // A source without records has no columns; that is not a change of shape.
    drift: records.rows === 0 ? [] : sourceDrift(loaded, delivered, engine),
    pageDrift: betweenPages,
    delivered,
    rejects: verdict === undefined ? undefined : { ...verdict.counts, sql: verdict.sql },
    recordHashes: recordHashesSql({ source, maxRows }, verdict?.sql),
  }
}

/**
 * Returns a load id that depends on what the contract leaves out, because the same content may give different
 * loads.
 */
function partialLoadId(loadId: string, tables: readonly RawTable[], { skip, counts }: Verdict): string {
  const columns = tables.map(table => [table.child, table.columns.map(({ name, type }) => [name, type])])
  return createHash('sha256')
    .update(JSON.stringify([loadId, columns, skip?.condition, counts]))
    .digest('hex')
}

/** Returns the table without columns that exist only because the contract declares them. */
export function deliveredPart(table: RawTable, { recordType }: Pick<RecordSource, 'recordType'>): RawTable {
  const isThere = (column: RawColumn) => column.system || typeAt(recordType, column.path) !== undefined
  return { ...table, columns: table.columns.filter(isThere) }
}

/**
 * Marks personal columns, and columns that this load does not deliver, so that the next load does not report
 * them again.
 */
function marked(table: RawTable, { source, rows }: FetchedRecords, { asset }: FetchContext): RawTable {
  const docs = asset.definition.columns
  const columns = table.columns.map(column => {
    const isPersonal = Object.hasOwn(docs, column.name) && docs[column.name]?.pii === true
    const { absent, ...rest } = isPersonal ? { ...column, pii: true } : column
    // An empty source gives no information about its columns.
    const isAbsent =
      rows === 0 ? absent === true : !rest.system && typeAt(source.recordType, rest.path) === undefined
    return isAbsent ? { ...rest, absent: true } : rest
  })
  return { ...table, columns }
}

/** Returns the tables with the types of earlier loads, except for types that are declared or pinned. */
function withPrevious(
  context: FetchContext,
  ingest: LoadedIngest,
  { tables, pinned }: JudgedTables,
): readonly RawTable[] {
  if (context.previous === undefined) return tables
  return keepPrevious(tables, context.previous, ingest, context.engine).map(table => ({
    ...table,
    columns: table.columns.map(column =>
      column.system ? column : withType(column, pinned.get(columnKey(table.child, column))),
    ),
  }))
}

/**
 * Returns the tables found by a peek at a source, checked against the contract as far as a peek can.
 * `complete`: the peek saw every column. Throws `contract-violated`.
 */
export function peekedTables(
  context: FetchContext,
  ingest: LoadedIngest,
  recordType: SourceType,
  complete: boolean,
): readonly RawTable[] {
  const { tables } = readTables(context, ingest, recordType)
  const { contract } = context.asset.definition
  const isThere = (column: RawColumn) => typeAt(recordType, column.path) !== undefined
  if (complete) refuseMissingColumns(contract, tables[0]?.columns ?? [], isThere, context.engine)
  refuseFrozenShapes(judgeTables(tables, context.known ?? context.previous, contract, context.engine))
  return tables.map(table => ({
    ...deliveredPart(table, { recordType }),
    complete: table.complete && complete,
  }))
}

/** Returns the raw tables of a source. Throws `source-shape` with every problem of them. */
export function readTables(context: FetchContext, ingest: LoadedIngest, recordType: SourceType): RawTables {
  const read = rawTables(ingest, context.asset.definition.contract, recordType, context.engine)
  const first = read.problems[0]
  if (first === undefined) return read
  throw new SvcError('source-shape', read.problems.map(problem => problem.message).join('; '), {
    hint: first.hint,
  })
}

/** Throws if a source would become a table without columns. */
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

/** Warns about patterns that match nothing: a misspelt `exclude` would load what it should leave out. */
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

/**
 * Returns the table with the types that DuckDB reports for its SELECT, because DuckDB decides how types are
 * named.
 */
async function fetchedTable(table: RawTable, sql: string, local: LocalReader): Promise<FetchedTable> {
  const columns = await local.columns(sql)
  const shape = {
    ...table,
    columns: table.columns.map((column, index) =>
      column.type === undefined ? column : { ...column, type: columns[index]?.type ?? columnType(column) },
    ),
  }
  return { shape, sql, columns: columns.map(({ name, type }) => ({ name, type })) }
}
