/** Brings the rows of one load to the columns of another. */
import { quoteName } from '@svc/server/catalog'
import type { Column } from '@svc/server/language'

/** Returns a SELECT of the columns with their types; those that are not among its own are NULL. */
export function selectOf(columns: readonly Column[], own: readonly Column[], from: string): string {
  const names = new Map(own.map(({ name }) => [name.toLowerCase(), name]))
  const values = columns.map(({ name, type }) => {
    const found = names.get(name.toLowerCase())
    const value = found === undefined ? 'NULL' : `part.${quoteName(found)}`
    return `CAST(${value} AS ${type}) AS ${quoteName(name)}`
  })
  return `SELECT ${values.join(', ')} FROM (${from}) AS part`
}
