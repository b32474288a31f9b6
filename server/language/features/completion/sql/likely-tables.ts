/**
 * Guesses tables for a select list that is written before its FROM: the CTEs above, the source, and the
 * assets that this one last read.
 */
import type { ColumnOrigin } from '../../../analysis.ts'
import { boundWorld } from '../../sql/bound-sql.ts'
import { ctesAt, likelyTable, type TableInSight } from '../../sql/tables-in-sight.ts'
import type { SqlAsk } from './sql-offer.ts'
import { sourceNames, sourceTag } from './sql-tables.ts'

export function likelyTables(ask: SqlAsk): readonly TableInSight[] {
  const { knowledge, place, scope } = ask
  if (scope.query !== place.bound.query && scope.select === undefined) return []
  const ctes = ctesAt(scope).map(cte => likelyTable({ ...cte, name: cte.cte.name.text }, { kind: 'cte' }))
  const isTest = place.block.path[0] === 'tests'
  const world = boundWorld(knowledge, place.asset)
  const tags = [
    ...(isTest ? ['{{ this }}'] : []),
    ...sourceNames(knowledge, place.asset).map(({ child }) => `{{ ${sourceTag(child)} }}`),
    ...lastRead(ask).map(name => `{{ ref('${name}') }}`),
  ]
  return [...ctes, ...tags.map(tag => likelyTable(world.table(tag), {}))]
}

/** Returns the assets that the last analysis read and that the text no longer reads. */
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
