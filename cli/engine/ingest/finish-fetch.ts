/**
 * The last step of every fetch: turns records in local files and their type into raw tables with the SQL that
 * loads them. Contracts are checked here, so that a source that breaks its contract never reaches the
 * warehouse.
 */
import { createHash } from 'node:crypto'
import type { LocalReader } from '@svc/server/catalog'
import type { DriftChange } from '@svc/server/contract'
import {
  findColumn,
  type Ingest,
  isValidity,
  type JsonShape,
  keepPrevious,
  type NoIngest,
  openContract,
  type PageChange,
  type RawColumn,
  type RawTable,
  type RawTables,
  rawTables,
  type SourceType,
  type TableContract,
  unmatchedMasks,
  withKnownLists,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { absentSince, warnOfAbsent } from './absent-columns.ts'
import { keptTypes } from './changed-types.ts'
import { checkContract, refuseFrozenShapes, refuseMissingColumns, type Verdict } from './contract-check.ts'
import { type JudgedTables, judgeTables, withTypes } from './contract-shape.ts'
import { columnType } from './conversion.ts'
import { type DeliveredRecords, presence, withoutGone } from './gone-columns.ts'
import type { LoadBase } from './incremental/base.ts'
import { keptAsItIs } from './incremental/kept-as-it-is.ts'
import { keptColumns } from './incremental/kept-columns.ts'
import { loadTime } from './incremental/load-time.ts'
import { withNamesOfNow } from './incremental/names-before.ts'
import { continuedLoadId, newRecords, withContent } from './incremental/new-records.ts'
import { tellKept } from './incremental/tell-kept.ts'
import { withLooseTypes } from './loose-types.ts'
import { maskOf } from './mask/mask.ts'
import { maskRecords } from './mask/mask-records.ts'
import { repeatedRecords } from './primary-key.ts'
import { type RecordSource, typeAt } from './record-source.ts'
import { recordHashesSql } from './reject-rows.ts'
import { isLimited, tellLimit } from './row-limit.ts'
import type { FetchContext, FetchedSource, FetchedTable } from './source.ts'
import { pageDrift, sourceDrift } from './source-drift.ts'
import { storableIn } from './storable-values.ts'
import { tableSql } from './table-sql.ts'

export interface FetchedRecords {
  readonly source: RecordSource
  /** The kinds of JSON values that were seen. */
  readonly shape?: JsonShape
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
  readonly pages: number
  /** No more than `limits.max_rows` is asked for, so that nobody knows whether the source has more. */
  readonly asksForNoMore?: true
  /** The changes of shape between the pages of the fetch. */
  readonly pageChanges?: readonly PageChange[]
}

type LoadedIngest = Exclude<Ingest, NoIngest>

/** A fetch whose records have come. */
export interface Fetching {
  readonly context: FetchContext
  readonly ingest: LoadedIngest
  readonly local: LocalReader
}

export async function finishFetch(fetching: Fetching, found: FetchedRecords): Promise<FetchedSource> {
  const { context, ingest, local } = fetching
  const { engine, onRefused, onWarning, base } = context
  const loadedAt = loadTime(context)
  const { contract = openContract } = context.asset.definition
  if (base !== undefined && isContinued(context) && found.rows === 0)
    return keptAsItIs(context, ingest, base, found.bytes)
  const { records, mask } = await maskRecords(fetching, found)
  const { loadId, shape, bytes } = records
  const loose = await withLooseTypes(records.source, shape, local)
  const source = storableIn(engine, withEmptyLists(context, ingest, loose))
  const read = readTables(context, ingest, source.recordType)
  refuseLostMasks(context, read, source.recordType, records)
  warnOfUnmatched(context, read, records)
  const { judged, tables, delivered } = await typedTables(
    fetching,
    { ...records, source, keyMark: mask?.keyMark },
    read,
  )
  if (!isPart(context, records)) warnOfAbsent(context, tables, records, source.recordType)
  const betweenPages = tellPageDrift(context, records, delivered)
  const nulls = nullRecords(records)
  if (!isContinued(context)) refuseEmpty(context, records, nulls)
  refuseNothing(tables[0], records, nulls)
  if (!requiresAny(contract)) warnOfNulls(context, records, nulls)
  tellLimit(context, ingest, records)
  const { maxRows } = ingest.limits
  const { primaryKey } = ingest
  const { personal } = context
  const facts = { engine, tables, source, loadId, maxRows, primaryKey, rows: records.rows, personal }
  const checked = await checkContract({ ...facts, contract, judged, shape, local, onRefused, onWarning })
  const { verdict } = checked
  const load = { ...facts, ...verdict }
  const repeated = await repeatedRecords({ ...load, local, repeated: checked.repeated })
  warnOfRepeated(context, repeated)
  const sql = { ...load, loadedAt, isDistinct: repeated > 0 }
  const selects = tables.map(table => tableSql(table, sql))
  const isCut = isLimited(ingest, records)
  const keyMark = mask?.keyMark
  const part = await incrementalPart(context, ingest, { tables, selects, local, loadedAt, isCut, keyMark })
  const contentId = contentIdOf(loadId, { read: read.tables, tables, verdict })
  return {
    asset: context.asset.name,
    ...part.joining,
    loadId: loadIdOf(contentId, base, part),
    rows: part.rows ?? Math.min(records.rows, maxRows ?? records.rows) - repeated,
    bytes,
    tables: await Promise.all(
      tables.map((table, index) => fetchedTable(table, part.selects[index] ?? '', local)),
    ),
    excludedColumns: read.excluded,
    drift: driftOf(context, records, delivered),
    pageDrift: betweenPages,
    delivered,
    rejects: verdict === undefined ? undefined : { ...verdict.counts, sql: verdict.sql },
    recordHashes: recordHashesSql({ source, maxRows }, verdict?.sql),
  }
}

interface IncrementalPart {
  /** The SELECT of each table. */
  readonly selects: readonly string[]
  /** Absent if all records that came are loaded. */
  readonly rows?: number
  readonly joining?: Pick<FetchedSource, 'joining'>
}

/** Returns what is loaded of the records that came: all, or what the load before does not have. */
async function incrementalPart(
  context: FetchContext,
  ingest: LoadedIngest,
  found: {
    readonly tables: readonly RawTable[]
    readonly selects: readonly string[]
    readonly local: LocalReader
    readonly loadedAt: string
    readonly isCut: boolean
    readonly keyMark: string | undefined
  },
): Promise<IncrementalPart> {
  const base = context.base && withNamesOfNow(context.base, found.tables)
  const { incremental, write, primaryKey } = ingest
  if (write === 'replace' || (incremental === undefined && base === undefined))
    return { selects: found.selects }
  const fresh =
    incremental === undefined
      ? { selects: found.selects }
      : await newRecords({ context, incremental, ...found })
  const key = primaryKey.flatMap(
    name => findColumn(found.tables[0]?.columns ?? [], name, context.engine)?.name ?? [],
  )
  if (base === undefined) return fresh
  const { loadedAt, keyMark, tables } = found
  const kept = keptColumns({ context, ingest, base, tables, keyMark })
  if (kept !== undefined) tellKept({ context, base, tables }, kept)
  return { ...fresh, joining: { joining: { base, write, primaryKey: key, loadedAt, ...(kept && { kept }) } } }
}

/** What has no new record has the content of the load before. */
function loadIdOf(contentId: string, base: LoadBase | undefined, { rows }: IncrementalPart): string {
  if (base === undefined) return contentId
  if (base.current !== undefined) return withContent(base, contentId)
  if (rows === 0 && base.earlier === undefined) return base.load.load_id ?? contentId
  return continuedLoadId(base, contentId)
}

function driftOf(
  context: FetchContext,
  records: FetchedRecords,
  delivered: readonly RawTable[],
): readonly DriftChange[] {
  // A source without records has no columns; that is not a change of shape.
  if (records.rows === 0) return []
  const changes = sourceDrift(
    loadedBefore(context),
    delivered,
    context.asset.definition.contract,
    context.engine,
  )
  return isPart(context, records) ? changes.filter(({ kind }) => kind !== 'vanished') : changes
}

/** Returns whether the source brings only what the load before does not have. */
function isContinued({ base }: FetchContext): boolean {
  return base !== undefined && base.current === undefined
}

/** A few records of many need not have every member that the others have. */
function isPart(context: FetchContext, { shape }: FetchedRecords): boolean {
  return isContinued(context) && shape !== undefined
}

/** `keyMark`: what the key of hashes in the records is known by. */
type RecordsToType = FetchedRecords & { readonly keyMark: string | undefined }

/**
 * `tables`: the tables in the shape in which they are loaded.
 * `delivered`: the tables with what the source has, with the types that the load gives them.
 */
async function typedTables(fetching: Fetching, records: RecordsToType, read: RawTables) {
  const { context, local } = fetching
  const { source } = records
  const { contract } = context.asset.definition
  const known = context.known ?? context.previous
  const found = judgeTables(read.tables, known, contract, context.engine, source.recordType)
  const parts = (tables: readonly RawTable[]) => tables.map(table => deliveredPart(table, source))
  const kept = await keptTypes({ context, judged: found, source, local }).catch((error: unknown) => {
    // What changed is told before the source is refused for it.
    tellPageDrift(context, records, parts(read.tables))
    throw error
  })
  const judged = { ...found, pinned: new Map([...found.pinned, ...kept]) }
  const tables = withPrevious(fetching, judged, { ...records, recordType: source.recordType }).map(table =>
    marked(table, records, context),
  )
  return { judged, tables, delivered: parts(read.tables.map(table => withTypes(table, kept))) }
}

function withEmptyLists(context: FetchContext, ingest: LoadedIngest, source: RecordSource): RecordSource {
  const known = [...(context.known ?? []), ...(context.previous ?? [])]
  const type = withKnownLists(source.recordType, known, ingest)
  return type === source.recordType ? source : source.retyped(type)
}

function loadedBefore({ loaded, known, previous }: FetchContext): readonly RawTable[] | undefined {
  return loaded ?? known ?? previous
}

function tellPageDrift(
  context: FetchContext,
  { pageChanges = [] }: FetchedRecords,
  tables: readonly RawTable[],
): readonly DriftChange[] {
  const changes = pageDrift(pageChanges, tables, loadedBefore(context), context.engine)
  if (changes.length > 0) context.onPageDrift?.(changes)
  return changes
}

/**
 * Returns what a load is known by. The same content may give different loads: the contract leaves something out, or
 * columns keep types of earlier loads. Then the id depends on that too, so that a load which was made under other
 * types is not taken for this one.
 */
function contentIdOf(
  loadId: string,
  found: {
    /** The tables that the content and the definition alone would give. */
    readonly read: readonly RawTable[]
    readonly tables: readonly RawTable[]
    readonly verdict: Verdict | undefined
  },
): string {
  const shape = shapeText(found.tables)
  if (found.verdict === undefined && shape === shapeText(found.read)) return loadId
  const { skip, counts } = found.verdict ?? {}
  return createHash('sha256')
    .update(JSON.stringify([loadId, shape, skip?.condition, counts]))
    .digest('hex')
}

function shapeText(tables: readonly RawTable[]): string {
  return JSON.stringify(
    tables.map(({ child, columns }) => [child, columns.map(column => [column.name, columnType(column)])]),
  )
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
function marked(table: RawTable, records: RecordsToType, context: FetchContext): RawTable {
  const { source, rows, shape, keyMark } = records
  const docs = context.asset.definition.columns
  const before = loadedBefore(context)?.find(({ child }) => child === table.child)
  const columns = table.columns.map(column => {
    const isPersonal = Object.hasOwn(docs, column.name) && docs[column.name]?.pii === true
    const own = column.masked === 'hash' && keyMark !== undefined ? { ...column, maskKey: keyMark } : column
    const { absent, absentSince: _, ...rest } = isPersonal ? { ...own, pii: true } : own
    // An empty source gives no information about its columns.
    const isAbsent =
      rows === 0 || isPart(context, records)
        ? absent === true
        : !rest.system && typeAt(source.recordType, rest.path) === undefined
    if (isAbsent) return { ...rest, absent: true, ...absentSince(rest, before, context) }
    return { ...rest, ...presence(rest, shape) }
  })
  return { ...table, columns }
}

/** Returns the tables with the columns of earlier loads that are not gone, and their types, except for those declared or pinned. */
function withPrevious(
  { context, ingest }: Fetching,
  { tables, pinned }: JudgedTables,
  records: DeliveredRecords,
): readonly RawTable[] {
  if (context.previous === undefined) return tables
  const previous = withoutGone(context.previous, context, records)
  return keepPrevious(tables, previous, ingest, context.engine).map(table => withTypes(table, pinned))
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
  // A key that is missing is told before a run begins.
  maskOf(ingest, context.env)
  const { tables } = readTables(context, ingest, recordType)
  const { contract } = context.asset.definition
  const isThere = (column: RawColumn) => typeAt(recordType, column.path) !== undefined
  if (complete) refuseMissingColumns(contract, tables, isThere, context.engine, recordType)
  refuseFrozenShapes(
    judgeTables(tables, context.known ?? context.previous, contract, context.engine, recordType),
  )
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

/** Throws if a source that had records at its last load has none now, unless its contract allows that. */
function refuseEmpty({ asset, lastRows = 0 }: FetchContext, { rows }: FetchedRecords, nulls: number): void {
  if (rows > nulls || lastRows === 0 || asset.definition.contract?.allowEmpty === true) return
  const now = rows === 0 ? 'no records' : 'no records but null'
  throw new SvcError('source-empty', `the source has ${now} now, and had ${lastRows} at its last load`, {
    hint: 'Check the source. If no records are right, write contract: {allow_empty: true}.',
  })
}

/** Throws if a source would become a table without columns. */
function refuseNothing(root: RawTable | undefined, { rows }: FetchedRecords, nulls: number): void {
  if (root?.columns.some(column => !isValidity(column)) === true) return
  const brought = rows === 0 ? 'no records' : 'no records but null'
  throw new SvcError(
    'source-shape',
    rows === nulls
      ? `the source brought ${brought}, and nothing says which columns it has`
      : 'no column of the source is left',
    {
      hint: rows === nulls ? 'Name its columns in contract.columns.' : 'Check include and exclude.',
      facts: { isEmpty: rows === nulls },
    },
  )
}

/** Returns how many records of JSON are null: all others count as objects of the shape. */
function nullRecords({ rows, shape }: FetchedRecords): number {
  return shape === undefined ? 0 : Math.max(0, rows - shape.objects)
}

/** Whether the contract has something to say of a record without any values. */
function requiresAny({ columns, requiredColumns }: TableContract): boolean {
  return requiredColumns.length > 0 || Object.values(columns).some(({ nullable }) => nullable === false)
}

function warnOfNulls({ onWarning }: FetchContext, { rows }: FetchedRecords, nulls: number): void {
  if (nulls === 0) return
  onWarning?.({
    code: 'null-records',
    count: nulls,
    message: `${nulls} of ${rows} records ${nulls === 1 ? 'is' : 'are'} null, a row of NULLs each`,
    hint: 'Name a column that a record must have in contract.required_columns, and say with contract.max_rejects how many may be rejected for it: 1%, for example.',
  })
}

function warnOfRepeated({ onWarning }: FetchContext, repeated: number): void {
  if (repeated === 0) return
  const what = repeated === 1 ? 'a record that came twice is' : `${repeated} records that came before are`
  onWarning?.({
    code: 'equal-records',
    count: repeated,
    message: `${what} loaded once (primary_key)`,
    hint: 'They are equal in every column. If each of them counts, primary_key is not what makes a record one.',
  })
}

/** Throws if a mask names a column that no load of this source had: a misspelt one would store what it should hide. */
function refuseLostMasks(
  context: FetchContext,
  { unmatched }: RawTables,
  type: SourceType,
  records: FetchedRecords,
): void {
  if (unmatched.length === 0 || records.rows === 0) return
  const known = [...(loadedBefore(context) ?? []), ...(context.previous ?? [])]
  const [first] = unmatchedMasks(context.asset.definition, unmatched, type, known)
  if (first !== undefined) throw new SvcError('mask-without-column', first.message, { hint: first.hint })
}

/** Warns about patterns that match nothing: a misspelt `exclude` would load what it should leave out. */
function warnOfUnmatched({ onWarning }: FetchContext, read: RawTables, records: FetchedRecords): void {
  if (read.unmatched.length === 0 || records.rows === 0) return
  const names = read.unmatched.map(name => `"${name}"`).join(', ')
  onWarning?.({
    code: 'unmatched-pattern',
    count: read.unmatched.length,
    example: read.unmatched[0] ?? '',
    message: `nothing in the source matches ${names} of include, exclude or mask`,
    hint: 'Write the name as the source or the table spells it, or take it out.',
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
