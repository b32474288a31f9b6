/** A JSON list as rows of a statement, in the words of each engine: one value however many rows, and no limit of values. */
import type { Engine } from '../../storage/index.ts'

export type RowColumns = Readonly<Record<string, 'text' | 'integer'>>

/** `from` item named `item`; takes one value, a JSON list of objects. */
export function objectRows(engine: Engine, columns: RowColumns): string {
  const names = Object.entries(columns)
  if (engine === 'postgres') {
    return `json_to_recordset(?) as item (${names.map(([name, type]) => `"${name}" ${type}`).join(', ')})`
  }
  const members = names.map(([name]) => `json_extract(value, '$.${name}') as "${name}"`)
  return `(select ${members.join(', ')} from json_each(?)) as item`
}

/** A query of one column; takes one value, a JSON list of record numbers. For `in (…)`. */
export function numberRows(engine: Engine): string {
  return engine === 'postgres'
    ? 'select value::integer from json_array_elements_text(?) as list (value)'
    : 'select value from json_each(?)'
}
