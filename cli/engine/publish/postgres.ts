/**
 * A table of PostgreSQL: each batch is one transaction, in which the rows come by COPY into a table of the session
 * and go from there into the target by its unique key. So a batch that comes twice changes nothing the second time.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connectionString } from '../ingest/sql/postgres-address.ts'
import { failureOf } from '../ingest/sql/postgres-failures.ts'
import { quoteWith } from '../ingest/sql/relation.ts'
import { databasePlace } from './database-place.ts'
import {
  type Batch,
  type DestinationRequest,
  type Field,
  type OpenDestination,
  type Prepared,
  Refused,
  type RowOutcome,
} from './destination.ts'
import { jsonTexts } from './row-text.ts'
import { judged } from './sql-failures.ts'
import {
  checkTable,
  createTableSql,
  keyOf,
  markedAt,
  othersOf,
  outcomeOfUpdate,
  relationOf,
  type TableLook,
} from './sql-table.ts'

export function openPostgresTable(request: DestinationRequest): OpenDestination {
  return new PostgresTable(request)
}

const quote = quoteWith('"')
const stage = quote('svc_publish_stage')
const keys = quote('svc_publish_keys')
const rowNumber = quote('svc_row')
const settings = "SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'; SET client_min_messages TO warning"

class PostgresTable implements OpenDestination {
  readonly isIdempotent = true
  readonly shown: string
  readonly place: string
  readonly #request: DestinationRequest
  readonly #address
  readonly #relation: string
  #fields: readonly Field[] = []
  #client: pg.Client | undefined
  /** Whether nobody but svc has written into the table, which it has just made. */
  #isFresh = false

  constructor(request: DestinationRequest) {
    this.#request = request
    const { address, shown, place } = databasePlace(request)
    this.#address = address
    this.shown = shown
    this.place = place
    this.#relation = relationOf(request.target.resource, quote)
  }

  textOf(sql: string, type: string): string {
    if (type === 'BLOB') return `'\\x' || lower(hex(${sql}))`
    return /[\])]$|^(STRUCT|MAP|JSON)/.test(type) && !type.startsWith('DECIMAL')
      ? `CAST(to_json(${sql}) AS VARCHAR)`
      : `CAST(${sql} AS VARCHAR)`
  }

  async prepare(fields: readonly Field[], how: 'check' | 'create'): Promise<Prepared> {
    this.#fields = fields
    const table = await this.#look()
    if (table !== undefined) checkTable(table, fields, this.shown)
    else if (how === 'create') {
      const sql = createTableSql(this.#relation, fields, quote, ({ type }) => postgresType(type))
      await this.#asking(client => client.query(sql))
      this.#isFresh = true
    }
    return { creates: table === undefined }
  }

  send(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    return batch.operation === 'delete' ? this.#delete(batch) : this.#write(batch)
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  async #look(): Promise<TableLook | undefined> {
    const { rows } = await this.#asking(client =>
      client.query<{ columns: string[]; uniques: string[][] | null }>(lookSql, [this.#relation]),
    )
    const [found] = rows
    return found === undefined ? undefined : { columns: found.columns, uniqueKeys: found.uniques ?? [] }
  }

  /** The session's own tables are there for as long as it is. */
  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client
    const { target, signal } = this.#request
    signal.throwIfAborted()
    const client = new pg.Client({
      connectionString: connectionString(this.#address.text, this.#address.password),
      connectionTimeoutMillis: target.limits.timeoutMs,
      query_timeout: target.limits.timeoutMs,
      application_name: 'svc publish',
      keepAlive: true,
    })
    client.on('error', () => {
      this.#client = undefined
    })
    await client.connect()
    await client.query(settings)
    this.#client = client
    return client
  }

  async #asking<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#connected())
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? '')
      // A connection in doubt is not used again.
      if (!/^(22|23)/.test(code)) await this.close()
      throw judged({
        explained: failureOf(error),
        isOfRows: /^(22|23)/.test(code),
        isPassing: /^40|^55P03/.test(code),
        shown: this.shown,
      })
    }
  }

  #inTransaction(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    return this.#asking(async client => {
      await client.query('BEGIN')
      try {
        await work(client)
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  }

  /** In mode update, a row that is not there is refused. */
  async #write(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    const { mode } = this.#request.target
    const names = this.#fields.map(({ name }) => quote(name))
    if (mode !== 'update') return this.#insert(batch, names)
    const { rows } = batch
    const found = new Set<number>()
    await this.#inTransaction(async client => {
      const empty = `SELECT ${names.join(', ')}, 0 AS ${rowNumber} FROM ${this.#relation} WITH NO DATA`
      await client.query(`CREATE TEMP TABLE IF NOT EXISTS ${stage} ON COMMIT DELETE ROWS AS ${empty}`)
      const lines = rows.map(({ payload }, index) => `${payload}\t${index}\n`).join('')
      await copy(client, stage, [...names, rowNumber], lines)
      for (const row of await this.#update(client)) found.add(row)
    })
    return rows.map((_, index) => outcomeOfUpdate(found.has(index)))
  }

  async #insert(batch: Batch, names: readonly string[]): Promise<undefined> {
    const lines = batch.payloads ?? batch.rows.map(({ payload }) => `${payload}\n`).join('')
    if (this.#isFresh && (await this.#copied(lines, names))) return undefined
    await this.#inTransaction(async client => {
      const empty = `SELECT ${names.join(', ')} FROM ${this.#relation} WITH NO DATA`
      await client.query(`CREATE TEMP TABLE IF NOT EXISTS ${stage} ON COMMIT DELETE ROWS AS ${empty}`)
      await copy(client, stage, names, lines)
      await client.query(this.#insertSql(names))
    })
    return undefined
  }

  /** The first rows of a new table need no detour. What does not go in at once goes the usual way from then on. */
  async #copied(lines: Lines, names: readonly string[]): Promise<boolean> {
    try {
      await this.#asking(client => copy(client, this.#relation, names, lines))
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#isFresh = false
      return false
    }
  }

  #insertSql(names: readonly string[]): string {
    const key = keyOf(this.#fields).map(({ name }) => quote(name))
    const others = othersOf(this.#fields).map(({ name }) => quote(name))
    const isInsert = this.#request.target.mode === 'insert' || others.length === 0
    const then = isInsert
      ? 'DO NOTHING'
      : `DO UPDATE SET ${others.map(name => `${name} = excluded.${name}`).join(', ')}`
    return `INSERT INTO ${this.#relation} (${names.join(', ')}) SELECT ${names.join(', ')} FROM ${stage} ON CONFLICT (${key.join(', ')}) ${then}`
  }

  /** Returns the numbers of the rows that are there. */
  async #update(client: pg.Client): Promise<readonly number[]> {
    const key = keyOf(this.#fields).map(({ name }) => quote(name))
    const others = othersOf(this.#fields).map(({ name }) => quote(name))
    const same = key.map(name => `target.${name} = stage.${name}`).join(' AND ')
    const set = (others.length === 0 ? key : others).map(name => `${name} = stage.${name}`).join(', ')
    const { rows } = await client.query<{ row: number }>(
      `UPDATE ${this.#relation} AS target SET ${set} FROM ${stage} AS stage WHERE ${same} RETURNING stage.${rowNumber} AS row`,
    )
    return rows.map(({ row }) => row)
  }

  /** Deletes the rows, or writes into them when they have gone. */
  async #delete(batch: Batch): Promise<undefined> {
    const { rows } = batch
    const { target } = this.#request
    const at = markedAt(target, batch)
    const key = keyOf(this.#fields).map(({ name }) => quote(name))
    const same = key.map(name => `target.${name} = gone.${name}`).join(' AND ')
    await this.#inTransaction(async client => {
      const empty = `SELECT ${key.join(', ')} FROM ${this.#relation} WITH NO DATA`
      await client.query(`CREATE TEMP TABLE IF NOT EXISTS ${keys} ON COMMIT DELETE ROWS AS ${empty}`)
      await copy(
        client,
        keys,
        key,
        rows.map(row => `${jsonTexts(row.key).map(escaped).join('\t')}\n`).join(''),
      )
      if (at === undefined)
        await client.query(`DELETE FROM ${this.#relation} AS target USING ${keys} AS gone WHERE ${same}`)
      else {
        const set = `${quote(target.mark)} = $1`
        await client.query(
          `UPDATE ${this.#relation} AS target SET ${set} FROM ${keys} AS gone WHERE ${same}`,
          [at],
        )
      }
    })
    return undefined
  }
}

