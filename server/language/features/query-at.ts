/** Which query of an asset the cursor is in: a CTE of its transform, or the whole. */
import type { Knowledge } from './knowledge.ts'
import type { Query } from './sql/query-tree.ts'
import { queriesIn } from './sql/scope-at.ts'
import { sqlPlaceAt } from './sql/sql-place.ts'

export interface QueryAt {
  readonly asset: string
  /** The outermost CTE around the cursor: those inside it cannot be asked for by name. */
  readonly cte: string | undefined
}

/** Undefined for a file that is no asset. */
export function queryAt(knowledge: Knowledge, path: string, offset: number): QueryAt | undefined {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return undefined
  const place = sqlPlaceAt(knowledge, path, offset)
  const isTransform = place?.block.path[0] === 'transform'
  const cte = isTransform ? cteAround(place.reading.statements, place.offset) : undefined
  return { asset: asset.name, cte }
}

function cteAround(queries: readonly Query[], offset: number): string | undefined {
  for (const query of queries) {
    const cte = query.ctes.find(({ range }) => range.start <= offset && offset <= range.end)
    if (cte !== undefined) return cte.name
  }
  const inner = queries.flatMap(queriesIn).filter(({ range }) => range.start <= offset && offset <= range.end)
  return inner.length === 0 ? undefined : cteAround(inner, offset)
}
