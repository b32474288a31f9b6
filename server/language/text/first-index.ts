/** The first index from which on all items are as asked; the length of the list if none is. */
export function firstIndex<T>(items: readonly T[], isReached: (item: T) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isReached(item)) high = middle
    else low = middle + 1
  }
  return low
}
