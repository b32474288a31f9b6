/**
 * A file of SQLite as a source. SQLite itself writes each row as one line of CSV, in bytes: a text that is no UTF-8 would end the
 * process in the driver. What a query does before its first row runs in a thread of the driver, where it can be interrupted.
 * Nothing is written to the file.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type LibsqlDatabase from 'libsql/promise'
import {
  type Bounds,
  type Database,
  type DatabaseColumn,
  DatabaseError,
  type DatabaseOptions,
  type ReadRows,
  type Span,
  type TableFacts,
} from './database.ts'
import {
  type Dialect,
  endsOf,
  literal,
  quoteWith,
  relationIn,
  resourceOf,
  selectOf,
  spanSql,
  tableParts,
} from './relation.ts'
import { columnOfValues, declaredColumn } from './sqlite-types.ts'
import { factsOf } from './table-facts.ts'

type Libsql = InstanceType<typeof LibsqlDatabase>

/** The driver has no types for its statements. */
interface Statement {
  columns(): readonly { readonly name: string; readonly type: string | null }[]
  raw(): Statement
  iterate(): Promise<Iterable<readonly unknown[]>>
}

const quote = quoteWith('"')
const dialect: Dialect = {
  quote,
  written: text => `CAST(${literal(text)} AS NUMERIC)`,
  textOf: value => `CAST(${value} AS TEXT)`,
}
const newline = Buffer.from('\n')

export async function openSqlite(options: DatabaseOptions): Promise<Database> {
  const driver = await loadDriver()
  return new Sqlite(options, driver)
}

/** The driver is native, and loaded only when it is used. */
async function loadDriver(): Promise<typeof LibsqlDatabase> {
  try {
    return (await import('libsql/promise')).default
  } catch (error) {
    const { platform, arch } = process
    throw new DatabaseError(
      'denied',
      `cannot be read: there is no reader of SQLite for ${platform}-${arch}`,
      {
        hint: 'Install svc with its optional packages (npm install without --omit=optional).',
        cause: error,
      },
    )
  }
}

/** Returns the path that an address names: `sqlite:file`, `sqlite://relative`, `sqlite:///absolute`. */
export function sqlitePath(address: string): string {
  const bare = address.replace(/^sqlite3?:/i, '')
  if (/^\/\/\/[A-Za-z]:[\\/]/.test(bare)) return fileURLToPath(`file:${bare}`)
  return bare.replace(/^\/\//, '')
}

class Sqlite implements Database {
  readonly #options: DatabaseOptions
  readonly #driver: typeof LibsqlDatabase
  #opened: Libsql | undefined

  constructor(options: DatabaseOptions, driver: typeof LibsqlDatabase) {
    this.#options = options
    this.#driver = driver
  }

  async columns(): Promise<readonly DatabaseColumn[]> {
    const found = await this.#ask(async db =>
      (await prepared(db, `SELECT * FROM ${this.#relation()}`)).columns(),
    )
    const known = found.map(({ name, type }) => declaredColumn(name, type, quote))
    const kinds = await this.#kindsOf(
      found.flatMap(({ name }, index) => (known[index] === undefined ? [name] : [])),
    )
    return found.map(
      ({ name }, index) => known[index] ?? columnOfValues(name, kinds.get(name) ?? new Set(), quote),
    )
  }

  async tables(): Promise<readonly string[]> {
    const rows = await this.#rows(
      `SELECT hex(name) FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    return rows.map(([name]) => resourceOf([fromHex(name)]))
  }

  async facts(resource: string): Promise<TableFacts> {
    const table = tableParts(resource).at(-1) ?? ''
    const rows = await this.#rows(
      `SELECT hex(name), "notnull", pk FROM pragma_table_xinfo('${table.replaceAll("'", "''")}') WHERE hidden <> 1`,
    )
    return factsOf(
      rows.map(([name, required, place]) => ({
        name: fromHex(name),
        isRequired: Number(required) === 1 || Number(place) > 0,
        description: undefined,
        keyPlace: Number(place) === 0 ? null : Number(place),
      })),
      undefined,
    )
  }

  async span(bounds: Bounds, columns: readonly DatabaseColumn[]): Promise<Span | undefined> {
    refuseOther(bounds.column, columns)
    const [[least, greatest] = []] = await this.#rows(spanSql(this.#options.ingest, bounds, dialect))
    return endsOf(least, greatest)
  }

  async read({ columns, spool, bounds, order, part: index = 0, onRows }: ReadRows): Promise<void> {
    if (order !== undefined) refuseOther(order, columns)
    const { ingest, context } = this.#options
    const line = `CAST(${joined(columns.map(({ select }) => select))} AS BLOB)`
    // Times are compared after the fetch alone: SQLite has them as texts of any form, and as numbers, which it would
    // compare with a text by its rules for texts.
    const own = bounds !== undefined && isNumber(bounds.column, columns) && { bounds }
    const asked = { ...own, ...(order !== undefined && { order }) }
    const sql = selectOf([{ select: line }], ingest, asked, dialect)
    const part = spool.part(index)
    const rows = (await this.#iterate(sql))[Symbol.iterator]()
    for (let block = await this.#block(rows); block.length > 0; block = await this.#block(rows)) {
      part.write(Buffer.concat(block.flatMap(each => [each, newline])))
      part.count(block.length)
      onRows()
      // The driver reads further rows in this thread, which has to hear of an interrupt.
      await setImmediate()
      context.signal.throwIfAborted()
    }
  }

  async close(): Promise<void> {
    this.#opened?.close()
    this.#opened = undefined
  }

  #block(rows: Iterator<readonly unknown[]>): Promise<Uint8Array[]> {
    return this.#ask(async () => {
      const lines: Uint8Array[] = []
      while (lines.length < rowsAtOnce) {
        const { value, done } = rows.next()
        if (done === true) break
        lines.push((value as readonly Uint8Array[])[0] ?? new Uint8Array())
      }
      return lines
    })
  }

  /** Returns the kinds of values of columns that are declared without a type, in one pass over the rows. */
  async #kindsOf(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    if (names.length === 0) return new Map()
    const kinds = names.map(name => `group_concat(DISTINCT nullif(typeof(${quote(name)}), 'null'))`)
    const [row = []] = await this.#rows(`SELECT ${kinds.join(', ')} FROM ${this.#relation()}`)
    return new Map(
      names.map((name, index) => [
        name,
        new Set(
          String(row[index] ?? '')
            .split(',')
            .filter(kind => kind !== ''),
        ),
      ]),
    )
  }

  #relation(): string {
    return relationIn(this.#options.ingest, dialect)
  }

  async #rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    return [...(await this.#iterate(sql))]
  }

  #iterate(sql: string): Promise<Iterable<readonly unknown[]>> {
    const { signal } = this.#options.context
    return this.#ask(async db => {
      const statement = (await prepared(db, sql)).raw()
      signal.throwIfAborted()
      return await statement.iterate()
    })
  }

  async #ask<T>(use: (db: Libsql) => Promise<T>): Promise<T> {
    const { signal } = this.#options.context
    signal.throwIfAborted()
    try {
      this.#opened ??= await this.#open()
      return await interruptible(this.#opened, signal, use)
    } catch (error) {
      signal.throwIfAborted()
      throw failureOf(error)
    }
  }

  /** The driver would make a file that is not there. */
  async #open(): Promise<Libsql> {
    const { address, context } = this.#options
    const path = resolve(context.root, sqlitePath(address.text))
    if (!existsSync(path)) {
      throw new DatabaseError('denied', 'cannot be read: there is no such file', {
        hint: "ingest.endpoint is sqlite:/// and an absolute path, or sqlite: and one from the project's root.",
      })
    }
    const opened = new this.#driver(path, { timeout: 0 })
    await opened.exec('PRAGMA query_only = 1')
    return opened
  }
}

