/** A table in a DuckDB file, attached to a database in memory while rows are sent; each batch is one transaction. */
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { jsonFrom, type LocalReader, openLocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import { internalName } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { tableParts } from '../ingest/sql/relation.ts'
import { canonicalPath, instances } from '../warehouse/duckdb/open-instances.ts'
import {
  type Batch,
  type DestinationRequest,
  type Field,
  Passing,
  Refused,
  type RowOutcome,
} from './destination.ts'
import { exactInJson, hasJson, isNested, isTextInJson } from './json-sql.ts'
import { identityIn, keyOf, markOf, outcomeOfUpdate, own, SqlTable, type TableLook } from './sql-table.ts'

export function openDuckdbTable(request: DestinationRequest): SqlTable<LocalReader> {
  return new DuckdbTable(request, quoteName)
}

const attached = internalName('destination')
/** A table of the session, which a table of the target cannot hide. */
const stage = `temp.${own.publish_stage}`

class DuckdbTable extends SqlTable<LocalReader> {
  readonly roundsJson = true
  readonly #path = resolve(this.request.root, this.address.text.replace(/^duckdb:(\/\/(?=[/.]))?/i, ''))
  #local: LocalReader | undefined

  /** A schema may be called as a database that is attached: `memory`, `temp`, `system`. */
  protected override named(parts: readonly string[]): string {
    const [table = '', schema = 'main'] = [...parts].reverse()
    return [attached, schema, table].map(this.quote).join('.')
  }

  protected override async create(): Promise<void> {
    const [, schema] = [...tableParts(this.request.target.resource)].reverse()
    if (schema !== undefined)
      await this.asking(local => local.rows(`CREATE SCHEMA IF NOT EXISTS ${attached}.${quoteName(schema)}`))
    await super.create()
    const comment = quoteLiteral(markOf(this.request.now()))
    await this.asking(local => local.rows(`COMMENT ON TABLE ${this.relation} IS ${comment}`))
  }

  protected typeOf({ type }: Field): string {
    return type
  }

  protected write(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    const lines = () => batch.rows.map(({ payload }) => `${payload}\n`).join('')
    const from = this.#written(batch.payloads ?? lines(), this.fields)
    return this.inTransaction(async local => {
      if (this.request.target.mode === 'update') return this.#update(local, from, batch.rows)
      await local.rows(this.insertSql(from))
      return undefined
    })
  }

  protected async remove({ rows }: Batch, at: string | undefined): Promise<void> {
    const from = this.#written(rows.map(({ key }) => `${key}\n`).join(''), keyOf(this.fields))
    await this.inTransaction(local => local.rows(this.removeSql(from, at)))
  }

  /** Returns a FROM clause with the rows of a batch, by way of a file. */
  #written(lines: string | Uint8Array, fields: readonly Field[]): string {
    const path = join(this.request.folder, 'batch.ndjson')
    writeFileSync(path, lines, { mode: 0o600 })
    const columns = fields.map(({ name, type }) => [name, readType(type)] as const)
    const read = jsonFrom(quoteLiteral(path), { format: 'newline_delimited', columns })
    const cast = fields
      .filter(({ type }) => hasDocuments(type))
      .map(({ name, type }) => `CAST(${quoteName(name)} AS ${type}) AS ${quoteName(name)}`)
    return cast.length === 0 ? read : `(SELECT * REPLACE (${cast.join(', ')}) FROM ${read})`
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

  protected async look(): Promise<TableLook | undefined> {
    // Attaching would make the file.
    if (!existsSync(this.#path)) return undefined
    const [table = '', schema = 'main'] = [...tableParts(this.request.target.resource)].reverse()
    const where = `database_name = ${quoteLiteral(attached)} AND schema_name = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(table)}`
    return this.asking(async local => {
      const columns = await local.rows(
        `SELECT column_name AS name FROM duckdb_columns() WHERE ${where} ORDER BY column_index`,
      )
      if (columns.length === 0) return undefined
      const keys = await local.rows(
        `SELECT to_json(constraint_column_names)::VARCHAR AS names FROM duckdb_constraints()
         WHERE ${where} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')`,
      )
      const [found] = await local.rows(`SELECT comment FROM duckdb_tables() WHERE ${where}`)
      return {
        identity: identityIn(found?.['comment']),
        columns: columns.map(({ name }) => String(name)),
        uniqueKeys: keys.map(({ names }) => JSON.parse(String(names)) as string[]),
      }
    })
  }

  /** The casts are those of the target's own columns. */
  async #update(local: LocalReader, from: string, rows: Batch['rows']): Promise<readonly RowOutcome[]> {
    const names = this.names.join(', ')
    const same = this.sameKey(own.stage)
    await local.rows(`CREATE OR REPLACE TEMP TABLE ${stage} AS SELECT ${names} FROM ${this.relation} LIMIT 0`)
    await local.rows(`ALTER TABLE ${stage} ADD COLUMN ${own.row} BIGINT`)
    await local.rows(`INSERT INTO ${stage} SELECT ${names}, row_number() OVER () - 1 FROM ${from}`)
    if (this.others.length > 0) {
      const set = this.others.map(name => `${name} = ${own.stage}.${name}`).join(', ')
      await local.rows(
        `UPDATE ${this.relation} AS ${own.target} SET ${set} FROM ${stage} AS ${own.stage} WHERE ${same}`,
      )
    }
    const found = await local.rows(
      `SELECT ${own.row} FROM ${stage} AS ${own.stage} JOIN ${this.relation} AS ${own.target} ON ${same}`,
    )
    const isThere = new Set(found.map(row => Number(row[own.row])))
    return rows.map((_, index) => outcomeOfUpdate(isThere.has(index)))
  }

  protected async connected(): Promise<LocalReader> {
    if (this.#local !== undefined) return this.#local
    if (instances.has(canonicalPath(this.#path))) {
      throw new SvcError('destination-shape', `${this.shown} is in the warehouse of this project`, {
        hint: 'Name another file: what is in the warehouse is made by runs.',
      })
    }
    const { folder, signal } = this.request
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

  protected run(local: LocalReader, sql: string): Promise<unknown> {
    return local.rows(sql)
  }

  protected judged(error: unknown): unknown {
    return judgedError(error, this.shown)
  }
}

function readType(type: string): string {
  if (hasDocuments(type)) return exactInJson(type)
  return isNested(type) && !isTextInJson(type) ? 'JSON' : 'VARCHAR'
}

/** Documents inside of a value are read as texts one by one: to read a list of them at once rounds their numbers. */
function hasDocuments(type: string): boolean {
  return isNested(type) && hasJson(type) && !isTextInJson(type)
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
