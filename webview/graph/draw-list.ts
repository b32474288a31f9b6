/**
 * One frame as data: the visible items in graph units, with the detail that the zoom allows. Tests compare
 * it; `paint.ts` draws it on the canvas. Pure.
 */
import { type Camera, type Size, viewBox } from './camera.ts'
import type { LineStyle } from './drawn-path.ts'
import { type Box, cardHeight, cardWidth, columnHeight, overlaps, type Point } from './geometry.ts'
import type { ColourRole } from './lens.ts'
import { type Card, headRow, type Scene } from './scene.ts'

/** `blocks`: coloured boxes; `cards`: outlines, large names and marks; `full`: everything. */
export type Detail = 'blocks' | 'cards' | 'full'

export interface Curves {
  /** Of a column's path: `column` where it is passed on, `computed`, and `hidden` where it only decides. */
  readonly style: 'plain' | 'dim' | 'lit' | 'hidden' | 'column' | 'computed' | 'cycle'
  /** x and y of the start and of the end of each. */
  readonly ends: readonly number[]
}

export interface Blocks {
  readonly role: ColourRole
  readonly dim: boolean
  /** x, y, width, height of each. */
  readonly boxes: readonly number[]
}

export interface DrawnCard {
  readonly card: Card
  readonly dim: boolean
  readonly selected: boolean
  readonly hovered: boolean
}

export interface DrawList {
  readonly camera: Camera
  readonly detail: Detail
  /** At a small zoom curves are drawn as straight lines. */
  readonly straight: boolean
  readonly curves: readonly Curves[]
  readonly blocks: readonly Blocks[]
  readonly cards: readonly DrawnCard[]
}

function detailOf(zoom: number): Detail {
  return zoom < 0.22 ? 'blocks' : zoom < 0.72 ? 'cards' : 'full'
}

export function makeDrawList(scene: Scene, camera: Camera, screen: Size): DrawList {
  const detail = detailOf(camera.zoom)
  const view = grown(viewBox(camera, screen), 24)
  const inView = scene.cards.map(card => overlaps(card, view))
  const blocks = detail === 'blocks' ? blocksOf(scene, inView) : []
  return {
    camera,
    detail,
    straight: detail === 'blocks',
    curves: curvesOf(scene, inView, view, detail),
    blocks,
    cards: detail === 'blocks' ? selectedOnly(scene) : drawnCards(scene, inView),
  }
}

function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

function isDim({ lit }: Scene, card: number): boolean {
  return lit !== undefined && !lit.cards.has(card)
}

function drawnCards(scene: Scene, inView: readonly boolean[]): DrawnCard[] {
  const drawn: DrawnCard[] = []
  scene.cards.forEach((card, index) => {
    if (inView[index] !== true) return
    drawn.push({
      card,
      dim: isDim(scene, index),
      selected: index === scene.selected,
      hovered: index === scene.hovered,
    })
  })
  return drawn
}

/** Among blocks, only the selected card is drawn as a card. */
function selectedOnly({ cards, selected }: Scene): DrawnCard[] {
  const card = selected === undefined ? undefined : cards[selected]
  return card === undefined ? [] : [{ card, dim: false, selected: true, hovered: false }]
}

function blocksOf(scene: Scene, inView: readonly boolean[]): Blocks[] {
  const batches = new Map<string, { role: ColourRole; dim: boolean; boxes: number[] }>()
  scene.cards.forEach((card, index) => {
    if (inView[index] !== true) return
    const dim = isDim(scene, index)
    const key = `${card.role} ${dim}`
    const batch = batches.get(key) ?? { role: card.role, dim, boxes: [] }
    batches.set(key, batch)
    batch.boxes.push(card.x, card.y, card.width, card.height)
  })
  // Highlighted edges are drawn last, on top.
  return [...batches.values()].sort((a, b) => Number(b.dim) - Number(a.dim))
}

/**
 * At a small zoom returns all edges that cross the view; otherwise only those that end in it, because the
 * others would be lines without visible ends.
 */
function curvesOf(scene: Scene, inView: readonly boolean[], view: Box, detail: Detail): Curves[] {
  const byColumn = scene.columnEdges.length > 0
  // In the order in which they are drawn.
  const ends: Record<Curves['style'], number[]> = {
    plain: [],
    dim: [],
    lit: [],
    hidden: columnEnds(scene, 'hidden'),
    column: columnEnds(scene, 'same'),
    computed: columnEnds(scene, 'computed'),
    cycle: [],
  }
  for (const [index, { from, to }] of scene.edges.entries()) {
    const [start, end] = [scene.cards[from], scene.cards[to]]
    if (start === undefined || end === undefined) continue
    const isLit = scene.lit?.edges.has(index) === true
    if (inView[from] !== true && inView[to] !== true) {
      if (detail !== 'blocks' && !isLit) continue
      if (!crosses(start, end, view)) continue
    }
    const isCycle = scene.cycles.some(cards => cards.has(from) && cards.has(to))
    const others = scene.lit !== undefined || byColumn ? 'dim' : 'plain'
    const style = isCycle ? 'cycle' : isLit ? 'lit' : others
    pushWay(ends[style], start, scene.ways.get(index), end)
  }
  const curves = Object.entries(ends).map(([style, list]) => ({
    style: style as Curves['style'],
    ends: list,
  }))
  return curves.filter(each => each.ends.length > 0)
}

/** Adds the path from card to card, through the passages between. */
function pushWay(list: number[], start: Box, way: readonly Point[] | undefined, end: Box): void {
  list.push(start.x + start.width, start.y + cardHeight / 2)
  for (const { x, y } of way ?? []) list.push(x, y, x, y, x + cardWidth, y, x + cardWidth, y)
  list.push(end.x, end.y + cardHeight / 2)
}

function crosses(start: Box, end: Box, view: Box): boolean {
  const [left, right] = [Math.min(start.x, end.x), Math.max(start.x, end.x)]
  const [top, bottom] = [Math.min(start.y, end.y), Math.max(start.y, end.y)]
  return overlaps(
    { x: left, y: top, width: right - left + start.width, height: bottom - top + start.height },
    view,
  )
}

function columnEnds({ cards, columnEdges }: Scene, wanted: LineStyle): number[] {
  return columnEdges.flatMap(({ from, to, style }) => {
    const [start, end] = [cards[from.card], cards[to.card]]
    if (style !== wanted || start === undefined || end === undefined) return []
    return [start.x + start.width, rowMiddle(start, from.row), end.x, rowMiddle(end, to.row)]
  })
}

export function rowMiddle(card: Box, row: number): number {
  if (row === headRow) return card.y + cardHeight / 2
  return card.y + cardHeight + row * columnHeight + columnHeight / 2
}
