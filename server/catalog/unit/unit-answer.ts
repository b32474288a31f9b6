/**
 * Returns the rows that a unit test's query gives. Time and random values are fixed in unit tests, so the
 * same question always has the same answer and is run once: editing a file runs only the tests that the edit
 * affects.
 */
import type { Column } from '../../language/index.ts'
import type { ActualRows } from '../../language/unit/compare-rows.ts'
import type { UnitContext } from './unit-context.ts'
import type { UnitDatabase } from './unit-database.ts'
import { isEnd, isFailure, type UnitFailure } from './unit-failure.ts'
import type { UnitQuestion } from './unit-question.ts'

/** The maximum number of rows that are fetched. */
export const mostRows = 10_000

export type UnitAnswer =
  | ActualRows
  /** The step that failed: creating the tables, setting the time or running the query. */
  | { readonly at: 'tables' | 'time' | 'query'; readonly failure: UnitFailure }

export interface UnitSession {
  readonly database: UnitDatabase
  /** The SQL that created each table, by relation: a table that exists already is not created again. */
  readonly made: Map<string, string>
  /** The number of questions under way that create a table, by relation: until then it is not known what it holds. */
  readonly making: Map<string, number>
  /** The number of assets that are tested on it now; when it is lost, the number at that time. */
  users: number
}

export function newSession(database: UnitDatabase): UnitSession {
  return { database, made: new Map(), making: new Map(), users: 0 }
}

/** Returns the session for one test, whose statements are timed; it shares tables and process with all others. */
export function timedSession(session: UnitSession, onTime: (ms: number) => void): UnitSession {
  return { ...session, database: session.database.timed(onTime) }
}

/** Returns the answer. `columns` has the columns of the result as far as the catalogue knows them. */
export async function answerTo(
  { open, answers, isUnsure }: Pick<UnitContext, 'open' | 'answers' | 'isUnsure'>,
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
  if (!isUnsure() && isWorthKeeping(answer)) remember(answers, key, answer)
  return answer
}

const mostAnswers = 1000
const longestAnswer = 200

function isWorthKeeping(answer: UnitAnswer): boolean {
  if ('rows' in answer) return answer.rows.length <= longestAnswer
  // An answer that exceeded a limit is remembered too, since it would do so at every keystroke.
  const { stopped, kind } = answer.failure
  return stopped === undefined ? kind !== 'fatal' : stopped !== 'aborted' && stopped !== 'ended'
}

function remember(answers: Map<string, UnitAnswer>, key: string, answer: UnitAnswer): void {
  const [oldest] = answers.keys()
  if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest)
  answers.set(key, answer)
}

/**
 * Sends all statements of a question at once: the database works them off in this order, and those of another question
 * cannot come between them.
 */
async function ask(
  session: UnitSession,
  question: UnitQuestion,
  now: string | undefined,
  known: readonly Column[],
): Promise<UnitAnswer> {
  const { database } = session
  const columns = expectedColumns(question, known)
  const tables = dueTables(session, question)
  const before = columns === undefined ? undefined : tables.sql
  const [unset, unmade, described, rows] = await Promise.all([
    database.setNow(now),
    columns === undefined && tables.sql !== undefined ? database.run(tables.sql) : undefined,
    columns ?? database.describe(question.sql),
    database.rows(question.sql, mostRows + 1, before, columns?.length),
  ])
  const failed = unmade ?? (isFailure(rows) && rows.isBefore ? rows : undefined)
  // If the process ended, it is unknown which statements were executed.
  tables.end(failed === undefined && !(isFailure(rows) && isEnd(rows)))
  if (failed !== undefined) return { at: 'tables', failure: failed }
  if (unset !== undefined) return { at: 'time', failure: unset }
  if (isFailure(described)) return { at: 'query', failure: described }
  return isFailure(rows) ? { at: 'query', failure: rows } : { columns: described, rows }
}

interface DueTables {
  /** Undefined if all are there. */
  readonly sql: string | undefined
  /** `areMade`: they hold now what the question needs. */
  end(areMade: boolean): void
}

/** Returns the tables that are not surely as the question needs them. */
function dueTables({ made, making }: UnitSession, { tables }: UnitQuestion): DueTables {
  const due = tables.filter(({ key, sql }) => making.has(key) || made.get(key) !== sql)
  if (due.length === 0) return { sql: undefined, end: () => undefined }
  const schemas = [...new Set(due.map(({ schemaSql }) => schemaSql))].filter(sql => !made.has(sql))
  for (const { key } of due) {
    made.delete(key)
    making.set(key, (making.get(key) ?? 0) + 1)
  }
  return {
    sql: [...schemas, ...due.map(({ sql }) => sql)].join(';\n'),
    end(areMade) {
      for (const { key, sql } of due) {
        const others = (making.get(key) ?? 1) - 1
        if (others > 0) making.set(key, others)
        else making.delete(key)
        if (areMade) made.set(key, sql)
        else made.delete(key)
      }
      if (areMade) for (const schema of schemas) made.set(schema, '')
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