/** Halves of halves, because SQLite takes no expression that is a thousand deep, and a row of operators is as deep as it is long. */
function joined(values: readonly string[]): string {
  if (values.length < 2) return values.join('')
  const middle = values.length >> 1
  return `(${joined(values.slice(0, middle))} || ',' || ${joined(values.slice(middle))})`
}

const rowsAtOnce = 2000

function prepared(db: Libsql, sql: string): Promise<Statement> {
  return db.prepare(sql)
}

const interruptEveryMs = 100

/** An interrupt ends only what already runs, and a statement begins in another thread: so it is said until it is heard. */
async function interruptible<T>(
  db: Libsql,
  signal: AbortSignal,
  use: (db: Libsql) => Promise<T>,
): Promise<T> {
  let repeated: NodeJS.Timeout | undefined
  const interrupt = () => {
    db.interrupt()
    repeated = setInterval(() => db.interrupt(), interruptEveryMs)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    return await use(db)
  } finally {
    signal.removeEventListener('abort', interrupt)
    clearInterval(repeated)
  }
}

function isNumber(column: string, columns: readonly DatabaseColumn[]): boolean {
  const type = columns.find(({ name }) => name === column)?.type
  return type?.kind === 'scalar' && numbers.has(type.type)
}

function refuseOther(column: string, columns: readonly DatabaseColumn[]): void {
  if (isNumber(column, columns)) return
  throw new DatabaseError(
    'statement',
    `"${column}" is no column of numbers, and SQLite has no type for times`,
    {
      hint: 'Leave out order and window of ingest.incremental, or choose a cursor of numbers.',
    },
  )
}

const numbers: ReadonlySet<string> = new Set(['BIGINT', 'DOUBLE'])

function fromHex(text: unknown): string {
  return Buffer.from(String(text), 'hex').toString('utf8')
}

function failureOf(error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) {
    return new DatabaseError('unreachable', 'is being written by another program', { cause: error })
  }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new DatabaseError('denied', `cannot be read: ${error.message}`, {
      hint: 'Check that the file is one of SQLite, whole and not encrypted.',
      cause: error,
    })
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)/.test(code) || /Unable to open/.test(error.message)) {
    return new DatabaseError('denied', `cannot be opened: ${error.message}`, {
      hint: 'A file in WAL mode needs a folder that may be written to, for the -shm file beside it.',
      cause: error,
    })
  }
  return new DatabaseError('statement', error.message, {
    hint: 'Check ingest.query, ingest.where and ingest.resource.',
    cause: error,
  })
}
