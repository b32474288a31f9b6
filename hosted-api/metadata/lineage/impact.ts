/**
 * Finds what a change of an asset's columns affects: downstream columns, readers without column lineage,
 * exposures.
 */
import { type ColumnVisit, type Edge, type FetchEdges, walkColumns } from './walk.ts'

export interface Impact {
  readonly column: string
  /** The downstream columns, near ones first. */
  readonly columns: readonly ColumnVisit[]
  /** Assets that read the asset without known columns. */
  readonly readers: readonly number[]
  /** Exposures of the asset, or of an asset with a downstream column. */
  readonly exposures: readonly number[]
}

/** Returns the impact of each of the columns of one asset. */
export async function impactOf(
  asset: number,
  columns: readonly string[],
  fetch: FetchEdges,
): Promise<readonly Impact[]> {
  const asked = remembering(fetch)
  const impacts: Impact[] = []
  for (const column of columns) {
    const visits = await walkColumns([{ asset, column }], 'downstream', Number.POSITIVE_INFINITY, asked)
    const reached = [...new Set([asset, ...visits.map(visit => visit.asset)])]
    const edges = await asked(reached, 'downstream')
    impacts.push({
      column,
      columns: visits,
      readers: ends(
        edges,
        edge => edge.kind !== 'exposure' && edge.from === asset && edge.columns.length === 0,
      ),
      exposures: ends(edges, edge => edge.kind === 'exposure'),
    })
  }
  return impacts
}

function ends(edges: readonly Edge[], counts: (edge: Edge) => boolean): readonly number[] {
  return [...new Set(edges.filter(counts).map(edge => edge.to))].sort((a, b) => a - b)
}

/** Caches edges, because the columns of one asset lead to the same assets again and again. */
function remembering(fetch: FetchEdges): FetchEdges {
  const known = new Map<number, Edge[]>()
  return async (assets, direction) => {
    const unknown = assets.filter(asset => !known.has(asset))
    for (const asset of unknown) known.set(asset, [])
    if (unknown.length > 0)
      for (const edge of await fetch(unknown, direction)) known.get(edge.from)?.push(edge)
    return assets.flatMap(asset => known.get(asset) ?? [])
  }
}
