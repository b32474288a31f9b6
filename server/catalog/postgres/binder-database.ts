/**
 * The catalogue's PostgreSQL inside the worker process: binds statements without running them and describes their
 * columns. It holds schemas and never a row, and has neither files nor a network.
 */
import type { PGlite } from '@electric-sql/pglite'
import { label } from '../../language/engines/postgres/label.ts'
import type { Column } from '../../language/index.ts'
import type { BindError } from '../bind-error.ts'
import type { BindResult } from '../binder.ts'
import { throwIfLost } from '../limits.ts'
import { callByName, type Methods } from '../worker/call-by-name.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { lookUpBy, tablesOfUnknown, takenBack, withoutClashes } from './beside-unknown.ts'
import { type Answered, type Described, describeQueries } from './describe-queries.ts'
import { functionNames, overloadsOf } from './functions.ts'
import { openImage, type PostgresHere } from './open-image.ts'
import { readBindError } from './read-bind-error.ts'
import { refusedColumn } from './refused-column.ts'
import { swapsForSamples } from './sampled-tables.ts'
import { typeNames } from './type-names.ts'
import { searchPaths } from './unknown-type.ts'

export async function openBinderDatabase(
  _memoryBytes: number,
  load: readonly string[],
): Promise<OpenDatabase> {
  const here = await openImage(load)
  // Notices that something is not there yet would travel for nothing.
  await here.database.exec('SET client_min_messages = error')
  return {
    engine: label,
    call: callByName(newBinder(here)),
    // Nothing of it runs long, and a single thread hears nothing while it runs.
    interrupt: () => {},
  }
}

function newBinder(here: PostgresHere): Methods {
  const { database } = here
  const rows = async (sql: string): Promise<readonly (readonly unknown[])[]> =>
    (await database.query<unknown[]>(sql, [], { rowMode: 'array' })).rows
  const describe = describer(here, typeNames(rows))
  const lookUp = lookUpBy(database)
  const unknowns = tablesOfUnknown(rows)
  const bind = async (sql: string): Promise<BindResult> => {
    const path = await unknowns.pathOf(sql)
    // It would not stay if it were set in a transaction that is taken back.
    await lookUp(path)
    const swaps = await swapsForSamples(here, sql)
    const describeAfter = (statements: readonly string[]) =>
      takenBack(database, [...swaps, ...statements], async () => {
        const [result] = await describe([sql])
        if (result === undefined) throw new Error('a query was not answered')
        return result
      })
    const first = await describeAfter([])
    const result = path === searchPaths.usual ? first : await withoutClashes(rows, first, describeAfter)
    return 'error' in result ? { error: await withOverloads(here, rows, result.error) } : result
  }
  return {
    bind,
    async bindAll(queries: readonly string[]) {
      const found = new Map<string, readonly Column[]>()
      for (const [path, some] of await unknowns.byPath(queries)) {
        await lookUp(path)
        for (const [index, result] of (await describe(some)).entries())
          if ('columns' in result) found.set(some[index] ?? '', result.columns)
      }
      const columns = queries.flatMap(sql => {
        const known = found.get(sql)
        return known === undefined ? [] : [known]
      })
      return columns.length === queries.length ? columns : undefined
    },
    async run(statements: readonly string[]) {
      unknowns.heed(statements)
      return await run(database, statements)
    },
    syntaxError: (sql: string) => syntaxError(database, sql),
    // The server casts literals while it binds, and reports those that do not fit.
    boundCasts: async (statements: readonly string[]) => statements.map(() => []),
    markedCasts: async () => [],
    async plan(sql: string) {
      try {
        await database.exec(`EXPLAIN (COSTS OFF) ${sql}`)
      } catch (error) {
        told(error, '')
      }
    },
    functionNames: () => functionNames(rows),
    rows,
  }
}

/** Returns the columns of queries up to the first that does not bind, or that no table could be made from. */
function describer(
  here: PostgresHere,
  types: ReturnType<typeof typeNames>,
): (queries: readonly string[]) => Promise<readonly BindResult[]> {
  const columnsOf = async (described: readonly Described[]): Promise<Column[]> => {
    const names = await types.of(described)
    return described.map(({ name }, index) => ({ name, type: names[index] }))
  }
  const resultOf = async (answer: Answered, sql: string): Promise<BindResult> => {
    if ('failure' in answer) return { error: told(answer.failure, sql) }
    const columns = await columnsOf(answer.columns)
    const error = refusedColumn(answer.columns, columns)
    return error === undefined ? { columns } : { error }
  }
  return async queries => {
    const answers = await guarded(() => describeQueries(here, queries))
    const results: BindResult[] = []
    for (const [index, answer] of answers.entries())
      results.push(await resultOf(answer, queries[index] ?? ''))
    return results
  }
}

async function withOverloads(
  { closed }: PostgresHere,
  rows: (sql: string) => Promise<readonly (readonly unknown[])[]>,
  error: BindError,
): Promise<BindError> {
  if (error.missing !== 'Scalar Function') return error
  const called = error.name?.slice(error.name.lastIndexOf('.') + 1) ?? ''
  if (closed.has(called))
    return {
      ...error,
      missing: undefined,
      call: undefined,
      subtype: 'misplaced-call',
      message: `${called}() is not declared IMMUTABLE: it may read what no ref() names`,
      hint: `If it looks at its arguments alone, say so in a file of database/: CREATE OR REPLACE FUNCTION ${called}(…) … IMMUTABLE.`,
    }
  const overloads = await overloadsOf(rows, error.name ?? '')
  return overloads === undefined ? error : { ...error, missing: undefined, candidates: overloads }
}

async function run(database: PGlite, statements: readonly string[]): Promise<BindError | undefined> {
  if (statements.length === 0) return undefined
  const sql = `BEGIN;${statements.join(';\n')};COMMIT`
  try {
    await database.exec(sql)
    return undefined
  } catch (error) {
    const found = told(error, sql)
    await database.exec('ROLLBACK')
    return found
  }
}

const first = 'SELECT "svc no column";\n'

/**
 * The server parses a whole text before it binds the first statement, which fails here: an error of syntax is
 * one of the rest, and nothing of it is run.
 */
async function syntaxError(database: PGlite, sql: string): Promise<BindError | undefined> {
  try {
    await database.exec(first + sql)
  } catch (error) {
    const found = told(error, first + sql)
    if (found.kind !== 'syntax' && found.kind !== 'too-deep') return undefined
    return { ...found, position: found.position === undefined ? undefined : found.position - first.length }
  }
  return undefined
}

/** Throws if it was no answer of the server: then WebAssembly has failed, and its memory is in no known state. */
function told(error: unknown, sql: string): BindError {
  const found = readBindError(error, sql)
  throwIfLost(found)
  return found
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    told(error, '')
    throw error
  }
}
