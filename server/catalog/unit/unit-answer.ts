/**
 * Returns the rows that a unit test's query gives. Time and random values are fixed in unit tests, so the
 * same question always has the same answer and is run once: editing a file runs only the tests that the edit
 * affects.
 */
import type { Column } from '../../language/index.ts'
import type { ActualRows } from '../../language/unit/compare-rows.ts'
import type { UnitDatabase } from './unit-database.ts'
import { isEnd, isFailure, type UnitFailure } from './unit-failure.ts'
import type { UnitQuestion } from './unit-question.ts'

/** The maximum number of rows that are fetched. */
export const mostRows = 10_000

/** The SQL before the query: places in errors are counted from the start of the query. */
export const beforeQuery = 'FROM (\n'
const afterQuery = '\n)'

export type UnitAnswer =
  | ActualRows
  /** The step that failed: creating the tables, setting the time or running the query. */
  | { readonly at: 'tables' | 'time' | 'query'; readonly failure: UnitFailure }

export interface UnitDesk {
  readonly database: UnitDatabase
  /** The SQL that created each table, by relation: a table that exists already is not created again. */
  readonly made: Map<string, string>
}

/** Returns the answer. `columns` has the columns of the result as far as the catalogue knows them. */
export async function answerTo(
  open: () => UnitDesk,
  answers: Map<string, UnitAnswer>,
  question: UnitQuestion,
  now: string | undefined,
  columns: readonly Column[],
): Promise<UnitAnswer> {
  const key = JSON.stringify([
    now,
    question.sql,
    question.tables.map(({ sql }) => sql),
    question.isWhole && columns,
  ])
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = await ask(open(), question, now, columns)
  if (isWorthKeeping(answer)) remember(answers, key, answer)
  return answer
}

const mostAnswers = 1000
const longestAnswer = 200

function isWorthKeeping(answer: UnitAnswer): boolean {
  if ('rows' in answer) return answer.rows.length <= longestAnswer
  // An answer that exceeded a limit is remembered too, since it would do so at every keystroke.
  const { stopped, kind } = answer.failure
  return stopped === undefined ? kind !== 'fatal' : stopped !== 'aborted'
}

function remember(answers: Map<string, UnitAnswer>, key: string, answer: UnitAnswer): void {
  const [oldest] = answers.keys()
  if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest)
  answers.set(key, answer)
}

async function ask(
  desk: UnitDesk,
  question: UnitQuestion,
  now: string | undefined,
  known: readonly Column[],
): Promise<UnitAnswer> {
  const { database } = desk
  const columns = expectedColumns(question, known)
  const making = columns === undefined ? makeTables : rowsOverTables
  // The database does one after the other: what is known by now is sent together.
  const [unset, found] = await Promise.all([database.setNow(now), making(desk, question, columns ?? [])])
  if (isFailure(found) && found.isBefore) return { at: 'tables', failure: found }
  if (unset !== undefined) return { at: 'time', failure: unset }
  if (isFailure(found)) return { at: 'query', failure: found }
  if (columns !== undefined) return { columns, rows: found ?? [] }
  const described = await database.describe(`${beforeQuery}${question.sql}${afterQuery}`)
  if (isFailure(described)) return { at: 'query', failure: described }
  const rows = await database.texts(rowsSql(question, described))
  return isFailure(rows) ? { at: 'query', failure: rows } : { columns: described, rows }
}

function rowsSql({ sql, statement: { engine } }: UnitQuestion, columns: ActualRows['columns']): string {
  const names = columns.map((_, index) => `c${index}`)
  const texts = names.map(name => `CAST(${name} AS ${engine.types.usual.text})`).join(', ')
  const from = `${beforeQuery}${sql}${afterQuery} AS svc_result(${names.join(', ')})`
  return `${from} SELECT ${texts} LIMIT ${mostRows + 1}`
}

async function makeTables(
  { database, made }: UnitDesk,
  question: UnitQuestion,
): Promise<UnitFailure | undefined> {
  const tables = dueTables(made, question)
  const failed = tables && (await database.run(tables.sql))
  if (failed !== undefined) return { ...failed, isBefore: true }
  tables?.note()
  return undefined
}

async function rowsOverTables(
  { database, made }: UnitDesk,
  question: UnitQuestion,
  columns: ActualRows['columns'],
): ReturnType<UnitDatabase['texts']> {
  const tables = dueTables(made, question)
  const rows = await database.texts(rowsSql(question, columns), tables?.sql)
  // Of one that has ended nobody knows how far it came.
  const isUnsure = isFailure(rows) && (rows.isBefore || isEnd(rows))
  if (!isUnsure) tables?.note()
  return rows
}

interface DueTables {
  readonly sql: string
  /** They are made. */
  note(): void
}

/** Those that are not there yet as the question needs them; undefined: all are. */
function dueTables(made: Map<string, string>, { tables }: UnitQuestion): DueTables | undefined {
  const due = tables.filter(({ key, sql }) => made.get(key) !== sql)
  if (due.length === 0) return undefined
  const schemas = [...new Set(due.map(({ schemaSql }) => schemaSql))].filter(sql => !made.has(sql))
  for (const { key } of due) made.delete(key)
  return {
    sql: [...schemas, ...due.map(({ sql }) => sql)].join(';\n'),
    note() {
      for (const schema of schemas) made.set(schema, '')
      for (const { key, sql } of due) made.set(key, sql)
    },
  }
}

/** Returns the columns that the catalogue knows; undefined if it does not know all of their types. */
function expectedColumns(
  { isWhole }: UnitQuestion,
  columns: readonly Column[],
): ActualRows['columns'] | undefined {
  const known = columns.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]))
  return isWhole && known.length === columns.length && known.length > 0 ? known : undefined
}
