/** Says what a column reaches: other columns, assets whose rows it decides, targets, exposures. */
import type { JsonOf } from '@svc/server/contract'
import type { ColumnReach } from '@svc/server/language'

const mostNamed = 12

/** Returns `daily.total, paid (WHERE), target crm (mail), exposure Board`; '' if it reaches nothing. */
export function reachText({ columns, uses, targets, exposures }: ColumnReach): string {
  const named = [
    ...columns.map(({ asset, column }) => `${asset}.${column}`),
    ...uses.map(({ from, asset, clauses }) => `${asset} (${clauses.join(', ')} ${from.column})`),
  ]
  const more = named.length - mostNamed
  const shown = more > 1 ? [...named.slice(0, mostNamed), `${more} more`] : named
  return [
    ...shown,
    ...targets.map(({ target, sends }) => `target ${target} (${sends.map(({ field }) => field).join(', ')})`),
    ...exposures.map(({ exposure }) => `exposure ${exposure}`),
  ].join(', ')
}

type ReachJson = NonNullable<JsonOf<'plan'>['assets'][number]['column_changes'][number]['reaches']>

export function reachJson({ columns, uses, targets, exposures }: ColumnReach): ReachJson {
  return { columns, uses, targets, exposures }
}
