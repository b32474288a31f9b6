/**
 * Finds the expression that an engine may plan for long. Some of its rules take time that grows with the square of an
 * expression, and no engine can be interrupted while it plans: so what is large is planned here once, in a process that ends at
 * its limit, before a run plans it in its own.
 */
import type { Expression, SqlReading } from '../language/sql/tree.ts'
import { isExpression, type PlacedNode, placedNodes } from './diagnose/tree-nodes.ts'

/** The slowest known form of so many nodes, a sum of calls that are alike, is planned in a tenth of a second. */
const heavyFrom = 500

export interface HeavyExpression {
  readonly expression: Expression
  /** Names, values, operators and calls. */
  readonly parts: number
}

/** Returns the largest expression of a text; undefined if none takes long. */
export function heavyExpression({ text, statements: [query] }: SqlReading): HeavyExpression | undefined {
  // Two nodes need two characters at least.
  if (query === undefined || text.length < heavyFrom) return undefined
  const whole = new Map<PlacedNode, PlacedNode>()
  const sizes = new Map<PlacedNode, number>()
  for (const placed of placedNodes(query)) {
    if (!isExpression(placed.node)) continue
    const top = (placed.parent && whole.get(placed.parent)) ?? placed
    whole.set(placed, top)
    sizes.set(top, (sizes.get(top) ?? 0) + 1)
  }
  let largest: HeavyExpression | undefined
  for (const [{ node }, parts] of sizes)
    if (parts >= heavyFrom && parts > (largest?.parts ?? 0) && isExpression(node))
      largest = { expression: node, parts }
  return largest
}
