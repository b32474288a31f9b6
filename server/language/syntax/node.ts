import type { Range } from '../text/range.ts'

/**
 * The positioned YAML tree: what both parsers (the fast one and the one that recovers from errors) produce.
 * Ranges cover the source text of the value, quotes and block-scalar header included; `bodyRange` is the content.
 */
export type Node = ScalarNode | MapNode | SequenceNode

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly range: Range
  /** Without quotes; for a block scalar the lines below the header. */
  readonly bodyRange: Range
  readonly style: ScalarStyle
  readonly value: string | number | boolean | null
}

export interface MapEntry {
  readonly key: ScalarNode
  /** Absent where the text ends after the colon. */
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

/** The way to a node: keys of mappings and indexes of sequences, from the document's root. */
export type NodePath = readonly (string | number)[]
