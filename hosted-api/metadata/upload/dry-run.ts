/** Computes what an upload would change without writing it: assets, columns, and what a change breaks. */

import type { Pace } from '../../http/pace.ts'
import type { Queries } from '../../storage/index.ts'
import { type Impact, impactOf } from '../lineage/impact.ts'
import type { ColumnChange } from '../pack/column-changes.ts'
import type { PackColumn } from '../pack/pack.ts'
import { fetchEdges } from '../store/edges.ts'
import { namesOf, storedColumns } from '../store/nodes.ts'
import type { ChangeSummary, PackJob } from './pack-job.ts'

export interface DryRun {
  readonly added: readonly string[]
  readonly changed: readonly { readonly asset: string; readonly columns: readonly ColumnChange[] }[]
  readonly removed: readonly string[]
  readonly breaking: readonly BreakingChange[]
}

export interface BreakingChange {
  readonly asset_id: number
  readonly asset: string
  readonly column: string
  readonly change: ColumnChange['change']
  readonly old: unknown
  readonly new: unknown
  readonly affected: {
    readonly columns: readonly AffectedColumn[]
    /** They read the asset, but which of its columns is unknown. */
    readonly assets: readonly string[]
    readonly exposures: readonly string[]
  }
}

export interface AffectedColumn {
  readonly asset: string
  readonly column: string
  readonly depth: number
  /** Whether the pack changes or removes this asset too. */
  readonly changed: boolean
}

/** The limit of breaking changes in the answer. */
const mostBreaking = 1000

export async function dryRun(
  queries: Queries,
  head: number,
  job: PackJob,
  change: ChangeSummary,
  pace: Pace,
): Promise<DryRun> {
  const columns = new Map<number, readonly ColumnChange[]>()
  const ids = change.changed.map(({ asset }) => asset)
  for await (const page of storedColumns(queries, head, ids)) {
    for (const { asset, changes } of await job.columnChanges(page)) columns.set(asset, changes)
  }
  const gone = new Map<number, readonly ColumnChange[]>()
  const removedIds = change.removed.map(({ asset }) => asset)
  for await (const page of storedColumns(queries, head, removedIds)) {
    for (const [asset, text] of page) gone.set(asset, allRemoved(text))
  }
  const all = [
    ...change.changed.map(({ asset, name }) => ({ asset, name, changes: columns.get(asset) ?? [] })),
    ...change.removed.map(({ asset, name }) => ({ asset, name, changes: gone.get(asset) ?? [] })),
  ]
  return {
    added: change.added,
    changed: change.changed.map(({ asset, name }) => ({ asset: name, columns: columns.get(asset) ?? [] })),
    removed: change.removed.map(({ name }) => name),
    breaking: await breakingChanges(queries, head, all, new Set([...ids, ...removedIds]), pace),
  }
}

function allRemoved(columns: string | null): readonly ColumnChange[] {
  const list = columns === null ? [] : (JSON.parse(columns) as readonly PackColumn[])
  return list.map(({ name, type }) => ({
    column: name,
    change: 'removed',
    old: type,
    new: null,
    breaking: true,
  }))
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
): Promise<readonly BreakingChange[]> {
  const fetch = fetchEdges(queries, head, pace)
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
    affected.flatMap(({ impact }) => [
      ...impact.columns.map(visit => visit.asset),
      ...impact.readers,
      ...impact.exposures,
    ]),
  )
  const nameOf = (asset: number) => names.get(asset) ?? String(asset)
  return affected.slice(0, mostBreaking).map(({ of, change, impact }) => ({
    asset_id: of.asset,
    asset: of.name,
    column: change.column,
    change: change.change,
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
