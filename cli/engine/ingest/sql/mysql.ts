/**
 * MySQL and MariaDB as a source. The server itself writes each row as one line of CSV, so that the driver
 * handles one value a row; all statements see the data of one moment.
 */
import mysql, { type Connection, type ConnectionOptions, type FieldPacket, type RowDataPacket } from 'mysql2'
import {
  type Bounds,
  type Database,
  type DatabaseAddress,
  DatabaseError,
  type DatabaseOptions,
  type ReadRows,
  type Span,
  type TableFacts,
} from './database.ts'
import { failureOf } from './mysql-failures.ts'
import { columnOf } from './mysql-types.ts'
import { integerRanges, partsTogether, type RangeOf } from './parts.ts'
import {
  type Dialect,
  literal,
  quoteWith,
  relationIn,
  resourceOf,
  selectOf,
  spanOf,
  spanSql,
  tableParts,
} from './relation.ts'
import { factsOf } from './table-facts.ts'

export function openMysql(options: DatabaseOptions): Database {
  return new Mysql(options)
}

const quote = quoteWith('`')
const dialect: Dialect = { quote, written: withoutZone, textOf: value => `CAST(${value} AS CHAR)` }
const snapshotSql = 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'
/** A slow reader is no reason to end the connection; texts come in UTF-8, times in UTC. */
const settings = [
  'SET NAMES utf8mb4',
  "SET SESSION time_zone = '+00:00'",
  "SET SESSION sql_mode = ''",
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'SET SESSION net_write_timeout = 3600',
]
const newline = Buffer.from('\n')
const cancelMs = 2000

class Mysql implements Database {
  readonly #options: DatabaseOptions
  readonly #connections: Connection[] = []
  /** The connections that wait for rows, each with what ends its waiting: a destroyed one tells nobody. */
  readonly #writing = new Map<Connection, (error: Error) => void>()
  readonly #cancelling: Promise<void>[] = []
  readonly #onAbort = () => this.#cut()
  #first: Promise<Connection> | undefined
  #snapshot: Promise<Connection> | undefined

