/**
 * What the colour of a card stands for, and the words and glyphs that say the same without colour. The legend lists the
 * entries of the lens; switching one off hides its cards. Pure.
 */
import type { Freshness, GraphNode, NodeKind, NodeStatus } from './model.ts'
export type Lens = 'kind' | 'status' | 'freshness' | 'tests'
export type ColourRole = NodeKind | 'group' | 'pass' | 'fail' | 'warn' | 'idle' | 'running'
export interface LegendEntry {
  readonly key: string
  readonly word: string
  readonly glyph: string
  readonly role: ColourRole
}
export interface Facts {
  readonly kind: NodeKind
  readonly status: NodeStatus
  readonly freshness: Freshness | null
  readonly tests: {
    readonly total: number
    readonly failed: number
  }
}
export declare function legendOf(lens: Lens): readonly LegendEntry[]
/** The entry that a card belongs to. */
export declare function entryOf(lens: Lens, facts: Facts): LegendEntry
/** The mark in the corner of a card: what is worst of it. undefined: an exposure has none. */
export declare function markOf(facts: Facts): LegendEntry | undefined
/** The second line of a card. */
export declare function detailOf(node: GraphNode, status: NodeStatus): string
/** `3.0 M rows`: as much as a card has room for. */
export declare function rowsText(rows: number | null): string
