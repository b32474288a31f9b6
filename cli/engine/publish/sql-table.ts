/** What destinations that are SQL tables share: which table, what speaks against it, how it would be made and written. */
import { repeatsKeys } from '@svc/server/catalog'
import { internalNames, type PublishTarget } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { DatabaseAddress } from '../ingest/sql/database.ts'
import { literal, type Quote, tableParts } from '../ingest/sql/relation.ts'
import { databasePlace } from './database-place.ts'
import {
  type Batch,
  type DestinationRequest,
  type Field,
  type OpenDestination,
  Passing,
  type Prepared,
  type RowOutcome,
  type Unheld,
} from './destination.ts'
import { documentText, hasJson } from './json-sql.ts'

/** What the SQL of tables calls the target, the rows that come, those that are gone, and the number of a row. */
export const own = internalNames('target', 'stage', 'gone', 'row', 'publish_stage', 'publish_keys')

/** The frame of a destination that is a table: a kind says how it connects, looks and writes. */
export abstract class SqlTable<Connection> implements OpenDestination {
  readonly isIdempotent = true
  readonly shown: string
  readonly place: string
  protected readonly request: DestinationRequest
  protected readonly address: DatabaseAddress
  protected readonly quote: Quote
  protected readonly relation: string
  protected fields: readonly Field[] = []

  constructor(request: DestinationRequest, quote: Quote) {
    const { address, shown, place } = databasePlace(request)
    this.request = request
    this.address = address
    this.shown = shown
    this.place = place
    this.quote = quote
    this.relation = this.named(tableParts(request.target.resource))
  }

  /** Returns the name of the table from its parts, in full where parts alone may mean something else. */
  protected named(parts: readonly string[]): string {
    return parts.map(this.quote).join('.')
  }

  /** Returns the connection, which is made where there is none. */
  protected abstract connected(): Promise<Connection>
  protected abstract run(connection: Connection, sql: string): Promise<unknown>
  /** Returns what to throw for an error of the database. */
  protected abstract judged(error: unknown): unknown
  protected abstract look(): Promise<TableLook | undefined>
  protected abstract typeOf(field: Field): string
  protected abstract write(batch: Batch): Promise<readonly RowOutcome[] | undefined>
  /** Deletes the rows, or writes the time into them when they have gone. */
  protected abstract remove(batch: Batch, at: string | undefined): Promise<void>
  abstract close(): Promise<void>

  async prepare(fields: readonly Field[], how: 'check' | 'create'): Promise<Prepared> {
    this.fields = fields
    refuseTaken(await this.takenColumns(), fields, this.shown)
    const table = await this.look()
    if (table !== undefined) checkTable(table, fields, this.shown)
    else if (how === 'create') await this.create()
    return { creates: table === undefined }
  }

  /** Rows that another table had are not in this one. */
  readonly identity = async (): Promise<string | undefined> => (await this.look())?.identity

  async send(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    try {
      return await this.#sent(batch)
    } catch (error) {
      throw withoutRows(error, batch)
    }
  }

