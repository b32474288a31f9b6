/**
 * Turns changes of state into SQL of an engine, with the project that they belong to. The SQL has no
 * parameters, so that any number of changes is one round trip. Runs nothing.
 */
import type { JsonValue } from '@svc/server/language'
import type { Condition, Insert, Row, StateChange } from '../../state/changes.ts'
import {
  type OwnedTable,
  type StateTable,
  stateSchema,
  stateTables,
  type Table,
  typeOf,
} from '../../state/tables.ts'
import type { StateDialect } from './state-dialect.ts'

/** Limits the length of one statement; it does not affect the speed. */
const rowsPerStatement = 10_000
/** Up to this number of rows, VALUES is cheaper than reading JSON. */
const rowsAsValues = 4

export interface StateOwner {
  readonly dialect: StateDialect
  readonly project: string
}

export function stateTable(dialect: StateDialect, table: StateTable): string {
  return dialect.relation({ schema: stateSchema, name: table })
}

/** Returns the condition that a row belongs to this project. */
export function ownCondition({ dialect, project }: StateOwner): string {
  return equals(dialect, 'project', project)
}

/** Returns a query for the generation that is live; without a row none is. */
export function generationQuery(owner: StateOwner, environment: string): string {
  const { dialect } = owner
  return `SELECT generation FROM ${stateTable(dialect, 'svc_live')}
    WHERE ${ownCondition(owner)} AND ${equals(dialect, 'environment', environment)}`
}

export function changeStatements(owner: StateOwner, changes: readonly StateChange[]): string[] {
  return changes.flatMap(change => statementsOf(owner, change))
}

function statementsOf(owner: StateOwner, change: StateChange): string[] {
  if (change.kind === 'insert') return insertStatements(owner, change)
  const { dialect } = owner
  const table = stateTable(dialect, change.table)
  return inParts(change.where).map(where => {
    const which = conditionsOf(dialect, ownCondition(owner), change.table, where)
    if (change.kind === 'delete') return `DELETE FROM ${table} WHERE ${which}`
    const values = Object.entries(change.values).map(
      ([column, value]) => `${dialect.identifier(column)} = ${literal(dialect, value)}`,
    )
    return `UPDATE ${table} SET ${values.join(', ')} WHERE ${which}`
  })
}

// ---------------------------------------------------------------- insert

function insertStatements(owner: StateOwner, { table, rows, known, texts }: Insert): string[] {
  const { dialect, project } = owner
  return inChunks(rows).map(chunk => {
    const owned = chunk.map(row => ({ ...row, project }))
    const columns = Object.keys(owned[0] ?? {})
    const list = columns.map(column => dialect.identifier(column)).join(', ')
    // JSON texts are inserted as text, without parsing them.
    const source =
      texts === true ? valuesOf(dialect, columns, owned) : rowsSource(dialect, table, columns, owned)
    return `INSERT INTO ${stateTable(dialect, table)} (${list}) ${source} ${whereKnown(dialect, table, columns, known)}`.trimEnd()
  })
}

function whereKnown(
  { identifier }: StateDialect,
  table: OwnedTable,
  columns: readonly string[],
  known: Insert['known'],
): string {
  if (known === undefined) return ''
  const { key }: Table = stateTables[table]
  if (key === undefined) throw new Error(`${table} has no key`)
  const conflict = `ON CONFLICT (${key.map(identifier).join(', ')})`
  if (known === 'stays') return `${conflict} DO NOTHING`
  const others = columns.filter(column => !key.includes(column)).map(identifier)
  return `${conflict} DO UPDATE SET ${others.map(column => `${column} = excluded.${column}`).join(', ')}`
}

// ---------------------------------------------------------------- conditions

/** Returns the conditions as SQL. `own` is the condition that a row belongs to the project. */
export function conditionsOf(
  dialect: StateDialect,
  own: string,
  table: OwnedTable,
  where: readonly Condition[],
): string {
  return [own, ...where.map(each => conditionOf(dialect, own, table, each))].join(' AND ')
}

function conditionOf(dialect: StateDialect, own: string, table: OwnedTable, condition: Condition): string {
  if (condition.kind === 'is') {
    const { column, value } = condition
    return value === null ? `${dialect.identifier(column)} IS NULL` : equals(dialect, column, value)
  }
  const { columns } = condition
  const list = columns.map(column => dialect.identifier(column)).join(', ')
  if ('table' in condition) {
    const which = conditionsOf(dialect, own, condition.table, condition.where ?? [])
    const other = `SELECT ${list} FROM ${stateTable(dialect, condition.table)} WHERE ${which}`
    return `(${list}) ${condition.kind === 'in' ? 'IN' : 'NOT IN'} (${other})`
  }
  const isIn = condition.kind === 'among'
  if (condition.rows.length === 0) return isIn ? '1 = 0' : '1 = 1'
  return `(${list}) ${isIn ? 'IN' : 'NOT IN'} (${rowsSource(dialect, table, columns, condition.rows)})`
}

/** Splits a long list of rows into several. */
function inParts(where: readonly Condition[]): (readonly Condition[])[] {
  const long = where.find(each => each.kind === 'among' && each.rows.length > rowsPerStatement)
  if (long?.kind !== 'among') return [where]
  return inChunks(long.rows).map(rows => where.map(each => (each === long ? { ...long, rows } : each)))
}

// ---------------------------------------------------------------- rows

function rowsSource(
  dialect: StateDialect,
  table: OwnedTable,
  columns: readonly string[],
  rows: readonly Row[],
): string {
  if (rows.length <= rowsAsValues) return valuesOf(dialect, columns, rows)
  const shape = Object.fromEntries(columns.map(column => [column, typeOf(table, column)]))
  const records = rows.map(row => Object.fromEntries(columns.map(column => [column, row[column] ?? null])))
  return dialect.jsonRecords(jsonText(records), shape)
}

function valuesOf(dialect: StateDialect, columns: readonly string[], rows: readonly Row[]): string {
  const values = rows.map(
    row => `(${columns.map(column => literal(dialect, row[column] ?? null)).join(', ')})`,
  )
  return `VALUES ${values.join(', ')}`
}

export function literal(dialect: StateDialect, value: JsonValue): string {
  // With an exponent a number is read to its last digit; without one DuckDB reads a decimal number and rounds it.
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toExponential()
  return dialect.literal(typeof value === 'object' && value !== null ? jsonText(value) : value)
}

/** Returns JSON text in which unpaired surrogates are replaced, because a warehouse refuses them. */
function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value)
  // Only unpaired surrogates are written as such escapes, and searching for one costs little.
  if (!text.includes('\\ud')) return text
  return text.replace(/\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g, sequence =>
    sequence.length > 2 ? '\ufffd' : sequence,
  )
}

function equals(dialect: StateDialect, column: string, value: string): string {
  return `${dialect.identifier(column)} = ${dialect.literal(value)}`
}

function inChunks<T>(items: readonly T[]): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += rowsPerStatement) {
    chunks.push(items.slice(start, start + rowsPerStatement))
  }
  return chunks
}
