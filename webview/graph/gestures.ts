/**
 * Turns pointer and wheel events into gestures: a drag of the background or of a card, a click, a zoom at a
 * point.
 */
import type { Point } from './geometry.ts'

export interface GestureTarget {
  /** Returns what a drag that starts here would move; undefined for the background. */
  grab(at: Point): string | undefined
  pan(dx: number, dy: number): void
  drag(id: string, dx: number, dy: number): void
  dropped(id: string): void
  click(at: Point): void
  doubleClick(at: Point): void
  hover(at: Point | undefined): void
  zoom(factor: number, at: Point): void
  /** Called at the end of a pan or zoom. */
  rest(): void
}

/** A smaller movement counts as a click. */
const clickSlack = 4
const wheelRestMs = 180
/** The units of wheel events: pixels, lines or pages. */
const pixelsOf = [1, 16, 400]

export function listenForGestures(element: HTMLElement, target: GestureTarget, ended: AbortSignal): void {
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ) => element.addEventListener(type, listener, { signal: ended, passive })
  const pointers = new Map<number, Point>()
  let drag: { id: string | undefined; start: Point; last: Point; moved: boolean } | undefined
  let resting: ReturnType<typeof setTimeout> | undefined
  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.x, y: event.clientY - box.y }
  }

  on('pointerdown', event => {
    if (event.button !== 0 || event.target !== element) return
    element.setPointerCapture(event.pointerId)
    const start = at(event)
    pointers.set(event.pointerId, start)
    drag = pointers.size === 1 ? { id: target.grab(start), start, last: start, moved: false } : undefined
  })
  on('pointermove', event => {
    const now = at(event)
    const before = pointers.get(event.pointerId)
    if (before === undefined) return target.hover(now)
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (pointers.size === 2 && other !== undefined) pinch(target, other, before, now)
    pointers.set(event.pointerId, now)
    if (drag === undefined) return
    if (Math.hypot(now.x - drag.start.x, now.y - drag.start.y) > clickSlack) drag.moved = true
    if (!drag.moved) return
    const [dx, dy] = [now.x - drag.last.x, now.y - drag.last.y]
    drag.last = now
    if (drag.id === undefined) target.pan(dx, dy)
    else target.drag(drag.id, dx, dy)
  })
  const release = (event: PointerEvent) => {
    pointers.delete(event.pointerId)
    const done = drag
    drag = undefined
    if (done === undefined) return
    if (!done.moved) {
      if (event.type === 'pointerup') target.click(at(event))
    } else if (done.id === undefined) target.rest()
    else target.dropped(done.id)
  }
  on('pointerup', release)
  on('pointercancel', release)
  on('pointerleave', () => target.hover(undefined))
  on('dblclick', event => target.doubleClick(at(event)))
  on(
    'wheel',
    event => {
      event.preventDefault()
      const unit = pixelsOf[event.deltaMode] ?? 1
      if (event.shiftKey) target.pan(-(event.deltaX || event.deltaY) * unit, 0)
      else target.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0015)), at(event))
      clearTimeout(resting)
      resting = setTimeout(() => target.rest(), wheelRestMs)
    },
    false,
  )
  ended.addEventListener('abort', () => clearTimeout(resting))
}

/** Handles two fingers: one stays at `other`, the other one moves. */
function pinch(target: GestureTarget, other: Point, before: Point, now: Point): void {
  const apart = Math.hypot(before.x - other.x, before.y - other.y)
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
  if (apart > 0) target.zoom(Math.hypot(now.x - other.x, now.y - other.y) / apart, middle)
  target.pan((now.x - before.x) / 2, (now.y - before.y) / 2)
}
