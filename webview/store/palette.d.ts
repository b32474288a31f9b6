/**
 * What the command palette lists for what was typed: assets by name, then by description, then actions; what was opened
 * last where nothing is typed. Pure.
 */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  /** The description of an asset, the effect of an action. */
  readonly detail: string
  readonly kind: 'source' | 'model' | 'exposure' | 'action'
}
export interface PaletteHit {
  readonly item: PaletteItem
  /** Where the typed words are in the label, from (inclusive) and to (exclusive), in order and apart. */
  readonly marks: readonly (readonly [number, number])[]
}
export declare function paletteHits(
  items: readonly PaletteItem[],
  typed: string,
  recent?: readonly string[],
): readonly PaletteHit[]
