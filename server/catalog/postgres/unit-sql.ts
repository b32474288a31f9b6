/** The tables and values of unit tests in PostgreSQL. */
import { literal } from '../../language/engines/postgres/names.ts'
import { internalNames } from '../../language/internal-names.ts'
import type { UnitSql } from '../unit/unit-sql.ts'

const own = internalNames('value', 'given')

export const postgresUnitSql: UnitSql = {
  table(table, columns, rows) {
    const definitions = columns.map(({ name, type }) => `${name} ${type}`)
    // One that stands for an asset has no place for rows.
    const create = `DROP TABLE IF EXISTS ${table} CASCADE;CREATE TABLE ${table} (${definitions.join(', ')})`
    if (rows.length === 0) return create
    // Literals take the types of the columns as values that are stored do: a text that is too long is an error.
    return `${create};INSERT INTO ${table} VALUES ${rows.map(row => `(${row.join(', ')})`).join(', ')}`
  },
  nested: json => literal(arrayText(JSON.parse(json))),
  text: valueText,
  // Each takes hundreds of megabytes, and a second to start.
  mostDatabases: 1,
}

/**
 * A cast cuts a text that is too long, so that reading it is tried before. OFFSET keeps the planner from reading a value
 * that is not valid ahead of time.
 */
function valueText(value: string, type: string): string {
  return `(SELECT CASE WHEN pg_input_is_valid(${own.value}, ${literal(type)}) THEN ${asText(`CAST(${own.value} AS ${type})`, type)} END
    FROM (SELECT CAST(${value} AS text) AS ${own.value} OFFSET 0) AS ${own.given})`
}

/** Returns a value as a text that is the same for equal values: a numeric keeps the zeros that a division gave it. */
export function asText(value: string, type: string): string {
  return `CAST(${type === 'numeric' ? `trim_scale(${value})` : value} AS text)`
}

/** Returns a list in the form in which PostgreSQL reads an array. */
function arrayText(value: unknown): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return `{${value.map(arrayText).join(',')}}`
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