/** Lines as COPY reads them, each with its line feed. */
type Lines = string | Uint8Array

/** COPY reads no escape but those that the lines have. */
async function copy(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  lines: Lines,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`))
  await pipeline(Readable.from([lines], { objectMode: false }), stream)
}

function escaped(text: string | null): string {
  if (text === null) return '\\N'
  const letters: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
  return text.replace(/[\\\t\n\r]/g, letter => letters[letter] ?? letter)
}

/** Returns the type of PostgreSQL that keeps the values of a type of the warehouse. */
function postgresType(type: string): string {
  const known: Readonly<Record<string, string>> = {
    ...{
      BOOLEAN: 'boolean',
      TINYINT: 'smallint',
      SMALLINT: 'smallint',
      INTEGER: 'integer',
      BIGINT: 'bigint',
    },
    ...{ UTINYINT: 'smallint', USMALLINT: 'integer', UINTEGER: 'bigint', UBIGINT: 'numeric(20)' },
    ...{ FLOAT: 'real', DOUBLE: 'double precision', DATE: 'date', TIME: 'time', BLOB: 'bytea' },
    ...{ 'TIMESTAMP WITH TIME ZONE': 'timestamptz', JSON: 'jsonb' },
  }
  if (type.startsWith('DECIMAL')) return type.toLowerCase()
  if (type.startsWith('TIMESTAMP') && known[type] === undefined) return 'timestamp'
  if (/[\])]$|^(STRUCT|MAP)/.test(type)) return 'jsonb'
  return known[type] ?? 'text'
}

const lookSql = `SELECT
    (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (SELECT json_agg((SELECT json_agg(a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey)))
      FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL) AS uniques
  FROM pg_class c WHERE c.oid = to_regclass($1)`
