/**
 * Passes a JSON list to a statement as rows, in the SQL of each engine: one parameter for any number of rows.
 */
import type { Engine } from './storage.ts'

export type RowColumns = Readonly<Record<string, 'text' | 'integer'>>

/** Returns the FROM item `item`; its parameter is a JSON list of objects. */
export function objectRows(engine: Engine, columns: RowColumns): string {
  const names = Object.entries(columns)
  if (engine === 'postgres') {
    return `json_to_recordset(?) as item (${names.map(([name, type]) => `"${name}" ${type}`).join(', ')})`
  }
  const members = names.map(([name]) => `json_extract(value, '$.${name}') as "${name}"`)
  return `(select ${members.join(', ')} from json_each(?)) as item`
}

/** Returns a query of one column for `in (…)`; its parameter is a JSON list of record numbers. */
export function numberRows(engine: Engine): string {
  return engine === 'postgres'
    ? 'select value::integer from json_array_elements_text(?) as list (value)'
    : 'select value from json_each(?)'
}

/** The same for texts. */
export function textRows(engine: Engine): string {
  return engine === 'postgres'
    ? 'select value from json_array_elements_text(?) as list (value)'
    : 'select value from json_each(?)'
}
