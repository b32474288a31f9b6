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
import {
  type Batch,
  type DestinationRequest,
  type Field,
  Refused,
  type RowOutcome,
  type Unheld,
} from './destination.ts'
import { documentText, hasJson, isNested } from './json-sql.ts'
import { jsonTexts } from './row-text.ts'
import { judged } from './sql-failures.ts'
import { outcomeOfUpdate, own, repeatedKeys, SqlTable, type TableLook } from './sql-table.ts'

export function openPostgresTable(request: DestinationRequest): SqlTable<pg.Client> {
  return new PostgresTable(request, quote)
}

const quote = quoteWith('"')
const stage = own.publish_stage
const keys = own.publish_keys
const settings = "SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'; SET client_min_messages TO warning"

class PostgresTable extends SqlTable<pg.Client> {
  #client: pg.Client | undefined
  /** Whether nobody but svc has written into the table, which it has just made. */
  #isFresh = false

  textOf(sql: string, type: string): string {
    if (type === 'BLOB') return `'\\x' || lower(hex(${sql}))`
    return isNested(type) || hasJson(type) ? documentText(sql, type) : `CAST(${sql} AS VARCHAR)`
  }

  unheld(sql: string, type: string): Unheld | undefined {
    return repeatedKeys(sql, type, 'PostgreSQL')
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  protected override async create(): Promise<void> {
    await super.create()
    this.#isFresh = true
  }

  protected typeOf({ type }: Field): string {
    return postgresType(type)
  }

  protected async look(): Promise<TableLook | undefined> {
    const { rows } = await this.asking(client =>
      client.query<{ identity: string; columns: string[]; uniques: string[][] | null }>(lookSql, [
        this.relation,
      ]),
    )
    const [found] = rows
    if (found === undefined) return undefined
    const { identity, columns, uniques } = found
    return { identity, columns, uniqueKeys: uniques ?? [] }
  }

  protected override async takenColumns(): Promise<ReadonlySet<string>> {
    const { rows } = await this.asking(client => client.query<{ name: string }>(takenSql))
    return new Set(rows.map(({ name }) => name))
  }

  /** The session's own tables are there for as long as it is. */
  protected async connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client
    const { target, signal } = this.request
    signal.throwIfAborted()
    const client = new pg.Client({
      connectionString: connectionString(this.address.text, this.address.password),
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

  protected run(client: pg.Client, sql: string): Promise<unknown> {
    return client.query(sql)
  }

  protected async judged(error: unknown): Promise<unknown> {
    const code = String((error as { code?: unknown }).code ?? '')
    const isOfRows = /^(22|23)/.test(code)
    // A connection in doubt is not used again.
    if (!isOfRows) await this.close()
    const isPassing = /^40|^55P03/.test(code)
    return judged({ explained: failureOf(error), isOfRows, isPassing, shown: this.shown })
  }

  /** In mode update, a row that is not there is refused. */
  protected async write(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    if (this.request.target.mode !== 'update') return this.#insert(batch)
    const { rows } = batch
    const found = await this.inTransaction(async client => {
      await this.#makeTable(client, stage, [...this.names, `0 AS ${own.row}`])
      const lines = rows.map(({ payload }, index) => `${payload}\t${index}\n`).join('')
      await copy(client, stage, [...this.names, own.row], lines)
      return this.#update(client)
    })
    return rows.map((_, index) => outcomeOfUpdate(found.has(index)))
  }

  async #insert(batch: Batch): Promise<undefined> {
    const { names } = this
    const lines = batch.payloads ?? batch.rows.map(({ payload }) => `${payload}\n`).join('')
    if (this.#isFresh && (await this.#copied(lines))) return undefined
    await this.inTransaction(async client => {
      await this.#makeTable(client, stage, names)
      await copy(client, stage, names, lines)
      await client.query(this.insertSql(stage))
    })
    return undefined
  }

  /** The first rows of a new table need no detour. What does not go in at once goes the usual way from then on. */
  async #copied(lines: Lines): Promise<boolean> {
    try {
      await this.asking(client => copy(client, this.relation, this.names, lines))
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#isFresh = false
      return false
    }
  }

  /** Makes a table of the session with columns of the target, which is empty in each transaction. */
  async #makeTable(client: pg.Client, table: string, columns: readonly string[]): Promise<void> {
    const empty = `SELECT ${columns.join(', ')} FROM ${this.relation} WITH NO DATA`
    await client.query(`CREATE TEMP TABLE IF NOT EXISTS ${table} ON COMMIT DELETE ROWS AS ${empty}`)
  }

  /** Returns the numbers of the rows that are there. */
  async #update(client: pg.Client): Promise<ReadonlySet<number>> {
    const written = this.others.length === 0 ? this.key : this.others
    const set = written.map(name => `${name} = ${own.stage}.${name}`).join(', ')
    const { rows } = await client.query<Readonly<Record<string, number>>>(
      `UPDATE ${this.relation} AS ${own.target} SET ${set} FROM ${stage} AS ${own.stage} WHERE ${this.sameKey(own.stage)} RETURNING ${own.stage}.${own.row}`,
    )
    return new Set(rows.map(row => Number(row[own.row])))
  }

  protected async remove({ rows }: Batch, at: string | undefined): Promise<void> {
    await this.inTransaction(async client => {
      await this.#makeTable(client, keys, this.key)
      const lines = rows.map(row => `${jsonTexts(row.key).map(escaped).join('\t')}\n`).join('')
      await copy(client, keys, this.key, lines)
      await client.query(this.removeSql(keys, at))
    })
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
  if (isNested(type)) return 'jsonb'
  if (type.startsWith('DECIMAL')) return type.toLowerCase()
  if (type.startsWith('TIMESTAMP') && known[type] === undefined) return 'timestamp'
  return known[type] ?? 'text'
}

/** Every table has the same ones; their numbers are below 0. */
const takenSql =
  "SELECT attname::text AS name FROM pg_attribute WHERE attrelid = 'pg_catalog.pg_class'::regclass AND attnum < 0"

const lookSql = `SELECT c.oid::text AS identity,
    (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (SELECT json_agg((SELECT json_agg(a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey)))
      FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL) AS uniques
  FROM pg_class c WHERE c.oid = to_regclass($1)`
