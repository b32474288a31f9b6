import type { ScalarNode } from './node.ts'

/** A null that stands nowhere: for keys with nothing behind them. */
export const emptyScalar: ScalarNode = {
  kind: 'scalar',
  range: { start: 0, end: 0 },
  bodyRange: { start: 0, end: 0 },
  style: 'plain',
  value: null,
}
