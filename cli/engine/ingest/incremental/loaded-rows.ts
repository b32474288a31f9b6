/** The rows of the load before as they are kept: with the names, types and masks of now. */
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { type Column, internalName, validFrom, validTo } from '@svc/server/language'
import { maskedAfterwards } from '../mask/mask-afterwards.ts'
import type { Joining } from './joined-table.ts'
import type { KeptColumn } from './kept-columns.ts'
import { nameOf } from './select-columns.ts'

const earlier = internalName('earlier')

export interface LoadedRows {
  /** The columns that they have. */
  readonly columns: readonly Column[]
  /** What stands behind FROM, before an alias. */
  readonly from: string
}

/**
 * Returns undefined if the load before has no such table. `wanted`: the columns of the table as it is loaded now, whose types
 * the rows get.
 */
export function loadedRows(
  child: string | undefined,
  wanted: readonly Column[],
  { base, kept, write }: Joining,
): LoadedRows | undefined {
  const { load } = base
  const table = child === undefined ? load : load.children[child]
  if (table === undefined) return undefined
  const stays = kept?.get(child ?? '')
  const isFirst = write === 'scd2' && !table.columns.some(({ name }) => name === validTo)
  if (stays === undefined && !isFirst) return { columns: table.columns, from: nameOf(table.relation) }
  const types = new Map(wanted.map(({ name, type }) => [name.toLowerCase(), type]))
  const own = new Map(table.columns.map(({ name, type }) => [name, type]))
  const all: readonly KeptColumn[] = stays ?? table.columns.map(({ name }) => ({ from: name, name }))
  const columns = all.map(({ from, name }) => ({
    name,
    type: types.get(name.toLowerCase()) ?? own.get(from) ?? 'VARCHAR',
  }))
  const values = all.map(
    (column, index) => `CAST(${keptValue(column)} AS ${columns[index]?.type}) AS ${quoteName(column.name)}`,
  )
  const first = isFirst ? firstVersion(load.created_at, types) : { columns: [], values: [] }
  return {
    columns: [...columns, ...first.columns],
    from: `(SELECT ${[...values, ...first.values].join(', ')} FROM ${nameOf(table.relation)} AS ${earlier})`,
  }
}

function keptValue({ from, hide }: KeptColumn): string {
  const value = `${earlier}.${quoteName(from)}`
  if (hide === undefined) return value
  return hide === 'lost' ? 'NULL' : maskedAfterwards(hide, value)
}

/** What was merged before becomes the first version of each record. */
function firstVersion(createdAt: string, types: ReadonlyMap<string, string | undefined>) {
  const columns = [validFrom, validTo].map(name => ({
    name,
    type: types.get(name) ?? 'TIMESTAMP WITH TIME ZONE',
  }))
  const values = columns.map(({ name, type }) => {
    const time = name === validFrom ? quoteLiteral(createdAt) : 'NULL'
    return `CAST(${time} AS ${type}) AS ${quoteName(name)}`
  })
  return { columns, values }
}
