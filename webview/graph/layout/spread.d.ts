/** Sets `middles` of the nodes of `column`. */
export declare function spread(
  column: readonly number[],
  heights: readonly number[],
  middles: number[],
  wishOf: (node: number) => number,
): void
