/** Leaves out the records that the load before has: those below the cursor, and those that are as they were. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import {
  columnCalled,
  columnNamed,
  findColumn,
  type Incremental,
  internalNames,
  nearestNames,
  type RawColumn,
  type RawTable,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { columnType } from '../conversion.ts'
import { type FetchContext, isTold } from '../source.ts'
import { listPath } from '../table-sql.ts'
import { type LoadBase, rowHash } from './base.ts'
import { firstFarDay, mayBeFar } from './far-values.ts'

const own = internalNames('found', 'parent', 'nulls', 'greatest', 'goes_on', 'far', 'rows', 'hash')

export interface FetchedTables {
  readonly context: FetchContext
  readonly incremental: Incremental
  readonly tables: readonly RawTable[]
  /** The SELECT of each table, over all records that came. */
  readonly selects: readonly string[]
  readonly local: LocalReader
  /** A limit of rows has ended the fetch. */
  readonly isCut: boolean
}

export interface NewRecords {
  /** The SELECT of each table, over the records that are new or changed. */
  readonly selects: readonly string[]
  readonly rows: number
}

/** Throws SvcError `source-shape` if the source has no such cursor, or records without it. */
export async function newRecords(fetched: FetchedTables): Promise<NewRecords> {
  const { tables, selects, local } = fetched
  const cursor = cursorColumn(fetched)
  const [root = ''] = selects
  const greatest = await refuseNulls(root, cursor, local)
  if (fetched.isCut) await refuseStandstill(fetched, cursor)
  const condition = await conditionOf(fetched, cursor)
  if (condition === undefined) {
    await warnOfFar(fetched, cursor, { greatest, select: root })
    return { selects, rows: await countOf(root, local) }
  }
  const kept: string[] = []
  for (const [index, table] of tables.entries()) {
    const all = selects[index] ?? ''
    const parent = parentOf(table, tables)
    kept.push(
      parent === undefined
        ? `SELECT * FROM (${all}) AS ${own.found} WHERE ${condition}`
        : childrenOf(all, kept[tables.indexOf(parent)] ?? ''),
    )
  }
  const [select = ''] = kept
  const rows = await countOf(select, local)
  // Records that are far in the future are let through by each load.
  if (fetched.isCut && rows === 0 && fetched.context.base?.end !== undefined) throw standstill(cursor)
  await warnOfFar(fetched, cursor, { greatest, select })
  return { selects: kept, rows }
}

/** Returns a SELECT of the rows of a child table whose parents are in `parents`. */
export function childrenOf(all: string, parents: string): string {
  return `SELECT * FROM (${all}) AS ${own.found} WHERE _svc_parent_id IN (SELECT _svc_id FROM (${parents}) AS ${own.parent})`
}

/** Returns the table whose rows hold those of a child table; undefined for the table of the records. */
export function parentOf(table: RawTable, tables: readonly RawTable[]): RawTable | undefined {
  const path = listPath(table)
  if (path === undefined) return undefined
  const above = tables.filter(other => {
    const shorter = listPath(other) ?? []
    return other !== table && shorter.length < path.length && shorter.every((step, at) => step === path[at])
  })
  return above.reduce<RawTable | undefined>(
    (nearest, each) =>
      nearest === undefined || (listPath(each)?.length ?? 0) > (listPath(nearest)?.length ?? 0)
        ? each
        : nearest,
    undefined,
  )
}

/** Equal content on the same load gives an equal id. */
export function continuedLoadId({ load }: LoadBase, loadId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([load.load_id, loadId]))
    .digest('hex')
}

/**
 * Returns the id of a load of all records that keeps what was before. It ends with the id of their content, so that
 * the same records give the same load however many there are.
 */
export function withContent(base: LoadBase, contentId: string): string {
  const { load_id: before } = base.load
  if (base.restarts === undefined && base.earlier === undefined && before?.endsWith(contentId) === true)
    return before
  return `${continuedLoadId(base, contentId)}.${contentId}`
}

function cursorColumn({ context, incremental, tables }: FetchedTables): RawColumn {
  const columns = (tables[0]?.columns ?? []).filter(({ system }) => !system)
  const found = findColumn(columns, incremental.cursor, context.engine)
  if (found !== undefined) return found
  const names = columns.map(({ name }) => name)
  const [near] = nearestNames(incremental.cursor, names, 1)
  throw new SvcError(
    'source-shape',
    `the source has no column "${incremental.cursor}", the cursor of incremental`,
    {
      hint: near === undefined ? `Its columns are ${names.join(', ')}.` : `Did you mean "${near}"?`,
    },
  )
}

