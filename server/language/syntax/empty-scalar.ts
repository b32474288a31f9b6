import type { ScalarNode } from './node.ts'

/** A null without a place, for keys without a value. */
export const emptyScalar: ScalarNode = {
  kind: 'scalar',
  range: { start: 0, end: 0 },
  bodyRange: { start: 0, end: 0 },
  style: 'plain',
  value: null,
}
