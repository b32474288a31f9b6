/** Finds the place where a test names a column of another asset. */
import { nodeAt } from '../project/locate.ts'
import type { TestDefinition } from '../schema/definition.ts'
import type { Node, ScalarNode } from '../syntax/node.ts'
import { testColumns, testKindOf } from './index.ts'

export interface TestTarget {
  readonly asset: string
  readonly column: string
  /** The scalar with `asset.column`. */
  readonly node: ScalarNode
}

/** Returns undefined if the test names none, or not in the key of its kind. */
export function testTarget(root: Node | undefined, test: TestDefinition): TestTarget | undefined {
  const target = testKindOf(test).target?.(test)
  if (target === undefined) return undefined
  const node = nodeAt(root, ['tests', test.index, test.kind, ...testColumns(test)])
  return node?.kind === 'scalar' ? { ...target, node } : undefined
}
