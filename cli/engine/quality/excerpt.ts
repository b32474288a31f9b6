/**
 * Tests of a wide asset on an excerpt. An engine binds every column of a relation, and every expression of a view, each time
 * that a statement names it: a subquery or a query of failing rows for each of many columns costs the square of the columns.
 * So the columns that some of the tests name are copied into a temporary table, as long as they are few values.
 */
import {
  type Column,
  columnCalled,
  type DataTest,
  type Engine,
  internalName,
  testColumns,
  testConditions,
  testKindOf,
} from '@svc/server/language'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

/** A relation with more columns is wide. */
export const mostOfNarrow = 100
/** The values of an excerpt: with more of them it costs memory, and the rows cost more than the names of the columns. */
const mostValues = 4_000_000

/** The name of the excerpt in a FROM clause. */
export const excerptName = internalName('excerpt')

type Query = WarehouseSession['query']

/** Returns the columns that a test reads; undefined if that cannot be said, or one of them is no column of the relation. */
export function columnsRead(
  test: DataTest,
  columns: readonly Column[],
  engine: Engine,
): ReadonlySet<Column> | undefined {
  if (testKindOf(test).isQuery === true) return undefined
  const found = testColumns(test).map(name => columnCalled(columns, name, engine))
  const read = new Set<Column>()
  for (const column of found) {
    if (column === undefined) return undefined
    read.add(column)
  }
  for (const { sql } of testConditions(test)) {
    if (hasPattern(sql, engine)) return undefined
    for (const column of columnsIn(sql, columns, engine)) read.add(column)
  }
  return read
}

/** `COLUMNS(…)` means other columns in another relation, and no error would tell. */
function hasPattern(sql: string, engine: Engine): boolean {
  return engine.tokens(sql).some(({ start, end }) => sql.slice(start, end).toLowerCase() === 'columns')
}

/**
 * Every column whose name is a word of the condition, whatever it means there: one too many does no harm, and without one that
 * is read in another way, such as the whole row, the statement fails and is asked of the whole relation.
 */
function columnsIn(sql: string, columns: readonly Column[], engine: Engine): Column[] {
  return engine.tokens(sql).flatMap(({ start, end }) => {
    const word = sql.slice(start, end)
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word
    return columnCalled(columns, name, engine) ?? []
  })
}

/** Returns how many columns an excerpt may have: fewer than two are not worth one. */
export async function mostColumns(
  session: WarehouseSession,
  { relation, rows }: BuildRecord,
  signal: AbortSignal,
): Promise<number> {
  return Math.floor(mostValues / Math.max(1, rows ?? (await rowsUpTo(mostValues))))

  async function rowsUpTo(most: number): Promise<number> {
    const name = internalName('counted')
    const some = `(SELECT 1 FROM ${session.dialect.relation(relation)} LIMIT ${most}) AS ${name}`
    const [counted] = await session.query(`SELECT count(*) AS ${name} FROM ${some}`, signal)
    return Number(counted?.[name] ?? most)
  }
}

/** Runs `work` beside an excerpt of a build. */
export function onExcerpt<T>(
  session: WarehouseSession,
  { relation }: BuildRecord,
  columns: Iterable<Column>,
  work: (query: Query) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { dialect } = session
  const list = [...columns].map(({ name }) => dialect.identifier(name)).join(', ')
  const sql = `SELECT ${list} FROM ${dialect.relation(relation)}`
  return session.beside({ name: excerptName, sql }, work, signal)
}
