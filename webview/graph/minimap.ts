/** The whole graph in a corner, with the visible part marked; a click or a drag moves the view there. */
import type { Camera, Size } from './camera.ts'
import { viewBox } from './camera.ts'
import { type Box, boundsOf, type Point } from './geometry.ts'
import type { Surface } from './paint.ts'
import type { Card } from './scene.ts'
import type { Theme } from './theme.ts'

export const minimapSize: Size = { width: 168, height: 104 }
const margin = 6

export interface MinimapFit {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** Returns the mapping from graph units to pixels of the minimap; undefined if there are no cards. */
export function minimapFit(cards: readonly Card[]): MinimapFit | undefined {
  const box = boundsOf(cards)
  if (box === undefined) return undefined
  const [width, height] = [minimapSize.width - 2 * margin, minimapSize.height - 2 * margin]
  const scale = Math.min(width / box.width, height / box.height)
  return {
    scale,
    x: margin + (width - box.width * scale) / 2 - box.x * scale,
    y: margin + (height - box.height * scale) / 2 - box.y * scale,
  }
}

export function fromMinimap({ scale, x, y }: MinimapFit, at: Point): Point {
  return { x: (at.x - x) / scale, y: (at.y - y) / scale }
}

/** Returns the frame that shows the visible part. */
export function minimapFrame({ scale, x, y }: MinimapFit, camera: Camera, screen: Size): Box {
  const view = viewBox(camera, screen)
  return {
    x: view.x * scale + x,
    y: view.y * scale + y,
    width: view.width * scale,
    height: view.height * scale,
  }
}

export function paintMinimap(surface: Surface, cards: readonly Card[], fit: MinimapFit, theme: Theme): void {
  const { context, width, height, pixelRatio } = surface
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  context.fillStyle = theme.card
  context.fillRect(0, 0, width, height)
  for (const card of cards) {
    context.fillStyle = theme.roles[card.role]
    context.fillRect(
      card.x * fit.scale + fit.x,
      card.y * fit.scale + fit.y,
      Math.max(1.5, card.width * fit.scale),
      Math.max(1.5, card.height * fit.scale),
    )
  }
}
