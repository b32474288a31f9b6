/** Finds the query of an asset that contains the cursor: a CTE of its transform, or the whole. */
import type { Cte } from '../sql/tree.ts'
import type { Knowledge } from './knowledge.ts'
import { sqlPlaceAt } from './sql/sql-place.ts'

/**
 * Returns undefined for a file that is no asset.
 * `cte`: the outermost CTE around the cursor: nested ones cannot be addressed by name.
 */
export function queryAt(knowledge: Knowledge, path: string, offset: number) {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return undefined
  const place = sqlPlaceAt(knowledge, path, offset)
  const isTransform = place?.block.path[0] === 'transform'
  const cte = isTransform ? place.scope().around.find((node): node is Cte => node.kind === 'cte') : undefined
  return { asset: asset.name, cte: cte?.name.text }
}
