/**
 * Every decision of the generator is a number drawn here. The list of what was drawn makes the same query again, and
 * a shorter list with smaller numbers makes a simpler one: the first of several things to pick is the simplest.
 */
import { seededRandom } from '../../random.ts'

export interface Choices {
  /** 0 <= n < limit. */
  below(limit: number): number
  /** True in `percent` of 100. */
  chance(percent: number): boolean
  pick<T>(items: readonly T[]): T
  /** `count` of the items, in any order. */
  some<T>(items: readonly T[], count: number): T[]
  readonly drawn: readonly number[]
}

export function randomChoices(seed: number): Choices {
  const random = seededRandom(seed)
  return choicesFrom(limit => random.below(limit))
}

/** What was drawn before, zeros after its end. */
export function replayed(drawn: readonly number[]): Choices {
  let next = 0
  return choicesFrom(limit => (drawn[next++] ?? 0) % limit)
}

function choicesFrom(draw: (limit: number) => number): Choices {
  const drawn: number[] = []
  const below = (limit: number): number => {
    if (limit <= 1) return 0
    const value = draw(limit)
    drawn.push(value)
    return value
  }
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return {
    below,
    chance: percent => below(100) >= 100 - percent,
    pick,
    some(items, count) {
      const left = [...items]
      return Array.from({ length: Math.min(count, items.length) }, () => {
        const [item] = left.splice(below(left.length), 1)
        return item as (typeof items)[number]
      })
    },
    drawn,
  }
}
