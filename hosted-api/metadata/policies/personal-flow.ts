/**
 * Finds where personal data flow: from columns that a policy names, or that are marked, along the column
 * lineage to all columns from which their values can be read. It gives the same results as `svc validate`
 * (docs/glossary.md).
 */
import { anyOf } from '../../../server/language/glossary/patterns.ts'
import { noPace, type Pace } from '../../http/pace.ts'
import { grouped } from '../../storage/grouped.ts'
import {
  type ColumnPlace,
  type ColumnVisit,
  type Edge,
  type FetchEdges,
  keyOf,
  pairsOf,
  walkColumns,
} from '../lineage/walk.ts'
import type { AssetFacts, ColumnFacts } from './asset-facts.ts'

export interface PersonalColumn extends ColumnPlace {
  /** The named or marked column where the data originate. */
  readonly root: ColumnPlace
  /** The path from the root to the column, including both. */
  readonly path: readonly ColumnPlace[]
}

export interface FlowOptions {
  /** `derived`: also what is only made of personal data by a count, a comparison or a condition. */
  readonly reach?: 'personal' | 'derived'
  readonly pace?: Pace
}

/** @param piiColumns of a policy: `email` or `customers.email`; empty: all marked columns */
export async function personalFlow(
  piiColumns: readonly string[],
  assets: ReadonlyMap<number, AssetFacts>,
  fetch: FetchEdges,
  { reach = 'personal', pace = noPace }: FlowOptions = {},
): Promise<readonly PersonalColumn[]> {
  const roots = await rootsOf(piiColumns, assets, fetch, pace)
  const counts = (place: ColumnPlace, masked: boolean) =>
    (reach === 'derived' || !masked) && !isHarmless(columnAt(assets, place))
  const depth = Number.POSITIVE_INFINITY
  const visits = await walkColumns(roots, 'downstream', depth, fetch, counts, pace)
  const readable = visits.filter(visit => counts(visit, visit.masked))
  const before = new Map(visits.map(visit => [keyOf(visit), visit.via]))
  const rootAt = rootFinder(before)
  return [...roots, ...readable].map(({ asset, column }: ColumnPlace | ColumnVisit) => ({
    asset,
    column,
    root: rootAt({ asset, column }),
    // Made when it is asked for: most of them are not shown, and together they may be long.
    get path() {
      return pathTo({ asset, column }, before)
    },
  }))
}

type Before = ReadonlyMap<string, ColumnPlace>

/** Finds where paths begin; each step of a path is taken once for all of them. */
function rootFinder(before: Before): (place: ColumnPlace) => ColumnPlace {
  const known = new Map<string, ColumnPlace>()
  return place => {
    const passed = new Set<string>()
    let at = place
    for (;;) {
      const key = keyOf(at)
      const via = before.get(key)
      const root = known.get(key) ?? (via === undefined || passed.has(key) ? at : undefined)
      if (root !== undefined) {
        for (const each of passed) known.set(each, root)
        return root
      }
      passed.add(key)
      at = via ?? at
    }
  }
}

function pathTo(place: ColumnPlace, before: Before): readonly ColumnPlace[] {
  const path = [place]
  for (let at = before.get(keyOf(place)); at !== undefined; at = before.get(keyOf(at))) {
    path.push(at)
    // A cycle ends where it started.
    if (path.length > before.size + 1) break
  }
  return path.reverse()
}

async function rootsOf(
  piiColumns: readonly string[],
  assets: ReadonlyMap<number, AssetFacts>,
  fetch: FetchEdges,
  pace: Pace,
): Promise<readonly ColumnPlace[]> {
  const isNamed = anyOf(piiColumns)
  const isMarkRoot = piiColumns.length === 0
  const isWanted = ({ name }: AssetFacts, column: ColumnFacts) =>
    isMarkRoot
      ? column.mark === 'file' || column.mark === 'schema'
      : isNamed(column.name) || isNamed(`${name}.${column.name}`)
  const candidates: { readonly facts: AssetFacts; readonly column: ColumnFacts }[] = []
  for (const facts of assets.values()) {
    const pause = pace.pause()
    if (pause !== undefined) await pause
    for (const column of facts.columns)
      if (isWanted(facts, column) && !isHarmless(column)) candidates.push({ facts, column })
  }
  if (candidates.length === 0) return []
  const asked = [...new Set(candidates.map(each => each.facts.asset))]
  const into = grouped(await fetch(asked, 'upstream'), edge => edge.to)
  const roots: ColumnPlace[] = []
  for (const { facts, column } of candidates) {
    const pause = pace.pause()
    if (pause !== undefined) await pause
    const edges = into.get(facts.asset) ?? []
    const isRoot =
      (isMarkRoot && column.mark === 'file') ||
      (isMarkRoot ? beginsHere(facts, column, edges) : isReadable(facts, column, edges))
    if (isRoot) roots.push({ asset: facts.asset, column: column.name })
  }
  return roots
}

/** A mark that was inferred from lineage is not a root, because the lineage is followed again here. */
function beginsHere(facts: AssetFacts, column: ColumnFacts, edges: readonly Edge[]): boolean {
  return !column.masked && pairsInto(column, edges).length === 0 && isReadable(facts, column, edges)
}

/**
 * The name alone does not make a constant, a hash or a count personal. For a source, and if the origin of the
 * column is unknown, only the name counts.
 */
function isReadable(facts: AssetFacts, column: ColumnFacts, edges: readonly Edge[]): boolean {
  if (column.masked) return false
  const pairs = pairsInto(column, edges)
  if (pairs.length > 0) return pairs.some(pair => pair.masking !== true)
  const isKnown = edges.some(edge => edge.columns.length > 0)
  return facts.kind === 'source' || !isKnown
}

function pairsInto(column: ColumnFacts, edges: readonly Edge[]) {
  const name = column.name.toLowerCase()
  return edges.flatMap(edge => pairsOf(edge, 'to', name))
}

function columnAt(
  assets: ReadonlyMap<number, AssetFacts>,
  { asset, column }: ColumnPlace,
): ColumnFacts | undefined {
  const facts = assets.get(asset)
  return facts === undefined ? undefined : columnsByName(facts).get(column.toLowerCase())
}

const byName = new WeakMap<AssetFacts, ReadonlyMap<string, ColumnFacts>>()

function columnsByName(facts: AssetFacts): ReadonlyMap<string, ColumnFacts> {
  const known = byName.get(facts)
  if (known !== undefined) return known
  const made = new Map(facts.columns.map(column => [column.name.toLowerCase(), column]))
  byName.set(facts, made)
  return made
}

function isHarmless(column: ColumnFacts | undefined): boolean {
  return column?.mark === 'harmless'
}
