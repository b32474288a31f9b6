/**
 * A select list is often written before its FROM. Then the CTEs above, the source, and the assets that this one was
 * last known to read are the likely tables.
 */
import type { ColumnOrigin } from '../../../analysis.ts'
import { boundWorld } from '../../sql/bound-sql.ts'
import { ctesAt, likelyTable, type TableInSight } from '../../sql/tables-in-sight.ts'
import type { SqlAsk } from './sql-offer.ts'
import { sourceNames } from './sql-tables.ts'

export function likelyTables(ask: SqlAsk): readonly TableInSight[] {
  const { knowledge, place, scope } = ask
  if (scope.query !== place.bound.query && scope.select === undefined) return []
  const ctes = ctesAt(scope).map(cte => likelyTable({ ...cte, name: cte.cte.name.text }, { kind: 'cte' }))
  const isTest = place.block.path[0] === 'tests'
  const world = boundWorld(knowledge, place.asset)
  const tags = [
    ...(isTest ? ['{{ this }}'] : []),
    ...sourceNames(knowledge, place.asset).map(({ child }) =>
      child === undefined ? '{{ source }}' : `{{ source('${child}') }}`,
    ),
    ...lastRead(ask).map(name => `{{ ref('${name}') }}`),
  ]
  return [...ctes, ...tags.map(tag => likelyTable(world.table(tag), {}))]
}

/** Those of which columns were read that the text does not read any more. */
function lastRead({ knowledge, place }: SqlAsk): readonly string[] {
  const uses = knowledge.analysis.of(place.asset.name)?.uses ?? []
  const isRead = new Set(place.bound.reads.map(keyOf))
  const names = new Set(uses.flatMap(({ origin }) => (isRead.has(keyOf(origin)) ? [] : origin.asset)))
  names.delete(place.asset.name)
  return [...names]
}

function keyOf({ asset, column }: ColumnOrigin): string {
  return `${asset}.${column}`
}
