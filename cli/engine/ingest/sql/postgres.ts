/**
 * PostgreSQL as a source: rows come by COPY, in a transaction that sees one moment. With `split`, several
 * connections share its snapshot and copy parts of the table at the same time.
 */
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type Bounds,
  type Database,
  DatabaseError,
  type DatabaseOptions,
  type ReadRows,
  type Span,
  type TableFacts,
} from './database.ts'
import { integerRanges, partsTogether, type RangeOf } from './parts.ts'
import { connectionString } from './postgres-address.ts'
import { failureOf } from './postgres-failures.ts'
import { columnsOf, type FieldType } from './postgres-types.ts'
import {
  type Dialect,
  quoteWith,
  relationIn,
  resourceOf,
  selectOf,
  spanOf,
  spanSql,
  tableParts,
} from './relation.ts'
import { factsOf } from './table-facts.ts'

export function openPostgres(options: DatabaseOptions): Database {
  return new Postgres(options)
}

const quote = quoteWith('"')
const dialect: Dialect = { quote, textOf: value => `${value}::text` }
const beginSql = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** How every connection writes values, and that unchanged tables come in an unchanged order. */
const settings = [
  "SET TIME ZONE 'UTC'",
  "SET DateStyle TO 'ISO, YMD'",
  "SET IntervalStyle TO 'postgres'",
  "SET bytea_output TO 'hex'",
  'SET extra_float_digits TO 1',
  'SET synchronize_seqscans TO off',
].join('; ')

class Postgres implements Database {
  readonly #options: DatabaseOptions
  readonly #clients: pg.Client[] = []
  readonly #copying = new Set<pg.Client>()
  readonly #cancelling: Promise<void>[] = []
  readonly #onAbort = () => this.#cut()
  #first: Promise<pg.Client> | undefined

