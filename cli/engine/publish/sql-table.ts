/** What destinations that are SQL tables share: which table, what speaks against it, how it would be made. */
import type { PublishTarget } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type Quote, tableParts } from '../ingest/sql/relation.ts'
import type { Batch, Field, RowOutcome } from './destination.ts'

/** What a database says of a table. */
export interface TableLook {
  /** The columns in the letters of the database. */
  readonly columns: readonly string[]
  /** The columns of each unique index without conditions. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

export function relationOf(resource: string, quote: Quote): string {
  return tableParts(resource).map(quote).join('.')
}

/** Throws `destination-shape` where rows with these fields cannot be told apart or written there. */
export function checkTable(table: TableLook, fields: readonly Field[], shown: string): void {
  const missing = fields.filter(({ name }) => !table.columns.includes(name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `"${name}"`).join(', ')
    throw new SvcError('destination-shape', `${shown} has no column ${names}`, {
      hint: `It has ${table.columns.join(', ')}. Add the column there, or say with publish fields what is sent.`,
    })
  }
  const key = fields.filter(({ isKey }) => isKey).map(({ name }) => name)
  const isKey = (columns: readonly string[]) =>
    columns.length === key.length && columns.every(column => key.includes(column))
  if (table.uniqueKeys.some(isKey)) return
  throw new SvcError('destination-shape', `${shown} has no unique key on ${key.join(', ')}`, {
    hint: 'Rows are recognised by it: make one there (CREATE UNIQUE INDEX), or name other columns in publish key.',
  })
}

/** Returns the statement that makes the table. */
export function createTableSql(
  relation: string,
  fields: readonly Field[],
  quote: Quote,
  typeOf: (field: Field) => string,
): string {
  const columns = fields.map(
    field => `${quote(field.name)} ${typeOf(field)}${field.isKey ? ' NOT NULL' : ''}`,
  )
  const key = fields.filter(({ isKey }) => isKey).map(({ name }) => quote(name))
  return `CREATE TABLE ${relation} (${columns.join(', ')}, PRIMARY KEY (${key.join(', ')}))`
}

export function keyOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ isKey }) => isKey)
}

export function othersOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ isKey }) => !isKey)
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