/** Returns the greatest value of the cursor, as text; undefined if there is no record. */
async function refuseNulls(
  root: string,
  { name }: RawColumn,
  local: LocalReader,
): Promise<string | undefined> {
  const column = quoteName(name)
  const [found] = await local.rows(
    `SELECT count(*) - count(${column}) AS ${own.nulls}, CAST(max(${column}) AS VARCHAR) AS ${own.greatest} FROM (${root}) AS ${own.found}`,
  )
  const nulls = Number(found?.[own.nulls] ?? 0)
  if (nulls === 0) return found?.[own.greatest] === null ? undefined : String(found?.[own.greatest])
  throw new SvcError(
    'source-shape',
    `${nulls === 1 ? '1 record has' : `${nulls} records have`} no "${name}", the cursor of incremental: nothing says whether they are new`,
    { hint: 'Name a column that every record has, or leave such records out at the source.' },
  )
}

/** Throws if all that a limit of rows lets through is loaded already: every further load would bring the same. */
async function refuseStandstill(
  { context: { base }, selects: [root = ''], local }: FetchedTables,
  cursor: RawColumn,
): Promise<void> {
  if (base?.end === undefined) return
  const end = `CAST(${quoteLiteral(base.end)} AS ${columnType(cursor)})`
  const [found] = await local.rows(
    `SELECT max(${quoteName(cursor.name)}) > ${end} AS ${own.goes_on} FROM (${root}) AS ${own.found}`,
  )
  if (found?.[own.goes_on] !== true) throw standstill(cursor)
}

function standstill(cursor: RawColumn): SvcError {
  return new SvcError(
    'source-shape',
    `limits.max_rows lets through no record behind "${cursor.name}" of the load before`,
    { hint: 'Raise it above the number of records of one value of the cursor, and of those within lag.' },
  )
}

/** Returns which records are new or changed, in SQL over the table's columns; undefined if all are. */
async function conditionOf(fetched: FetchedTables, cursor: RawColumn): Promise<string | undefined> {
  const { base } = fetched.context
  const { start } = fetched.incremental
  const from = base?.since ?? start
  const conditions: string[] = []
  if (from !== undefined && from !== null)
    conditions.push(
      `${quoteName(cursor.name)} >= CAST(${quoteLiteral(String(from))} AS ${columnType(cursor)})`,
    )
  if (base !== undefined && base.known.length > 0) conditions.push(`NOT ${await isKnown(fetched, base)}`)
  return conditions.length === 0 ? undefined : conditions.join(' AND ')
}

/** A row is known if all its values are as they were, and the columns that are new have none. */
async function isKnown({ context, tables }: FetchedTables, base: LoadBase): Promise<string> {
  const file = join(context.spoolFolder, 'known-rows.csv')
  await writeFile(file, `${base.known.join('\n')}\n`, { mode: 0o600 })
  const columns = (tables[0]?.columns ?? []).filter(({ system }) => !system)
  const before = base.load.columns.filter(({ name }) => !name.startsWith('_svc_'))
  const texts = before.map(({ name }) => {
    const column = columnNamed(columns, name, context.engine)
    return column === undefined ? 'CAST(NULL AS VARCHAR)' : `CAST(${quoteName(column.name)} AS VARCHAR)`
  })
  const hashes = `SELECT ${own.hash} FROM read_csv(${quoteLiteral(file)}, header = false, columns = {'${own.hash}': 'VARCHAR'})`
  const added = columns.filter(({ name }) => columnCalled(before, name, context.engine) === undefined)
  const nothingAdded = added.map(({ name }) => ` AND ${quoteName(name)} IS NULL`).join('')
  return `(${rowHash(texts)} IN (${hashes})${nothingAdded})`
}

/** Warns of new records whose cursor is far in the future: a load does not begin there. */
async function warnOfFar(
  { context, local }: FetchedTables,
  cursor: RawColumn,
  { greatest, select }: { readonly greatest: string | undefined; readonly select: string },
): Promise<void> {
  const { types } = context.engine
  const type = columnType(cursor)
  const day = firstFarDay(context.now())
  if (greatest === undefined || !mayBeFar(greatest, types.family(types.parse(type)), day)) return
  const column = quoteName(cursor.name)
  const [found] = await local.rows(
    `SELECT count(*) AS ${own.far}, CAST(max(${column}) AS VARCHAR) AS ${own.greatest} FROM (${select}) AS ${own.found}
      WHERE ${column} >= CAST(${quoteLiteral(day)} AS ${type})`,
  )
  const far = Number(found?.[own.far] ?? 0)
  if (far === 0) return
  const value = !isTold(context, cursor) ? '' : `: ${far === 1 ? '' : 'up to '}${found?.[own.greatest]}`
  context.onWarning?.({
    code: 'future-cursor',
    count: far,
    message: `${far === 1 ? '1 record has its' : `${far} records have their`} "${cursor.name}" more than a day in the future${value}`,
    hint: `The next load begins at the last value before ${day}, so that no record is passed over; a record behind it is read again by each load, and loaded once. Correct it at the source if it is wrong.`,
  })
}

async function countOf(select: string, local: LocalReader): Promise<number> {
  const [found] = await local.rows(`SELECT count(*) AS ${own.rows} FROM (${select}) AS ${own.found}`)
  return Number(found?.[own.rows] ?? 0)
}