  constructor(options: DatabaseOptions) {
    this.#options = options
    options.context.signal.addEventListener('abort', this.#onAbort)
  }

  async columns() {
    const connection = await this.#one()
    const { fields } = await ask(connection, `SELECT * FROM ${this.#relation()} LIMIT 0`)
    return fields.map(field => columnOf(field, quote))
  }

  async tables() {
    const { rows } = await ask(await this.#one(), tablesSql)
    return rows.map(({ schema, name }) => resourceOf([String(schema), String(name)]))
  }

  async facts(resource: string): Promise<TableFacts> {
    const connection = await this.#one()
    const [table = '', schema] = [...tableParts(resource)].reverse()
    const { rows } = await ask(connection, factsSql(table, schema))
    const columns = rows.map(row => ({
      name: String(row['name']),
      isRequired: row['nullable'] === 'NO',
      description: text(row['description']),
      keyPlace: row['place'] === null ? null : Number(row['place']),
    }))
    return factsOf(columns, text(rows[0]?.['table_description']))
  }

  async span(bounds: Bounds): Promise<Span | undefined> {
    const { rows } = await ask(await this.#ofNow(), spanSql(this.#options.ingest, bounds, dialect))
    return spanOf(rows[0])
  }

  async read(rows: ReadRows): Promise<void> {
    const { parts = 1, by } = this.#options.ingest.split ?? {}
    if (parts === 1) return this.#write(await this.#ofNow(), rows.part ?? 0, undefined, rows)
    const first = await this.#one()
    if (by === undefined) {
      throw new DatabaseError('statement', 'MySQL splits a table by a column', {
        hint: 'Name a column of whole numbers in ingest.split.by.',
      })
    }
    const range: RangeOf = async sql => (await ask(first, sql)).rows[0] as Record<string, string | null>
    const connections = await this.#ofOneMoment(first, parts)
    const ranges = await integerRanges(range, quote(by), this.#relation(), parts)
    await partsTogether(
      ranges,
      (condition, index) => this.#write(connections[index] as Connection, index, condition, rows),
      () => this.#cut(),
    )
  }

  async close(): Promise<void> {
    this.#options.context.signal.removeEventListener('abort', this.#onAbort)
    this.#cut()
    await Promise.all(this.#cancelling)
  }

  #relation(): string {
    return relationIn(this.#options.ingest, dialect)
  }

  #one(): Promise<Connection> {
    this.#first ??= this.#connect()
    return this.#first
  }

  /** The connection whose transaction sees the moment of its first question. */
  #ofNow(): Promise<Connection> {
    this.#snapshot ??= this.#one().then(async connection => {
      await ask(connection, snapshotSql)
      return connection
    })
    return this.#snapshot
  }

  /** No write comes in between while all tables are locked for reading, which takes as long as the snapshots. */
  async #ofOneMoment(first: Connection, parts: number): Promise<readonly Connection[]> {
    const others = await Promise.all(Array.from({ length: parts - 1 }, () => this.#connect()))
    const lock = await this.#connect()
    await ask(lock, 'FLUSH TABLES WITH READ LOCK')
    const all = [first, ...others]
    await Promise.all(all.map(connection => ask(connection, snapshotSql)))
    await ask(lock, 'UNLOCK TABLES')
    return all
  }

  async #connect(): Promise<Connection> {
    const { context } = this.#options
    context.signal.throwIfAborted()
    const connection = mysql.createConnection(this.#connectionOptions())
    // A connection that breaks while nothing is asked has no other way to say so; the next question fails.
    connection.on('error', () => undefined)
    this.#connections.push(connection)
    await new Promise<void>((resolve, reject) => {
      connection.connect(error => (error === null ? resolve() : reject(failureOf(error))))
    })
    for (const sql of settings) await ask(connection, sql)
    return connection
  }

  #connectionOptions(): ConnectionOptions {
    const { address, ingest } = this.#options
    return {
      ...mysqlConnection(address, ingest.limits.timeoutMs),
      rowsAsArray: true,
      typeCast: field => field.string(),
    }
  }

  #write(connection: Connection, index: number, range: string | undefined, rows: ReadRows): Promise<void> {
    const part = rows.spool.part(index)
    const line = `CONCAT(${rows.columns.map(({ select }) => select).join(", ',', ")})`
    const sql = selectOf([{ select: line }], this.#options.ingest, { ...rows, range }, dialect)
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(failureOf(error))
      this.#writing.set(connection, fail)
      const query = connection.query({ sql, rowsAsArray: true, typeCast: field => field.buffer() })
      const block = new LineBlock((bytes, count) => {
        part.write(bytes)
        part.count(count)
        rows.onRows()
      })
      query.on('result', (row: RowDataPacket) => {
        try {
          block.add(row[0] as Buffer | null)
        } catch (error) {
          connection.destroy()
          fail(error)
        }
      })
      query.on('error', fail)
      query.on('end', () => {
        try {
          this.#writing.delete(connection)
          block.flush()
          resolve()
        } catch (error) {
          fail(error)
        }
      })
      connection.once('error', fail)
    })
  }

  /** Ends what runs at the server, and the connections, without waiting. */
  #cut(): void {
    for (const [connection, fail] of this.#writing) {
      this.#cancelling.push(this.#cancel(connection.threadId))
      fail(new Error('the connection was ended'))
    }
    this.#writing.clear()
    for (const connection of this.#connections.splice(0)) connection.destroy()
  }

  /** A server notices only at its next row that nobody listens, which may take long. */
  #cancel(threadId: number): Promise<void> {
    const connection = mysql.createConnection({ ...this.#connectionOptions(), connectTimeout: cancelMs })
    return new Promise(resolve => {
      const end = () => {
        connection.destroy()
        resolve()
      }
      connection.on('error', end)
      // A server that does not answer has ended the statement, or is not to be asked any more.
      connection.query({ sql: `KILL QUERY ${threadId}`, timeout: cancelMs }, end)
    })
  }
}

