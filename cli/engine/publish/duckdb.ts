/** A table in a DuckDB file, attached to a database in memory while rows are sent; each batch is one transaction. */
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type LocalReader, openLocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import { SvcError } from '../errors.ts'
import { tableParts } from '../ingest/sql/relation.ts'
import { canonicalPath, instances } from '../warehouse/duckdb/open-instances.ts'
import { databasePlace } from './database-place.ts'
import {
  type Batch,
  type DestinationRequest,
  type Field,
  type OpenDestination,
  Passing,
  type Prepared,
  Refused,
  type RowOutcome,
} from './destination.ts'
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

export function openDuckdbTable(request: DestinationRequest): OpenDestination {
  return new DuckdbTable(request)
}

const attached = 'svc_destination'

class DuckdbTable implements OpenDestination {
  readonly isIdempotent = true
  readonly shown: string
  readonly place: string
  readonly #request: DestinationRequest
  readonly #path: string
  #fields: readonly Field[] = []
  #local: LocalReader | undefined

  constructor(request: DestinationRequest) {
    this.#request = request
    const { address, shown, place } = databasePlace(request)
    this.shown = shown
    this.place = place
    this.#path = resolve(request.root, address.text.replace(/^duckdb:(\/\/(?=[/.]))?/i, ''))
  }

