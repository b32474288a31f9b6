/**
 * The content of the canvas apart from the camera: cards with their places, edges, highlights. Made again
 * when something changes.
 */

import type { ColumnPath } from '../protocol.ts'
import { type DrawnColumn, drawnPath, type LineStyle } from './drawn-path.ts'
import { type Box, cardHeight, cardWidth, columnHeight } from './geometry.ts'
import { grouped } from './grouped.ts'
import type { Positions, Ways } from './layout/layout-graph.ts'
import { type ColourRole, detailOf, entryOf, type Facts, type Lens, markOf } from './lens.ts'
import type { Lit } from './lit.ts'
import type { GraphModel, GraphNode, NodeKind, NodeStatus } from './model.ts'
import { rollupOf } from './rollup.ts'
import type { ShownNode, View } from './view.ts'

/** `target` is a `square` with a bar at its end, because data leave the project there. */
export type Shape = 'square' | 'round' | 'target' | 'pill' | 'folder'

export interface Card extends Box {
  readonly id: string
  readonly shape: Shape
  readonly role: ColourRole
  readonly title: string
  /** The short name that replaces title and detail at a small zoom. */
  readonly short: string
  readonly detail: string
  readonly mark: { readonly glyph: string; readonly role: ColourRole } | undefined
  readonly running: boolean
  readonly hiddenUp: number
  readonly hiddenDown: number
  /** The columns on the path of the chosen one. */
  readonly columns: readonly DrawnColumn[]
}

export interface Scene {
  readonly cards: readonly Card[]
  readonly edges: View['edges']
  readonly ways: Ways
  readonly columnEdges: readonly ColumnEdge[]
  /** The cards that read each other. */
  readonly cycles: readonly ReadonlySet<number>[]
  readonly selected: number | undefined
  readonly hovered: number | undefined
  /** What is highlighted; if undefined, nothing is dimmed. */
  readonly lit: Lit | undefined
  /** Increased when cards or edges move, which invalidates everything derived from them. */
  readonly revision: number
}

/** The row of the head of a card, which is the whole asset. */
export const headRow = -1

export interface ColumnEdge {
  readonly from: { readonly card: number; readonly row: number }
  readonly to: { readonly card: number; readonly row: number }
  readonly style: LineStyle
}

export interface CardOptions {
  readonly lens: Lens
  readonly live: ReadonlyMap<string, NodeStatus>
  readonly path: ColumnPath | null
}

export function heightsOf(view: View, path: ColumnPath | null): number[] {
  const columns = grouped(path === null ? [] : drawnPath(path).columns, ({ asset }) => asset)
  return view.nodes.map(node => {
    const count = columns.get(node.id)?.length ?? 0
    return cardHeight + (count === 0 ? 0 : count * columnHeight + 6)
  })
}

const noColumns: Card['columns'] = []

export function makeCards(
  model: GraphModel,
  view: View,
  positions: Positions,
  heights: readonly number[],
  options: CardOptions,
): Card[] {
  const columns = grouped(options.path === null ? [] : drawnPath(options.path).columns, ({ asset }) => asset)
  return view.nodes.map((shown, index) => {
    const place = positions[index] ?? { x: 0, y: 0 }
    const facts = factsOf(model, shown, options.live)
    const mark = markOf(facts)
    return {
      // Properties are copied one by one: V8 grows an object that starts as a copy of a small one property by
      // property, which is 50 times as slow.
      x: place.x,
      y: place.y,
      width: cardWidth,
      height: heights[index] ?? cardHeight,
      id: shown.id,
      shape: shown.node === undefined ? 'folder' : shapes[shown.node.kind],
      role: options.lens === 'kind' && shown.node === undefined ? 'group' : entryOf(options.lens, facts).role,
      title: shown.label,
      short: shown.node === undefined ? `${shown.label} · ${shown.members.length}` : shown.label,
      detail: detailText(shown, facts),
      mark: mark === undefined ? undefined : { glyph: mark.glyph, role: mark.role },
      running: facts.status === 'running',
      hiddenUp: shown.hiddenUp,
      hiddenDown: shown.hiddenDown,
      columns: columns.get(shown.id) ?? noColumns,
    }
  })
}

/** Returns the facts of a card; of a folder the worst facts in it. */
export function factsOf(
  model: GraphModel,
  { node, members }: ShownNode,
  live: ReadonlyMap<string, NodeStatus>,
): Facts {
  const statusOf = (each: GraphNode) => live.get(each.id) ?? each.status
  if (node !== undefined) return live.has(node.id) ? { ...node, status: statusOf(node) } : node
  const nodes = members.flatMap(member => model.nodes[member] ?? [])
  return rollupOf(nodes, statusOf)
}

function detailText({ node, members }: ShownNode, facts: Facts): string {
  if (node !== undefined) return detailOf(node, facts.status)
  const { failed } = facts.tests
  return `${members.length} assets${failed > 0 ? ` · ${failed} ${failed === 1 ? 'test fails' : 'tests fail'}` : ''}`
}

export const shapes: Readonly<Record<NodeKind, Shape>> = {
  source: 'square',
  model: 'round',
  publish: 'target',
  exposure: 'pill',
}

/** Returns the lines of the path whose two ends are both on shown cards. */
export function columnEdgesOf(view: View, path: ColumnPath | null): ColumnEdge[] {
  if (path === null) return []
  const rows = new Map<string, number>()
  const counts = new Map<string, number>()
  const { columns, lines } = drawnPath(path)
  for (const { asset, column } of columns) {
    const row = counts.get(asset) ?? 0
    counts.set(asset, row + 1)
    rows.set(`${asset}\n${column}`, row)
  }
  const end = ({ asset, column }: { readonly asset: string; readonly column?: string }) => {
    const card = view.indexOf.get(asset)
    const row = column === undefined ? headRow : rows.get(`${asset}\n${column}`)
    return card === undefined || row === undefined ? undefined : { card, row }
  }
  return lines.flatMap(({ style, ...line }) => {
    const [from, to] = [end(line.from), end(line.to)]
    return from === undefined || to === undefined ? [] : [{ from, to, style }]
  })
}
