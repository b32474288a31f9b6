/**
 * Passes a JSON list to a statement as rows, in the SQL of each engine: one parameter for any number of rows.
 */
import type { Cell, Engine } from './storage.ts'

export type RowColumns = Readonly<Record<string, 'text' | 'integer'>>

/** Returns the FROM item `item`; its parameter is a JSON list of objects. */
export function objectRows(engine: Engine, columns: RowColumns): string {
  const names = Object.entries(columns)
  if (engine === 'postgres') {
    return `json_to_recordset(?) as item (${names.map(([name, type]) => `"${name}" ${type}`).join(', ')})`
  }
  const members = names.map(([name]) => `json_extract(value, '$.${name}') as "${name}"`)
  // Materialized, because SQLite would write the text of a row anew for each of its columns.
  return `(with list as materialized (select value from json_each(?)) select ${members.join(', ')} from list) as item`
}

/** Returns a query of one column for `in (…)`; its parameter is a JSON list of record numbers. */
export function numberRows(engine: Engine): string {
  return engine === 'postgres'
    ? 'select value::integer from json_array_elements_text(?) as list (value)'
    : 'select value from json_each(?)'
}

/**
 * Returns the query for the rows of `select` whose column has one of the texts, and its values. PostgreSQL looks each text up in
 * an index by itself: about a table that has just grown it knows too little to do so, and would compare each text with every row
 * of a project.
 * @param select with a `where`, to which conditions can be added
 */
export function rowsOfTexts(
  engine: Engine,
  select: string,
  column: string,
  values: readonly Cell[],
  texts: readonly string[],
): [query: string, values: readonly Cell[]] {
  const list = JSON.stringify(texts)
  if (engine === 'sqlite')
    return [`${select} and ${column} in (select value from json_each(?))`, [...values, list]]
  // Without the offset the planner would make one join of both.
  const query = `select found.* from json_array_elements_text(?) as list (value)
    cross join lateral (${select} and ${column} = list.value offset 0) as found`
  return [query, [list, ...values]]
}