  async prepare(fields: readonly Field[], how: 'check' | 'create'): Promise<Prepared> {
    this.#fields = fields
    // Attaching would make the file.
    if (how === 'check' && !existsSync(this.#path)) return { creates: true }
    const table = await this.#asking(local => this.#look(local))
    if (table !== undefined) checkTable(table, fields, this.shown)
    else if (how === 'create') {
      const [, schema] = [...tableParts(this.#request.target.resource)].reverse()
      const sql = createTableSql(this.#relation(), fields, quoteName, ({ type }) => type)
      await this.#asking(async local => {
        if (schema !== undefined) await local.rows(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`)
        await local.rows(sql)
      })
    }
    return { creates: table === undefined }
  }

  async send(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    const { operation, payloads } = batch
    const isDelete = operation === 'delete'
    const at = isDelete ? markedAt(this.#request.target, batch) : undefined
    const path = join(this.#request.folder, 'batch.ndjson')
    const lines = () => batch.rows.map(({ key, payload }) => `${isDelete ? key : payload}\n`).join('')
    writeFileSync(path, payloads ?? lines(), { mode: 0o600 })
    const fields = isDelete ? keyOf(this.#fields) : this.#fields
    const from = `read_json(${quoteLiteral(path)}, format = 'newline_delimited', columns = ${shapeOf(fields)})`
    return this.#inTransaction(async local => {
      if (isDelete) await local.rows(this.#deleteSql(from, at))
      else if (this.#request.target.mode === 'update') return this.#update(local, from, batch.rows)
      else await local.rows(this.#insertSql(from))
      return undefined
    })
  }

  async close(): Promise<void> {
    const local = this.#local
    this.#local = undefined
    if (local === undefined) return
    await local.rows('USE memory').then(
      () => local.rows(`DETACH ${attached}`),
      () => undefined,
    )
    local.close()
  }

  #relation(): string {
    return relationOf(this.#request.target.resource, quoteName)
  }

  async #look(local: LocalReader): Promise<TableLook | undefined> {
    const [table = '', schema = 'main'] = [...tableParts(this.#request.target.resource)].reverse()
    const where = `database_name = ${quoteLiteral(attached)} AND schema_name = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(table)}`
    const columns = await local.rows(
      `SELECT column_name AS name FROM duckdb_columns() WHERE ${where} ORDER BY column_index`,
    )
    if (columns.length === 0) return undefined
    const keys = await local.rows(
      `SELECT to_json(constraint_column_names)::VARCHAR AS names FROM duckdb_constraints()
       WHERE ${where} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')`,
    )
    return {
      columns: columns.map(({ name }) => String(name)),
      uniqueKeys: keys.map(({ names }) => JSON.parse(String(names)) as string[]),
    }
  }

  #insertSql(from: string): string {
    const names = this.#fields.map(({ name }) => quoteName(name))
    const key = keyOf(this.#fields).map(({ name }) => quoteName(name))
    const others = othersOf(this.#fields).map(({ name }) => quoteName(name))
    const isInsert = this.#request.target.mode === 'insert' || others.length === 0
    const then = isInsert
      ? 'DO NOTHING'
      : `DO UPDATE SET ${others.map(name => `${name} = excluded.${name}`).join(', ')}`
    return `INSERT INTO ${this.#relation()} (${names.join(', ')}) SELECT ${names.join(', ')} FROM ${from} ON CONFLICT (${key.join(', ')}) ${then}`
  }

  /** The casts are those of the target's own columns. */
  async #update(local: LocalReader, from: string, rows: Batch['rows']): Promise<readonly RowOutcome[]> {
    const names = this.#fields.map(({ name }) => quoteName(name)).join(', ')
    const others = othersOf(this.#fields).map(({ name }) => quoteName(name))
    const same = keyOf(this.#fields)
      .map(({ name }) => `target.${quoteName(name)} = batch.${quoteName(name)}`)
      .join(' AND ')
    await local.rows(
      `CREATE OR REPLACE TEMP TABLE svc_batch AS SELECT ${names} FROM ${this.#relation()} LIMIT 0`,
    )
    await local.rows('ALTER TABLE svc_batch ADD COLUMN svc_row BIGINT')
    await local.rows(`INSERT INTO svc_batch SELECT ${names}, row_number() OVER () - 1 FROM ${from}`)
    if (others.length > 0) {
      const set = others.map(name => `${name} = batch.${name}`).join(', ')
      await local.rows(
        `UPDATE ${this.#relation()} AS target SET ${set} FROM svc_batch AS batch WHERE ${same}`,
      )
    }
    const found = await local.rows(
      `SELECT svc_row FROM svc_batch AS batch JOIN ${this.#relation()} AS target ON ${same}`,
    )
    const isThere = new Set(found.map(({ svc_row }) => Number(svc_row)))
    return rows.map((_, index) => outcomeOfUpdate(isThere.has(index)))
  }

  /** Deletes the rows, or writes into them when they have gone. */
  #deleteSql(from: string, at: string | undefined): string {
    const key = keyOf(this.#fields).map(({ name }) => quoteName(name))
    const same = key.map(name => `target.${name} = gone.${name}`).join(' AND ')
    if (at === undefined)
      return `DELETE FROM ${this.#relation()} AS target USING ${from} AS gone WHERE ${same}`
    const set = `${quoteName(this.#request.target.mark)} = ${quoteLiteral(at)}`
    return `UPDATE ${this.#relation()} AS target SET ${set} FROM ${from} AS gone WHERE ${same}`
  }

  async #attached(): Promise<LocalReader> {
    if (this.#local !== undefined) return this.#local
    if (instances.has(canonicalPath(this.#path))) {
      throw new SvcError('destination-shape', `${this.shown} is in the warehouse of this project`, {
        hint: 'Name another file: what is in the warehouse svc run makes.',
      })
    }
    const { folder, signal } = this.#request
    const local = await openLocalReader({ temporaryFolder: folder, attaches: true, signal })
    try {
      await local.rows(`ATTACH ${quoteLiteral(this.#path)} AS ${attached}`)
      await local.rows(`USE ${attached}`)
    } catch (error) {
      local.close()
      throw error
    }
    this.#local = local
    return local
  }

  #inTransaction<T>(work: (local: LocalReader) => Promise<T>): Promise<T> {
    return this.#asking(async local => {
      await local.rows('BEGIN')
      try {
        const result = await work(local)
        await local.rows('COMMIT')
        return result
      } catch (error) {
        await local.rows('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  }

  async #asking<T>(work: (local: LocalReader) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#attached())
    } catch (error) {
      throw judgedError(error, this.shown)
    }
  }
}

function shapeOf(fields: readonly Field[]): string {
  const members = fields.map(({ name, type }) => {
    const read = /\]$|^(STRUCT|MAP|JSON)/.test(type) ? 'JSON' : 'VARCHAR'
    return `${quoteLiteral(name)}: ${quoteLiteral(read)}`
  })
  return `{${members.join(', ')}}`
}

function judgedError(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || error instanceof SvcError) return error
  const message = error.message.split('\n')[0] ?? ''
  if (/Could not set lock/.test(message)) {
    return new Passing('database-unreachable', `${shown} is in use by another program`, {
      hint: 'A DuckDB file has one writer: end the other program.',
      cause: error,
    })
  }
  const said = message.replace(/^[A-Z][A-Za-z ]+ Error: /, '')
  if (/^(Constraint|Conversion|Out of Range|Invalid Input) Error/.test(message)) return new Refused(said)
  if (!/^[A-Z][A-Za-z ]+ Error: /.test(message)) return error
  return new SvcError('database-statement', `${shown}: ${said}`, {
    hint: 'Check publish endpoint, resource and fields.',
    cause: error,
  })
}