/** What an address says about its server, as the driver takes it. */
export function mysqlConnection(
  address: Pick<DatabaseAddress, 'text' | 'password'>,
  timeoutMs: number,
): ConnectionOptions {
  const url = new URL(address.text)
  const mode = url.searchParams.get('ssl-mode') ?? url.searchParams.get('sslmode')
  const password = address.password ?? decodeURIComponent(url.password)
  const socketPath = url.searchParams.get('socket')
  return {
    ...(socketPath === null ? { host: url.hostname, port: Number(url.port || 3306) } : { socketPath }),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(password !== '' && { password }),
    ...tlsOf(mode),
    connectTimeout: timeoutMs,
    enableKeepAlive: true,
    charset: 'utf8mb4',
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const tablesSql = `SELECT table_schema AS \`schema\`, table_name AS name FROM information_schema.tables
  WHERE table_schema = COALESCE(DATABASE(), table_schema)
    AND table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
  ORDER BY 1, 2`

function factsSql(table: string, schema: string | undefined): string {
  const place = schema === undefined ? 'DATABASE()' : mysql.escape(schema)
  return `SELECT c.column_name AS name, c.is_nullable AS nullable, c.column_comment AS description, s.seq_in_index AS place,
      t.table_comment AS table_description
    FROM information_schema.columns AS c
    JOIN information_schema.tables AS t USING (table_schema, table_name)
    LEFT JOIN information_schema.statistics AS s
      ON s.table_schema = c.table_schema AND s.table_name = c.table_name AND s.column_name = c.column_name
      AND s.index_name = 'PRIMARY'
    WHERE c.table_schema = ${place} AND c.table_name = ${mysql.escape(table)}
    ORDER BY c.ordinal_position`
}

const blockSize = 1 << 18

/** Collects lines, so that a file is written in blocks. */
class LineBlock {
  readonly #write: (bytes: Buffer, count: number) => void
  #lines: Buffer[] = []
  #size = 0

  constructor(write: (bytes: Buffer, count: number) => void) {
    this.#write = write
  }

  add(line: Buffer | null): void {
    if (line === null) {
      throw new DatabaseError('statement', 'a row is longer than the server sends at once', {
        hint: 'Raise max_allowed_packet of the server, or leave out the long column with ingest.exclude.',
      })
    }
    this.#lines.push(line, newline)
    this.#size += line.length + 1
    if (this.#size >= blockSize) this.flush()
  }

  flush(): void {
    if (this.#lines.length === 0) return
    this.#write(Buffer.concat(this.#lines, this.#size), this.#lines.length / 2)
    this.#lines = []
    this.#size = 0
  }
}

interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly fields: readonly FieldPacket[]
}

function ask(connection: Connection, sql: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>({ sql, rowsAsArray: false }, (error, rows, fields) => {
      if (error === null) resolve({ rows, fields: fields ?? [] })
      else reject(failureOf(error))
    })
  })
}

/** The modes of MySQL and of PostgreSQL: whoever asks for a checked server gets one. */
function tlsOf(mode: string | null): Pick<ConnectionOptions, 'ssl'> {
  const name = mode?.toLowerCase().replaceAll('_', '-') ?? ''
  if (['', 'disable', 'disabled', 'prefer', 'preferred', 'allow'].includes(name)) return {}
  return { ssl: { rejectUnauthorized: name.startsWith('verify') } }
}

/** Times are read in UTC, and MariaDB takes none with an offset. */
function withoutZone(text: string): string {
  return literal(text.replace(/(\d)[+-]00(:00)?$/, '$1'))
}
