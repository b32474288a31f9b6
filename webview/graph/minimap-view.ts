/**
 * The minimap on the page: redrawn only when cards move or change; its frame is redrawn with every camera.
 */
import { type Camera, type Size, viewBox } from './camera.ts'
import type { Frame } from './frame.ts'
import { boundsOf, type Point } from './geometry.ts'
import { fromMinimap, minimapFit, minimapFrame, minimapSize, paintMinimap } from './minimap.ts'
import { surfaceOf } from './page.ts'
import type { Card, Scene } from './scene.ts'
import type { Theme } from './theme.ts'

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
