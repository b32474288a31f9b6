/**
 * Finds what a change of an asset's columns affects: downstream columns, readers without column lineage,
 * exposures.
 */
import { noPace, type Pace } from '../../http/pace.ts'
import { requireBearable } from './bearable.ts'
import { type ColumnVisit, type Edge, type FetchEdges, remembering, walkColumns } from './walk.ts'

export interface Impact {
  readonly column: string
  /** The downstream columns, near ones first. */
  readonly columns: readonly ColumnVisit[]
  /** Assets that read the asset without known columns. */
  readonly readers: readonly number[]
  /** Exposures of the asset, or of an asset with a downstream column. */
  readonly exposures: readonly number[]
}

/** Returns the assets that an impact names. */
export function assetsOf({ columns, readers, exposures }: Impact): readonly number[] {
  return [...columns.map(visit => visit.asset), ...readers, ...exposures]
}

/** Returns the impact of each of the columns of one asset. */
export async function impactOf(
  asset: number,
  columns: readonly string[],
  fetch: FetchEdges,
  pace: Pace = noPace,
): Promise<readonly Impact[]> {
  const asked = remembering(fetch)
  const impacts: Impact[] = []
  let places = 0
  for (const column of columns) {
    const start = { asset, column }
    const depth = Number.POSITIVE_INFINITY
    const visits = await walkColumns([start], 'downstream', depth, asked, undefined, pace)
    places += visits.length
    requireBearable(places)
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
