/** Computes what an upload would change without writing it: assets, columns, and what a change breaks. */

import type { Shape } from '../../../server/contract/schema.ts'
import type { Pace } from '../../http/pace.ts'
import { columnsOf } from '../../storage/column-text.ts'
import type { Queries } from '../../storage/index.ts'
import { assetsOf, type Impact, impactOf } from '../lineage/impact.ts'
import { type ColumnChange, columnChanges } from '../pack/column-changes.ts'
import { fetchEdges } from '../store/edges.ts'
import { namesOf, storedColumns } from '../store/nodes.ts'
import type { ChangeSummary, PackJob } from './pack-job.ts'
import type { BreakingChange, DryRun } from './upload-shapes.ts'

type Breaking = Shape<typeof BreakingChange>

/** The limit of breaking changes in the answer. */
const mostBreaking = 1000

export async function dryRun(
  queries: Queries,
  head: number,
  job: PackJob,
  change: ChangeSummary,
  pace: Pace,
): Promise<Omit<Shape<typeof DryRun>, 'policies'>> {
  const idsOf = (list: ChangeSummary['changed']) => list.map(({ asset }) => asset)
  const [changed, removed] = [idsOf(change.changed), idsOf(change.removed)]
  const changes = new Map<number, readonly ColumnChange[]>()
  for await (const page of storedColumns(queries, head, changed)) {
    for (const each of await job.columnChanges(page)) changes.set(each.asset, each.changes)
  }
  for await (const page of storedColumns(queries, head, removed)) {
    for (const [asset, columns] of page) changes.set(asset, allRemoved(columns))
  }
  const changesOf = ({ asset, name }: ChangeSummary['changed'][number]): AssetChanges => ({
    asset,
    name,
    changes: changes.get(asset) ?? [],
  })
  const all = [...change.changed, ...change.removed].map(changesOf)
  return {
    added: change.added,
    changed: change.changed.map(changesOf).map(({ name, changes: columns }) => ({ asset: name, columns })),
    removed: change.removed.map(({ name }) => name),
    breaking: await breakingChanges(queries, head, all, new Set([...changed, ...removed]), pace),
  }
}

function allRemoved(columns: string | null): readonly ColumnChange[] {
  return columns === null ? [] : columnChanges(columnsOf(columns), [])
}

interface AssetChanges {
  readonly asset: number
  readonly name: string
  readonly changes: readonly ColumnChange[]
}

async function breakingChanges(
  queries: Queries,
  head: number,
  all: readonly AssetChanges[],
  touched: ReadonlySet<number>,
  pace: Pace,
): Promise<readonly Breaking[]> {
  const fetch = fetchEdges({ queries, head, pace })
  const affected: { readonly of: AssetChanges; readonly change: ColumnChange; readonly impact: Impact }[] = []
  for (const of of all) {
    const breaking = of.changes.filter(change => change.breaking)
    const impacts = await impactOf(
      of.asset,
      breaking.map(change => change.column),
      fetch,
      pace,
    )
    for (const [index, impact] of impacts.entries()) {
      const change = breaking[index]
      if (change !== undefined) affected.push({ of, change, impact })
    }
    if (affected.length >= mostBreaking) break
  }
  const names = await namesOf(
    queries,
    affected.flatMap(({ impact }) => assetsOf(impact)),
  )
  const nameOf = (asset: number) => names.get(asset) ?? String(asset)
  return affected.slice(0, mostBreaking).map(({ of, change, impact }) => ({
    asset_id: of.asset,
    asset: of.name,
    column: change.column,
    // Nothing else breaks readers.
    change: change.change as Breaking['change'],
    old: change.old,
    new: change.new,
    affected: {
      columns: impact.columns.map(({ asset, column, depth }) => ({
        asset: nameOf(asset),
        column,
        depth,
        changed: touched.has(asset),
      })),
      assets: impact.readers.map(nameOf),
      exposures: impact.exposures.map(nameOf),
    },
  }))
}
