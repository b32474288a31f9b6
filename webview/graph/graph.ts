/** What the page gives the graph, and hears from it. */
import type { Camera } from './camera.ts'
import type { Lens } from './lens.ts'
import type { GraphInput } from './stage.ts'
import type { Scope } from './view.ts'

export interface GraphEvents {
  onSelect(id: string | null): void
  /** Enter or a click on the selected card: shows its details. */
  onOpen?(id: string): void
  /** Double-click or Space: shows the cards around this one. */
  onFocus?(id: string): void
  onScope?(scope: Scope): void
  onExpanded?(expanded: readonly string[]): void
  onMoved?(moved: GraphInput['moved']): void
  onLens?(lens: Lens): void
  onHidden?(hidden: ReadonlySet<string>): void
  onColumn?(asset: string, column: string): void
  /** Called when another number of the columns of the path is shown. */
  onPathShown?(columns: number): void
  /** Called when the camera has stopped, to store it. */
  onCamera?(camera: Camera): void
}

export interface GraphOptions extends GraphEvents {
  readonly input: GraphInput
  readonly camera: Camera | null
  /** The address of elkjs's worker script; if undefined, only the instant layout is used. */
  readonly elkUrl?: string | undefined
}