  async #sent(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    if (batch.operation !== 'delete') return this.write(batch)
    await this.remove(batch, markedAt(this.request.target, batch))
    return undefined
  }

  /** Returns the columns that every table there has of itself. */
  protected async takenColumns(): Promise<ReadonlySet<string>> {
    return new Set()
  }

  protected async create(): Promise<void> {
    const columns = this.fields.map(
      field => `${this.quote(field.name)} ${this.typeOf(field)}${field.isKey ? ' NOT NULL' : ''}`,
    )
    const sql = `CREATE TABLE ${this.relation} (${columns.join(', ')}, PRIMARY KEY (${this.key.join(', ')}))${this.tableOptions}`
    await this.asking(connection => this.run(connection, sql))
  }

  /** Follows the columns of a table that svc makes. */
  protected get tableOptions(): string {
    return ''
  }

  protected get names(): readonly string[] {
    return this.fields.map(({ name }) => this.quote(name))
  }

  protected get key(): readonly string[] {
    return keyOf(this.fields).map(({ name }) => this.quote(name))
  }

  protected get others(): readonly string[] {
    return this.fields.filter(({ isKey }) => !isKey).map(({ name }) => this.quote(name))
  }

  /** The condition that a row of the target and one of another table have one key. */
  protected sameKey(other: string): string {
    return this.key.map(name => `${own.target}.${name} = ${other}.${name}`).join(' AND ')
  }

  /** For engines that know ON CONFLICT. */
  protected insertSql(from: string): string {
    const names = this.names.join(', ')
    const isInsert = this.request.target.mode === 'insert' || this.others.length === 0
    const then = isInsert
      ? 'DO NOTHING'
      : `DO UPDATE SET ${this.others.map(name => `${name} = excluded.${name}`).join(', ')}`
    return `INSERT INTO ${this.relation} (${names}) SELECT ${names} FROM ${from} ON CONFLICT (${this.key.join(', ')}) ${then}`
  }

  protected removeSql(from: string, at: string | undefined): string {
    if (at === undefined)
      return `DELETE FROM ${this.relation} AS ${own.target} USING ${from} AS ${own.gone} WHERE ${this.sameKey(own.gone)}`
    const set = `${this.quote(this.request.target.mark)} = ${literal(at)}`
    return `UPDATE ${this.relation} AS ${own.target} SET ${set} FROM ${from} AS ${own.gone} WHERE ${this.sameKey(own.gone)}`
  }

  protected async begin(connection: Connection): Promise<void> {
    await this.run(connection, 'BEGIN')
  }

  protected inTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.asking(async connection => {
      await this.begin(connection)
      try {
        const result = await work(connection)
        await this.run(connection, 'COMMIT')
        return result
      } catch (error) {
        await this.run(connection, 'ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  }

  protected async asking<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(await this.connected())
    } catch (error) {
      throw await this.judged(error)
    }
  }
}

/** A document whose object has a key twice is none of a column of `jsonb`, or of JSON in MySQL: one of the two would go. */
export function repeatedKeys(sql: string, type: string, engine: string): Unheld | undefined {
  if (!hasJson(type)) return undefined
  const reason = `has an object with a key twice, of which ${engine} keeps one`
  return { condition: repeatsKeys(`CAST(${documentText(sql, type)} AS JSON)`), reason }
}

/** What a database says of a table. */
export interface TableLook {
  /** The columns in the letters of the database. */
  readonly columns: readonly string[]
  /** The columns of each unique index without conditions. */
  readonly uniqueKeys: readonly (readonly string[])[]
  /** What tells it from another table of its name; empty where the database has nothing that does. */
  readonly identity: string
}

/** An error of a database may quote a row, also one that stops the publish. */
function withoutRows(error: unknown, { hide }: Batch): unknown {
  if (!(error instanceof Passing) && !(error instanceof SvcError)) return error
  const message = hide(error.message)
  if (message === error.message) return error
  if (error instanceof SvcError) return error.retold(message, { cause: undefined, excerpt: undefined })
  return new Passing(error.code, message, { hint: error.hint, waitMs: error.waitMs })
}

const madeBySvc = 'made by svc publish at '

/** The comment of a table that svc makes where the database itself does not tell it from a later one of its name. */
export function markOf(now: Date): string {
  return `${madeBySvc}${now.toISOString()}`
}

/** A comment of others may change at any time, and says nothing. */
export function identityIn(comment: unknown): string {
  return typeof comment === 'string' && comment.startsWith(madeBySvc) ? comment : ''
}

/** Throws `destination-shape` for a field that no table there can have as a column. */
function refuseTaken(taken: ReadonlySet<string>, fields: readonly Field[], shown: string): void {
  const field = fields.find(({ name }) => taken.has(name))
  if (field === undefined) return
  throw new SvcError(
    'destination-shape',
    `${shown} cannot have a column "${field.name}": every table there has one of that name already`,
    { hint: `Say with publish fields what it is called there: {place: ${field.column}}.` },
  )
}

/** Throws `destination-shape` where rows with these fields cannot be told apart or written there. */
function checkTable(table: TableLook, fields: readonly Field[], shown: string): void {
  const missing = fields.filter(({ name }) => !table.columns.includes(name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `"${name}"`).join(', ')
    throw new SvcError('destination-shape', `${shown} has no column ${names}`, {
      hint: `It has ${table.columns.join(', ')}. Add the column there, or say with publish fields what is sent.`,
    })
  }
  const key = keyOf(fields).map(({ name }) => name)
  const isKey = (columns: readonly string[]) =>
    columns.length === key.length && columns.every(column => key.includes(column))
  if (table.uniqueKeys.some(isKey)) return
  throw new SvcError('destination-shape', `${shown} has no unique key on ${key.join(', ')}`, {
    hint: 'Rows are recognised by it: make one there (CREATE UNIQUE INDEX), or name other columns in publish key.',
  })
}

export function keyOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ isKey }) => isKey)
}

/** Returns the time with which rows that are gone are marked; undefined where they are deleted. */
export function markedAt(
  { onDelete, mark }: Pick<PublishTarget, 'onDelete' | 'mark'>,
  { rows }: Pick<Batch, 'rows'>,
): string | undefined {
  if (onDelete !== 'mark') return undefined
  const gone = JSON.parse(rows[0]?.payload ?? '{}') as Readonly<Record<string, unknown>>
  // What an earlier publish was about to delete is deleted, whatever the target says now.
  return gone[mark] === undefined ? undefined : String(gone[mark])
}

/** In mode update, a row that is not there is refused. */
export function outcomeOfUpdate(isThere: boolean): RowOutcome {
  return isThere ? { taken: true } : { taken: false, reason: 'there is no row with this key' }
}
