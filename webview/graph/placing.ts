/** Moving a card without a drag (WCAG 2.5.7): by a click on where it is to stand, or by steps of the arrows. */
import { cardHeight, cardWidth, type Point } from './geometry.ts'

/** What an arrow moves a card by, in graph units. */
const step = 24

export interface Placing {
  /** The next click says where the selected card is to stand. */
  isOn(): boolean
  turn(on: boolean): void
  /** Its middle comes to `at`. */
  place(at: Point): void
  shift(dx: number, dy: number): void
}

/** `selected` tells where the selected card is; `moved` takes where its upper left corner is to be. */
export function makePlacing(target: {
  selected(): Point | undefined
  moved(to: Point): void
  changed(): void
}): Placing {
  let on = false
  function turn(next: boolean): void {
    on = next && target.selected() !== undefined
    target.changed()
  }
  return {
    isOn: () => on,
    turn,
    place(at) {
      turn(false)
      target.moved({ x: at.x - cardWidth / 2, y: at.y - cardHeight / 2 })
    },
    shift(dx, dy) {
      const at = target.selected()
      if (at !== undefined) target.moved({ x: at.x + dx * step, y: at.y + dy * step })
    },
  }
}
