/**
 * The PostgreSQL that runs unit tests. It has its own process, apart from the binder's, because it holds rows and runs
 * SQL of users. It has neither files nor a network and does not know what a test is.
 */
import type { PGlite } from '@electric-sql/pglite'
import { label } from '../../language/engines/postgres/label.ts'
import { literal } from '../../language/engines/postgres/names.ts'
import { internalName } from '../../language/internal-names.ts'
import { throwIfLost } from '../limits.ts'
import { isFailure, type UnitFailure } from '../unit/unit-failure.ts'
import { callByName } from '../worker/call-by-name.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { describeQueries } from './describe-queries.ts'
import { type FrozenSql, makeFrozenFunctions, withFrozenWords } from './frozen-functions.ts'
import { openImage, type PostgresHere } from './open-image.ts'
import { readBindError } from './read-bind-error.ts'
import { type TypeNames, typeNames } from './type-names.ts'
import { asText } from './unit-sql.ts'

type Texts = readonly (readonly (string | null)[])[]

interface UnitColumn {
  readonly name: string
  readonly type: string
}

export async function openUnitEngine(_memoryBytes: number, load: readonly string[]): Promise<OpenDatabase> {
  const here = await openImage(load)
  await here.database.exec(["SET TimeZone = 'UTC'", ...makeFrozenFunctions].join(';\n'))
  const unit = new UnitEngine(here)
  return {
    engine: label,
    call: callByName({
      setNow: (time: string | undefined) => unit.setNow(time),
      run: (sql: string) => unit.run(sql),
      describe: (query: string) => unit.describe(query),
      texts: (sql: string) => unit.texts(sql),
      rows: (query: string, most: number, before: string | undefined) => unit.rows(query, most, before),
    }),
    // A single thread hears nothing while a statement runs: the process is ended instead.
    interrupt: () => {},
  }
}

const before = 'FROM (\n'

class UnitEngine {
  readonly #here: PostgresHere
  readonly #database: PGlite
  readonly #types: TypeNames

  constructor(here: PostgresHere) {
    this.#here = here
    this.#database = here.database
    this.#types = typeNames(
      async sql => (await here.database.query<unknown[]>(sql, [], { rowMode: 'array' })).rows,
    )
  }

  async setNow(time: string | undefined): Promise<UnitFailure | undefined> {
    const value = time === undefined ? "''" : `CAST(CAST(${literal(time)} AS timestamptz) AS text)`
    return await this.run(`SELECT set_config('svc.now', ${value}, false)`)
  }

  async run(sql: string): Promise<UnitFailure | undefined> {
    const done = await this.#attempt(sql, () => this.#database.exec(sql))
    return isFailure(done) ? done : undefined
  }

  async describe(query: string): Promise<readonly UnitColumn[] | UnitFailure> {
    return await this.#described(query, withFrozenWords(query))
  }

  async texts(sql: string): Promise<Texts | UnitFailure> {
    const found = await this.#attempt(sql, () =>
      this.#database.query<(string | null)[]>(sql, [], { rowMode: 'array' }),
    )
    return isFailure(found) ? found : found.rows
  }

  /** Types tell how a value is written, so that the query is described first. */
  async rows(query: string, most: number, makeTables: string | undefined): Promise<Texts | UnitFailure> {
    const unmade = makeTables === undefined ? undefined : await this.run(makeTables)
    if (unmade !== undefined) return { ...unmade, isBefore: true }
    const frozen = withFrozenWords(query)
    const columns = await this.#described(query, frozen)
    if (isFailure(columns)) return columns
    const values = columns.map(({ type }, index) => asText(internalName(`c${index}`), type))
    const start = `SELECT ${values.join(', ')} ${before}`
    const names = columns.map((_, index) => internalName(`c${index}`))
    const found = await this.texts(
      `${start}${frozen.sql}\n) AS ${internalName('result')}${names.length === 0 ? '' : `(${names.join(', ')})`} LIMIT ${most}`,
    )
    return isFailure(found) ? inQuery(found, start, frozen) : found
  }

  async #described(query: string, frozen: FrozenSql): Promise<readonly UnitColumn[] | UnitFailure> {
    const start = `SELECT * ${before}`
    const sql = `${start}${frozen.sql}\n) AS ${internalName('result')}`
    const answers = await this.#attempt(query, () => describeQueries(this.#here, [sql]))
    if (isFailure(answers)) return answers
    const [answer] = answers
    if (answer === undefined) throw new Error('a query was not answered')
    if ('failure' in answer) return inQuery(failureOf(answer.failure, sql), start, frozen)
    const types = await this.#types.of(answer.columns)
    return answer.columns.map(({ name }, index) => ({ name, type: types[index] ?? 'text' }))
  }

  async #attempt<T>(sql: string, work: () => Promise<T>): Promise<T | UnitFailure> {
    try {
      return await work()
    } catch (error) {
      return failureOf(error, sql)
    }
  }
}

/** Throws if it was no answer of the server: then its memory is in no known state. */
function failureOf(error: unknown, sql: string): UnitFailure {
  const failure = readBindError(error, sql)
  throwIfLost(failure)
  return { ...failure, stopped: undefined }
}

/** Returns the failure with its place in the query as it was given. */
function inQuery(failure: UnitFailure, start: string, { original }: FrozenSql): UnitFailure {
  const { position } = failure
  return position === undefined ? failure : { ...failure, position: original(position - start.length) }
}
