/**
 * A table of the warehouse that something else writes. Nothing is fetched: the rows stay where they are, and the load is a view of
 * them. What has changed is known by a fingerprint of all rows, so that equal rows give an equal load, or by what the user says.
 */
import { createHash } from 'node:crypto'
import type { LocalReader } from '@svc/server/catalog'
import {
  type ChangesTold,
  changesToldOf,
  nearestNames,
  type RawTable,
  resolveName,
  type SourceType,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { hashNames } from '../../warehouse/dialect.ts'
import type { Relation, WarehouseSession } from '../../warehouse/warehouse.ts'
import { conversion } from '../conversion.ts'
import { finishFetch, peekedTables, readTables } from '../finish-fetch.ts'
import { rowsAsJson } from '../record-names.ts'
import { type RecordSource, typeAt } from '../record-source.ts'
import type { FetchContext, FetchedSource, IngestOf, Source } from '../source.ts'
import { scalar } from '../sql/database.ts'
import { tableParts } from '../sql/relation.ts'

type WarehouseIngest = IngestOf<'warehouse'>
type NamedColumns = readonly { readonly name: string; readonly type: string }[]

export function warehouseSource(ingest: WarehouseIngest): Source {
  return {
    fetch: context => withWarehouse(context, session => lookAtTable(ingest, context, session)),
    peek: context =>
      withWarehouse(context, async session => {
        const { columns } = await foundTable(ingest, session)
        return peekedTables(context, ingest, recordOf(columns), true)
      }),
  }
}

async function withWarehouse<T>(
  { warehouse }: FetchContext,
  use: (session: WarehouseSession) => Promise<T>,
): Promise<T> {
  if (warehouse === undefined) throw new Error('a table of the warehouse is looked at while it is open')
  return await warehouse(use)
}

async function lookAtTable(
  ingest: WarehouseIngest,
  context: FetchContext,
  session: WarehouseSession,
): Promise<FetchedSource> {
  const { relation, columns } = await foundTable(ingest, session)
  const from = session.dialect.storedRelation(relation)
  const chosen = chosenColumns(ingest, context, columns)
  const content = await contentOf({ ingest, context, session, from, columns, chosen })
  const { rows, loadId } = content
  const source = tableSource(from, recordOf(columns))
  const local: LocalReader = {
    rows: sql => session.query(sql, context.signal),
    columns: async sql =>
      (await described(session, sql)).map(column => ({ ...column, source: scalar(column.type) })),
    close: () => undefined,
  }
  context.onProgress({ rows, bytes: 0, pages: 1 })
  const present = { ...context, previous: stillThere(context.previous, columns) }
  const fetched = await finishFetch(
    { context: present, ingest, local },
    { source, loadId, rows, bytes: 0, pages: 1 },
  )
  return content.told === undefined
    ? { ...fetched, loadId: fetched.loadId + content.mark, inWarehouse: true }
    : { ...fetched, loadId, inWarehouse: true, told: content.told }
}

interface LookedAt {
  readonly ingest: WarehouseIngest
  readonly context: FetchContext
  readonly session: WarehouseSession
  /** The table as SQL names it. */
  readonly from: string
  /** All columns of the table, and those that are loaded. */
  readonly columns: NamedColumns
  readonly chosen: NamedColumns
}

interface Content {
  readonly rows: number
  readonly loadId: string
  /** What the id of the load ends with, so that the next run knows by what it was told apart. */
  readonly mark: string
  /** Set where the rows are those of the live load, as the user says. */
  readonly told?: ChangesTold
}

/**
 * Where the user says what tells a change, the rows are read only when that is another one than at the live load: its id ends
 * with a mark of it. Whoever changes the rule and takes it back never gets an earlier load, as its rows are part of the id.
 */
async function contentOf(looked: LookedAt): Promise<Content> {
  const { ingest, context, session, from, chosen } = looked
  const told = changesToldOf(ingest)
  if (told === undefined) return { ...(await fingerprint(session, from, chosen)), mark: '' }
  const sign = told.by === 'column' ? await greatestValue(looked, told.column) : ''
  const mark = `.${hashOf([typesOf(chosen), told, sign]).slice(0, 16)}`
  const { load_id: loadId = null, rows = null } = context.lastLoad ?? {}
  // Without a value there is no row, or none that would tell that another one has come.
  if (sign !== null && rows !== null && loadId?.endsWith(mark)) return { rows, loadId, mark, told }
  const read = await fingerprint(session, from, chosen)
  if (sign === null && read.rows > 0) throw nothingTold(ingest)
  return { ...read, mark }
}

/** Returns the greatest value of a column as a text; null where there is none. */
async function greatestValue({ session, from, columns }: LookedAt, wanted: string): Promise<string | null> {
  const { engine, identifier, toText } = session.dialect
  const column = resolveName(wanted, columns, ({ name }) => ({ name, source: name }), engine)
  if (column === undefined) {
    throw missing(
      `the table has no column "${wanted}", which changed_by names`,
      wanted,
      columns.map(({ name }) => name),
      { list: 'It has', before: '' },
    )
  }
  const sql = `SELECT ${toText(`max(${identifier(column.name)})`)} AS ${hashNames.hash} FROM ${from}`
  const [found] = await session.query<Readonly<Record<string, string | null>>>(sql)
  return found?.[hashNames.hash] ?? null
}

function nothingTold({ resource, changedBy }: WarehouseIngest): SvcError {
  return new SvcError(
    'source-shape',
    `"${changedBy}" of ${resource} is NULL in all rows: it tells no change`,
    {
      hint: 'Name another column in changed_by, or leave the key out: every run then reads all rows.',
    },
  )
}

/** A column that was dropped is gone: as a column of NULLs it would make everything wrong that reads it. */
function stillThere(
  previous: readonly RawTable[] | undefined,
  columns: NamedColumns,
): readonly RawTable[] | undefined {
  const names = new Set(columns.map(({ name }) => name))
  return previous?.map(table => ({
    ...table,
    columns: table.columns.filter(({ path: [first = ''] }) => names.has(first)),
  }))
}

/** Throws SvcError `source-missing`, or `invalid-project` for what svc writes itself. */
async function foundTable({ resource }: WarehouseIngest, session: WarehouseSession) {
  const { sameName } = session.dialect.engine
  const [schema = '', name = ''] = tableParts(resource)
  if (isOfSvc(schema)) throw ownRelation(resource, name)
  const schemas = (await session.schemas('')).filter(each => !isOfSvc(each))
  const inSchema = schemas.find(each => sameName(each, schema))
  if (inSchema === undefined)
    throw missing(`the warehouse has no schema "${schema}"`, schema, schemas, {
      list: 'Its schemas with tables of others',
      before: '',
    })
  const names = (await session.relations(inSchema)).map(each => each.name)
  const found = names.find(each => sameName(each, name))
  if (found === undefined)
    throw missing(`the warehouse has no table ${resource}`, name, names, {
      list: `Schema ${inSchema} has`,
      before: `${inSchema}.`,
    })
  const relation = { schema: inSchema, name: found }
  if (await isMadeBySvc(session, relation)) throw ownRelation(resource, found)
  const columns = await described(session, `SELECT * FROM ${session.dialect.storedRelation(relation)}`)
  return { relation, columns }
}

async function described(session: WarehouseSession, sql: string): Promise<NamedColumns> {
  const columns = await session.describe(sql)
  return columns.map(({ name, type = 'VARCHAR' }) => ({ name, type }))
}

/** Returns whether a relation is an asset of this project, or in a schema of svc, which a later run may drop. */
export async function isMadeBySvc(
  { state }: Pick<WarehouseSession, 'state'>,
  relation: Relation,
): Promise<boolean> {
  return isOfSvc(relation.schema) || (await state.isOwnView(relation))
}

function isOfSvc(schema: string): boolean {
  return schema === 'svc' || schema.startsWith('svc_')
}

function ownRelation(resource: string, name: string): SvcError {
  return new SvcError('invalid-project', `${resource} is a relation that svc makes, not one of others`, {
    hint: `Read an asset of this project with ingest: none and {{ ref('${name}') }}: it is then built before its reader.`,
  })
}

interface Listed {
  readonly list: string
  /** Stands before a name where it is to be written. */
  readonly before: string
}

function missing(what: string, name: string, names: readonly string[], { list, before }: Listed): SvcError {
  const [near] = nearestNames(name, names, 1)
  const some = names.slice(0, 10).join(', ')
  const all = names.length === 0 ? 'There is none.' : `${list}: ${some}${names.length > 10 ? ', …' : ''}.`
  return new SvcError('source-missing', what, {
    hint: near === undefined ? all : `Did you mean "${before}${near}"?`,
  })
}

function chosenColumns(ingest: WarehouseIngest, context: FetchContext, columns: NamedColumns): NamedColumns {
  const { tables } = readTables(context, ingest, recordOf(columns))
  const wanted = new Set(tables.flatMap((table: RawTable) => table.columns.map(({ path }) => path[0])))
  return columns.filter(({ name }) => wanted.has(name))
}

/** Counts the rows and adds up their hashes, which is the same in any order of the rows. */
async function fingerprint(session: WarehouseSession, from: string, columns: NamedColumns) {
  const names = columns.map(({ name }) => session.dialect.identifier(name))
  const sql = session.dialect.rowsHash(names.length === 0 ? ["''"] : names, from)
  const [found] = await session.query(sql)
  return {
    rows: Number(found?.[hashNames.rows] ?? 0),
    loadId: hashOf([typesOf(columns), found?.[hashNames.hash] ?? null]),
  }
}

function typesOf(columns: NamedColumns) {
  return columns.map(({ name, type }) => [name, type])
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

function tableSource(from: string, recordType: SourceType): RecordSource {
  return {
    recordType,
    guard: undefined,
    inPlace: true,
    written: {},
    from: () => from,
    raw: () => rowsAsJson(from),
    conversion: column => {
      const type = typeAt(recordType, column.path)
      return type === undefined ? undefined : conversion(column, type, 'parquet')
    },
    retyped: type => tableSource(from, type),
    masked: () => Promise.reject(new Error('the rows of a table of the warehouse stay where they are')),
  }
}

/** A column is taken with the type that it has, also where this is a struct or a list. */
function recordOf(columns: NamedColumns): SourceType {
  return {
    kind: 'struct',
    fields: columns.map(({ name, type }) => ({ name, type: scalar(type) })),
  }
}
