/**
 * The whole graph in a corner, with the visible part marked; a click or a drag moves the view there. Redrawn only when cards
 * move or change; its frame is redrawn with every camera.
 */
import { type Camera, type Size, viewBox } from './camera.ts'
import type { Frame } from './frame.ts'
import { type Box, boundsOf, type Point } from './geometry.ts'
import { surfaceOf } from './page.ts'
import type { Surface } from './paint.ts'
import type { Card, Scene } from './scene.ts'
import type { Theme } from './theme.ts'

export const minimapSize: Size = { width: 168, height: 104 }
const margin = 6

/** Returns whether all cards are in view, so that no map is needed. */
function isWhole(cards: readonly Card[], camera: Camera, screen: Size): boolean {
  const [all, view] = [boundsOf(cards), viewBox(camera, screen)]
  return (
    all === undefined ||
    (isWithin(all.x, all.width, view.x, view.width) && isWithin(all.y, all.height, view.y, view.height))
  )
}

/** Returns whether the interval is inside the other. */
function isWithin(start: number, length: number, from: number, room: number): boolean {
  return start >= from && start + length <= from + room
}

/** Returns what draws it. */
export function makeMinimap(
  { minimap: canvas, minimapView }: Frame,
  target: { look(at: Point): void; rest(): void },
  signal: AbortSignal,
) {
  let drawn: { revision: number; theme: Theme } | undefined
  let cards: readonly Card[] = []

  function jump(event: PointerEvent): void {
    const fit = minimapFit(cards)
    if (fit === undefined || event.buttons !== 1) return
    const box = canvas.getBoundingClientRect()
    target.look(fromMinimap(fit, { x: event.clientX - box.x, y: event.clientY - box.y }))
  }
  canvas.addEventListener('pointerdown', jump, { signal })
  canvas.addEventListener('pointermove', jump, { signal })
  canvas.addEventListener('pointerup', () => target.rest(), { signal })

  return (scene: Scene, camera: Camera, screen: Size, theme: Theme): void => {
    cards = scene.cards
    const fit = minimapFit(cards)
    const isHidden = fit === undefined || isWhole(cards, camera, screen)
    if (canvas.parentElement !== null) canvas.parentElement.hidden = isHidden
    if (isHidden) return
    const { x, y, width, height } = minimapFrame(fit, camera, screen)
    minimapView.style.transform = `translate(${x}px, ${y}px)`
    minimapView.style.width = `${width}px`
    minimapView.style.height = `${height}px`
    if (drawn?.revision === scene.revision && drawn.theme === theme) return
    const surface = surfaceOf(canvas, minimapSize)
    if (surface === undefined) return
    drawn = { revision: scene.revision, theme }
    paintMinimap(surface, cards, fit, theme)
  }
}

interface MinimapFit {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** Returns the mapping from graph units to pixels of the minimap; undefined if there are no cards. */
function minimapFit(cards: readonly Card[]): MinimapFit | undefined {
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

function fromMinimap({ scale, x, y }: MinimapFit, at: Point): Point {
  return { x: (at.x - x) / scale, y: (at.y - y) / scale }
}

/** Returns the frame that shows the visible part. */
function minimapFrame({ scale, x, y }: MinimapFit, camera: Camera, screen: Size): Box {
  const view = viewBox(camera, screen)
  return {
    x: view.x * scale + x,
    y: view.y * scale + y,
    width: view.width * scale,
    height: view.height * scale,
  }
}

function paintMinimap(surface: Surface, cards: readonly Card[], fit: MinimapFit, theme: Theme): void {
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
