/** Input and output of a layout, by position in the list of shown nodes. */
import type { Point } from '../geometry.ts'
import type { GraphEdge } from '../model.ts'

export interface LayoutGraph {
  readonly edges: readonly GraphEdge[]
  readonly parents: readonly (readonly number[])[]
  readonly children: readonly (readonly number[])[]
  /** Heights in graph units; cards with open columns are higher. */
  readonly heights: readonly number[]
}

/** The upper left corner of each node. */
export type Positions = readonly Point[]

/**
 * By position of the edge: the points through which it passes the columns between its ends, from left to
 * right, so that it is not drawn behind their cards. Each point is the start of a passage as wide as a card.
 */
export type Ways = ReadonlyMap<number, readonly Point[]>

export interface Layout {
  readonly positions: Positions
  readonly ways: Ways
}

export const noWays: Ways = new Map()
