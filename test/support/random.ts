/** A small seeded generator (mulberry32), so that a property test that fails can be run again. */
export interface Random {
  /** 0 <= x < 1. */
  next(): number
  /** 0 <= n < limit. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    below: limit => Math.floor(next() * limit),
    pick: items => items[Math.floor(next() * items.length)] as (typeof items)[number],
  }
}
