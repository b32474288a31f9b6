/** Which CTEs a query can name: its own, and those of the queries around it. */
import type { Cte, Query } from './query-tree.ts'

export interface CtePlace {
  /** Whose WITH it stands in. */
  readonly query: Query
  readonly index: number
  readonly cte: Cte
}

/** Nearest first. `own`: how many of the query's own are in sight; a CTE sees those before it, itself where it may recur. */
export function* ctesInSight(query: Query, own = query.ctes.length): Iterable<CtePlace> {
  let level: Query | undefined = query
  let limit = own
  while (level !== undefined) {
    for (let index = limit - 1; index >= 0; index--) {
      const cte: Cte | undefined = level.ctes[index]
      if (cte !== undefined) yield { query: level, index, cte }
    }
    const parent: Query['parent'] = level.parent
    level = parent?.query
    limit =
      parent?.kind === 'cte'
        ? parent.index + (parent.query.recursive ? 1 : 0)
        : (parent?.query.ctes.length ?? 0)
  }
}
