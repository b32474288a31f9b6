/** What a layout is asked, by position in the list of what is shown, and what it answers. */
import type { Point } from '../geometry.ts'
import type { GraphEdge } from '../model.ts'

export interface LayoutGraph {
  readonly edges: readonly GraphEdge[]
  readonly parents: readonly (readonly number[])[]
  readonly children: readonly (readonly number[])[]
  /** In graph units; open cards are higher. */
  readonly heights: readonly number[]
}

/** The upper left corner of each node. */
export type Positions = readonly Point[]

/**
 * By position of the edge: where it goes through the columns between its ends, from left to right, so that it is not
 * drawn behind their cards. Each place is the beginning of a passage as wide as a card.
 */
export type Ways = ReadonlyMap<number, readonly Point[]>

export interface Layout {
  readonly positions: Positions
  readonly ways: Ways
}

export const noWays: Ways = new Map()
