/**
 * Finds where personal data flow: from columns that a policy names, or that are marked, along the column
 * lineage to all columns from which their values can be read. It gives the same results as `svc validate`
 * (docs/glossary.md).
 */
import { type ColumnPlace, type Edge, type FetchEdges, keyOf, walkColumns } from '../lineage/walk.ts'
import type { AssetFacts, ColumnFacts } from './asset-facts.ts'

export interface PersonalColumn extends ColumnPlace {
  /** The named or marked column where the data originate. */
  readonly root: ColumnPlace
  /** The path from the root to the column, including both. */
  readonly path: readonly ColumnPlace[]
}

/** @param piiColumns of a policy: `email` or `customers.email`; empty: all marked columns */
export async function personalFlow(
  piiColumns: readonly string[],
  assets: ReadonlyMap<number, AssetFacts>,
  fetch: FetchEdges,
): Promise<readonly PersonalColumn[]> {
  const roots = await rootsOf(piiColumns, assets, fetch)
  const visits = await walkColumns(roots, 'downstream', Number.POSITIVE_INFINITY, fetch, (place, masked) => {
    return !masked && !isHarmless(columnAt(assets, place))
  })
  const before = new Map(visits.map(visit => [keyOf(visit), visit.via]))
  const readable = visits.filter(visit => !visit.masked && !isHarmless(columnAt(assets, visit)))
  return [...roots, ...readable].map(({ asset, column }) => {
    const path = pathTo({ asset, column }, before)
    return { asset, column, root: path[0] ?? { asset, column }, path }
  })
}

function pathTo(place: ColumnPlace, before: ReadonlyMap<string, ColumnPlace>): readonly ColumnPlace[] {
  const path = [place]
  for (let at = before.get(keyOf(place)); at !== undefined; at = before.get(keyOf(at))) {
    path.unshift(at)
    // A cycle ends where it started.
    if (path.length > before.size + 1) break
  }
  return path
}

async function rootsOf(
  piiColumns: readonly string[],
  assets: ReadonlyMap<number, AssetFacts>,
  fetch: FetchEdges,
): Promise<readonly ColumnPlace[]> {
  const wanted = new Set(piiColumns.map(name => name.toLowerCase()))
  const isWanted = ({ name }: AssetFacts, column: ColumnFacts) =>
    wanted.size === 0
      ? column.mark === 'file' || column.mark === 'schema'
      : wanted.has(column.name.toLowerCase()) || wanted.has(`${name}.${column.name}`.toLowerCase())
  const candidates = [...assets.values()].flatMap(facts =>
    facts.columns
      .filter(column => isWanted(facts, column) && !isHarmless(column))
      .map(column => ({ facts, column })),
  )
  if (candidates.length === 0) return []
  const into = groupByTarget(await fetch([...new Set(candidates.map(each => each.facts.asset))], 'upstream'))
  const isMarkRoot = wanted.size === 0
  return candidates
    .filter(({ facts, column }) => {
      const edges = into.get(facts.asset) ?? []
      if (isMarkRoot && column.mark === 'file') return true
      return isMarkRoot ? beginsHere(facts, column, edges) : isReadable(facts, column, edges)
    })
    .map(({ facts, column }) => ({ asset: facts.asset, column: column.name }))
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
  return edges.flatMap(edge => edge.columns.filter(pair => pair.to.toLowerCase() === name))
}

function groupByTarget(edges: readonly Edge[]): ReadonlyMap<number, readonly Edge[]> {
  const groups = new Map<number, Edge[]>()
  for (const edge of edges) {
    const group = groups.get(edge.to)
    if (group === undefined) groups.set(edge.to, [edge])
    else group.push(edge)
  }
  return groups
}

function columnAt(
  assets: ReadonlyMap<number, AssetFacts>,
  { asset, column }: ColumnPlace,
): ColumnFacts | undefined {
  const name = column.toLowerCase()
  return assets.get(asset)?.columns.find(each => each.name.toLowerCase() === name)
}

function isHarmless(column: ColumnFacts | undefined): boolean {
  return column?.mark === 'harmless'
}
