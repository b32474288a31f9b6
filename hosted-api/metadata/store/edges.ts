/** Reads edges of the lineage for walks. */
import { numberRows } from '../../storage/index.ts'
import type { Edge, FetchEdges } from '../lineage/walk.ts'
import { jsonOf, type Reading, visible } from './visible.ts'

type EdgeRow = Readonly<Record<'from' | 'to', number> & Record<'kind' | 'columns', string>>

export function fetchEdges({ queries, head, pace }: Reading): FetchEdges {
  const list = numberRows(queries.engine)
  const query = (
    end: string,
  ) => `select from_asset as "from", to_asset as "to", kind, columns from lineage_edge as edge
    where edge.${end} in (${list}) and ${visible('edge')} order by from_asset, to_asset`
  const texts = { downstream: query('from_asset'), upstream: query('to_asset') }
  return async (assets, direction) => {
    if (assets.length === 0) return []
    const rows = await queries.all<EdgeRow>(texts[direction], [JSON.stringify(assets), head, head])
    const edges: Edge[] = []
    for (const row of rows) {
      const pause = pace.pause()
      if (pause !== undefined) await pause
      edges.push({ ...row, columns: jsonOf(row.columns) })
    }
    return edges
  }
}
