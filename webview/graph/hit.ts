/**
 * Finds the item under a point of the screen. Targets are never smaller than 24 pixels, at any zoom (WCAG
 * 2.5.8). Pure.
 */
import { type Camera, toGraph } from './camera.ts'
import { type Box, cardHeight, columnHeight, type Point } from './geometry.ts'
import type { Card } from './scene.ts'

export type Hit =
  | { readonly type: 'card'; readonly index: number }
  | { readonly type: 'more'; readonly index: number; readonly side: 'up' | 'down' }
  | { readonly type: 'column'; readonly index: number; readonly row: number }

const leastTarget = 24
const moreWidth = 30

/** At a smaller zoom `+3` would be unreadable. */
export function showsMore(zoom: number): boolean {
  return zoom >= 0.45
}

/** Returns the topmost card; undefined for the background. */
export function hitAt(cards: readonly Card[], camera: Camera, screen: Point): Hit | undefined {
  const at = toGraph(camera, screen)
  const least = leastTarget / camera.zoom
  const withMore = showsMore(camera.zoom)
  let near: number | undefined
  for (let index = cards.length - 1; index >= 0; index--) {
    const card = cards[index]
    if (card === undefined) continue
    if (contains(card, at)) return inside(card, index, at)
    if (withMore) {
      const side = moreSideAt(card, at)
      if (side !== undefined) return { type: 'more', index, side }
    }
    if (near === undefined && contains(atLeast(card, least), at)) near = index
  }
  return near === undefined ? undefined : { type: 'card', index: near }
}

/** Returns undefined if there is no card. */
export function nearestCard(cards: readonly Card[], { x, y }: Point): Card | undefined {
  const far = (card: Card) => Math.hypot(card.x + card.width / 2 - x, card.y + card.height / 2 - y)
  let nearest: Card | undefined
  for (const card of cards) if (nearest === undefined || far(card) < far(nearest)) nearest = card
  return nearest
}

function inside(card: Card, index: number, at: Point): Hit {
  const row = Math.floor((at.y - card.y - cardHeight) / columnHeight)
  return row >= 0 && row < card.columns.length ? { type: 'column', index, row } : { type: 'card', index }
}

function moreSideAt(card: Card, at: Point): 'up' | 'down' | undefined {
  if (card.hiddenUp > 0 && contains(moreBox(card, 'up'), at)) return 'up'
  return card.hiddenDown > 0 && contains(moreBox(card, 'down'), at) ? 'down' : undefined
}

/** Returns the box of `+3`: left of the card for hidden upstream, right of it for hidden downstream. */
export function moreBox(card: Box, side: 'up' | 'down'): Box {
  const x = side === 'up' ? card.x - moreWidth - 4 : card.x + card.width + 4
  return { x, y: card.y + cardHeight / 2 - leastTarget / 2, width: moreWidth, height: leastTarget }
}

function atLeast({ x, y, width, height }: Box, least: number): Box {
  const [wider, higher] = [Math.max(0, least - width) / 2, Math.max(0, least - height) / 2]
  return { x: x - wider, y: y - higher, width: width + 2 * wider, height: height + 2 * higher }
}

function contains({ x, y, width, height }: Box, at: Point): boolean {
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height
}
