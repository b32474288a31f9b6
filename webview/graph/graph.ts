/** What the page gives the graph and gets from it; `mount.ts` keeps to it. */
import type { Camera } from './camera.ts'
import type { Lens } from './lens.ts'
import type { GraphInput } from './stage.ts'
import type { Scope } from './view.ts'

export interface GraphEvents {
  onSelect(id: string | null): void
  /** Enter or a click on the selected card: show its details. */
  onOpen?(id: string): void
  /** Double-click or Space: show what is around this one. */
  onFocus?(id: string): void
  onScope?(scope: Scope): void
  onExpanded?(expanded: readonly string[]): void
  onMoved?(moved: GraphInput['moved']): void
  onLens?(lens: Lens): void
  onHidden?(hidden: ReadonlySet<string>): void
  onColumn?(asset: string, column: string): void
  /** The view came to rest: worth keeping. */
  onCamera?(camera: Camera): void
}

export interface GraphOptions extends GraphEvents {
  readonly input: GraphInput
  readonly camera: Camera | null
  /** Where elkjs's worker script is; undefined: the instant layout only. */
  readonly elkUrl?: string | undefined
  readonly now?: () => number
}

export interface Graph {
  update(change: Partial<GraphInput>): void
  fit(): void
  zoomBy(factor: number): void
  /** Pans as little as is needed. */
  reveal(id: string): void
  focus(): void
  /** Reads the theme's variables again; called by itself when the body's class changes. */
  restyle(): void
  camera(): Camera
  /** Says what is wrong with the filter; undefined when nothing is. */
  problem(): string | undefined
  destroy(): void
}
