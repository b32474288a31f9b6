/** Moves a card without a drag (WCAG 2.5.7): by a click on its new place, or step by step with the arrows. */
import { cardHeight, cardWidth, type Point } from './geometry.ts'

/** The step of an arrow in graph units. */
const step = 24

export type Placing = ReturnType<typeof makePlacing>

/** `selected` returns the place of the selected card; `moved` receives its new upper left corner. */
export function makePlacing(target: {
  selected(): Point | undefined
  moved(to: Point): void
  changed(): void
}) {
  let on = false
  function turn(next: boolean): void {
    on = next && target.selected() !== undefined
    target.changed()
  }
  return {
    /** Whether the next click sets the place of the selected card. */
    isOn: (): boolean => on,
    turn,
    /** Moves the card's middle to `at`. */
    place(at: Point): void {
      turn(false)
      target.moved({ x: at.x - cardWidth / 2, y: at.y - cardHeight / 2 })
    },
    shift(dx: number, dy: number): void {
      const at = target.selected()
      if (at !== undefined) target.moved({ x: at.x + dx * step, y: at.y + dy * step })
    },
  }
}