  constructor(options: DatabaseOptions) {
    this.#options = options
    options.context.signal.addEventListener('abort', this.#onAbort)
  }

  async columns() {
    const client = await this.#snapshot()
    return this.#asking(async () => {
      const { fields } = await client.query(`SELECT * FROM ${this.#relation()} LIMIT 0`)
      return columnsOf(fields, types => client.query<FieldType>(types.text, types.values), quote)
    })
  }

  async tables() {
    const client = await this.#snapshot()
    return this.#asking(async () => {
      const { rows } = await client.query<{ schema: string; name: string }>(tablesSql)
      return rows.map(({ schema, name }) => resourceOf([schema, name]))
    })
  }

  async facts(table: string): Promise<TableFacts> {
    const client = await this.#snapshot()
    return this.#asking(async () => {
      const { rows } = await client.query<PostgresFact>(factsSql, [tableParts(table).map(quote).join('.')])
      const columns = rows.map(row => ({ ...row, isRequired: row.required, keyPlace: row.place }))
      return factsOf(columns, rows[0]?.table_description)
    })
  }

  async span(bounds: Bounds): Promise<Span | undefined> {
    const client = await this.#snapshot()
    const sql = spanSql(this.#options.ingest, bounds, dialect)
    return this.#asking(async () => spanOf((await client.query<Record<string, unknown>>(sql)).rows[0]))
  }

  async read(rows: ReadRows): Promise<void> {
    const { parts = 1 } = this.#options.ingest.split ?? {}
    const first = await this.#snapshot()
    if (parts === 1) return this.#copy(first, rows.part ?? 0, undefined, rows)
    const ranges = await this.#asking(() => this.#ranges(first, parts))
    const exported = await first.query<{ id: string }>('SELECT pg_export_snapshot() AS id')
    const id = exported.rows[0]?.id ?? ''
    await partsTogether(
      ranges,
      async (range, index) => {
        const client =
          index === 0 ? first : await this.#connect(`${beginSql}; SET TRANSACTION SNAPSHOT '${id}'`)
        await this.#copy(client, index, range, rows)
      },
      () => this.#cut(),
    )
  }

  async close(): Promise<void> {
    this.#options.context.signal.removeEventListener('abort', this.#onAbort)
    this.#cut()
    await Promise.all(this.#cancelling)
    await Promise.all(this.#clients.map(client => client.end().catch(() => undefined)))
  }

  #relation(): string {
    return relationIn(this.#options.ingest, dialect)
  }

  /** The connection whose transaction decides which moment is read. */
  #snapshot(): Promise<pg.Client> {
    this.#first ??= this.#connect(beginSql)
    return this.#first
  }

  async #connect(begin: string): Promise<pg.Client> {
    const { address, context, ingest } = this.#options
    context.signal.throwIfAborted()
    const client = new pg.Client({
      connectionString: connectionString(address.text, address.password),
      connectionTimeoutMillis: ingest.limits.timeoutMs,
      application_name: 'svc',
      keepAlive: true,
    })
    // A connection that breaks while nothing is asked has no other way to say so; the next question fails.
    client.on('error', () => undefined)
    this.#clients.push(client)
    return this.#asking(async () => {
      await client.connect()
      await client.query(settings)
      await client.query(begin)
      return client
    })
  }

  async #copy(client: pg.Client, index: number, range: string | undefined, rows: ReadRows): Promise<void> {
    const part = rows.spool.part(index)
    const select = selectOf(rows.columns, this.#options.ingest, { ...rows, range }, dialect)
    await this.#asking(async () => {
      this.#copying.add(client)
      const stream = client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT csv)`))
      for await (const chunk of stream) {
        part.write(chunk as Buffer)
        rows.onRows()
      }
      this.#copying.delete(client)
      part.count(stream.rowCount)
    })
  }

  /** Returns a condition for each part: ranges of a column, or of the places of the rows in the table. */
  async #ranges(client: pg.Client, parts: number): Promise<readonly string[]> {
    const { split, resource } = this.#options.ingest
    const ask: RangeOf = async sql => (await client.query<Record<string, string | null>>(sql)).rows[0]
    if (split?.by !== undefined) return integerRanges(ask, quote(split.by), this.#relation(), parts)
    const table = resource === undefined ? undefined : tableParts(resource).map(quote).join('.')
    const found = table === undefined ? undefined : await ask(pagesSql(table))
    if (found?.['kind'] === 'r' || found?.['kind'] === 'm') return placeRanges(Number(found['pages']), parts)
    throw new DatabaseError('statement', 'only a table is split without a column', {
      hint: 'Name a column of whole numbers in ingest.split.by.',
    })
  }

  async #asking<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** Ends what runs at the server, and then the connections, without waiting. */
  #cut(): void {
    for (const client of this.#copying) {
      this.#copying.delete(client)
      const { processID } = client as pg.Client & { readonly processID?: number }
      if (processID !== undefined) this.#cancelling.push(this.#cancel(processID))
      const { stream } = (
        client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
      ).connection
      stream.destroy()
    }
  }

  /** A server notices only at its next row that nobody listens, which may take long. */
  async #cancel(processId: number): Promise<void> {
    const { address } = this.#options
    const client = new pg.Client({
      connectionString: connectionString(address.text, address.password),
      connectionTimeoutMillis: cancelMs,
      query_timeout: cancelMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT pg_cancel_backend($1)', [processId])
    } catch {
      // A server that cannot be asked has ended the statement, or notices at its next row that nobody listens.
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

const cancelMs = 2000

const tablesSql = `SELECT n.nspname AS schema, c.relname AS name
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  ORDER BY 1, 2`

interface PostgresFact {
  readonly name: string
  readonly required: boolean
  readonly description: string | null
  readonly place: number | null
  readonly table_description: string | null
}

const factsSql = `SELECT a.attname AS name, a.attnotnull AS required, array_position(i.indkey::int2[], a.attnum) AS place,
    col_description(a.attrelid, a.attnum) AS description, obj_description(a.attrelid, 'pg_class') AS table_description
  FROM pg_attribute AS a LEFT JOIN pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attnum`

function pagesSql(table: string): string {
  const name = `'${table.replaceAll("'", "''")}'::regclass`
  return `SELECT c.relkind::text AS kind, pg_relation_size(c.oid) / current_setting('block_size')::bigint AS pages FROM pg_class AS c WHERE c.oid = ${name}`
}

function placeRanges(pages: number, parts: number): readonly string[] {
  const size = Math.max(1, Math.ceil(pages / parts))
  return Array.from({ length: parts }, (_, index) => {
    const from = `ctid >= '(${index * size},0)'::tid`
    return index === parts - 1 ? from : `${from} AND ctid < '(${(index + 1) * size},0)'::tid`
  })
}
