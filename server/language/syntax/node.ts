import type { Range } from '../text/range.ts'

/**
 * The positioned YAML tree that both parsers (the fast one and the error-recovering one) produce. Ranges
 * cover the source text of the value, including quotes and block-scalar header; `bodyRange` is the content.
 */
export type Node = ScalarNode | MapNode | SequenceNode

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly range: Range
  /** The range without quotes; for a block scalar the lines below the header. */
  readonly bodyRange: Range
  readonly style: ScalarStyle
  readonly value: string | number | boolean | null
}

/** Makes a scalar; without a range of its own the body is all of it. */
export function scalarNode(
  style: ScalarStyle,
  value: ScalarNode['value'],
  range: Range,
  bodyRange = range,
): ScalarNode {
  return { kind: 'scalar', range, bodyRange, style, value }
}

export interface MapEntry {
  readonly key: ScalarNode
  /** Absent if the text ends after the colon. */
  readonly value: Node | undefined
}

export interface MapNode {
  readonly kind: 'map'
  readonly range: Range
  readonly entries: readonly MapEntry[]
}

export interface SequenceNode {
  readonly kind: 'sequence'
  readonly range: Range
  readonly items: readonly Node[]
}

/** The path to a node: keys of mappings and indices of sequences, from the document's root. */
export type NodePath = readonly (string | number)[]
