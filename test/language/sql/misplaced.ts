import type { SqlReading } from '../../../server/language/sql/tree.ts'
import { childrenOf, type SqlNode, walk } from '../../../server/language/sql/walk.ts'

/** Nodes that reach out of the node around them. */
export function misplaced(reading: SqlReading): string[] {
  return each(reading, (node, parent) =>
    parent !== undefined && (node.start < parent.start || node.end > parent.end)
      ? [`${node.kind} in ${parent.kind}`]
      : [],
  )
}

/** Nodes that reach into the next one; of a query with its clauses in the wrong order some must. */
export function overlapping(reading: SqlReading): string[] {
  return each(reading, node => {
    // ORDER BY and LIMIT of a plain SELECT are the query's and lie within the SELECT.
    const children = node.kind === 'query' ? [] : childrenOf(node)
    return children.flatMap((child, index) =>
      child.end > (children[index + 1]?.start ?? child.end) ? [`${child.kind} of ${node.kind}`] : [],
    )
  })
}

type Check = (node: SqlNode, parent: SqlNode | undefined) => readonly string[]

function each({ statements }: SqlReading, check: Check): string[] {
  const found: string[] = []
  for (const statement of statements)
    walk(statement, {
      enter: (node, parent) => {
        found.push(...check(node, parent))
        return true
      },
    })
  return found
}
