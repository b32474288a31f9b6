/** Brings the rows of one load to the columns of another. */
import { quoteName } from '@svc/server/catalog'
import { type Column, internalName } from '@svc/server/language'
import type { Relation } from '../../warehouse/warehouse.ts'

export function nameOf({ schema, name }: Relation): string {
  return `${quoteName(schema)}.${quoteName(name)}`
}

/** Returns the condition that two rows, named so, have the same values. */
export function sameValues(names: readonly string[], one: string, other: string): string {
  return names
    .map(name => `${one}.${quoteName(name)} IS NOT DISTINCT FROM ${other}.${quoteName(name)}`)
    .join(' AND ')
}

const part = internalName('part')

/** Returns a SELECT of the columns with their types; those that are not among its own are NULL. */
export function selectOf(columns: readonly Column[], own: readonly Column[], from: string): string {
  const names = new Map(own.map(({ name }) => [name.toLowerCase(), name]))
  const values = columns.map(({ name, type }) => {
    const found = names.get(name.toLowerCase())
    const value = found === undefined ? 'NULL' : `${part}.${quoteName(found)}`
    return `CAST(${value} AS ${type}) AS ${quoteName(name)}`
  })
  return `SELECT ${values.join(', ')} FROM (${from}) AS ${part}`
}

/** Columns that the load before has and the new one does not know: they stay. */
export function onlyBefore(columns: readonly Column[], before: readonly Column[]): readonly Column[] {
  const known = new Set(columns.map(({ name }) => name.toLowerCase()))
  return before.flatMap(({ name, type }) => (known.has(name.toLowerCase()) ? [] : [{ name, type }]))
}
