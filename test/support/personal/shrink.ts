/** The smallest query for which the same is wrong, found by drawing fewer and smaller numbers. */
import { replayed } from './random/choices.ts'
import { type RandomQuery, randomQuery } from './random/queries.ts'

const mostTries = 260

export async function shrunk(
  drawn: readonly number[],
  isWrong: (query: RandomQuery) => Promise<boolean>,
): Promise<RandomQuery> {
  let best = made(drawn)
  let tries = 0
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    if (tries >= mostTries) return false
    const next = made(candidate)
    if (next.query.sql.length >= best.query.sql.length) return false
    tries++
    if (!(await isWrong(next.query))) return false
    best = next
    return true
  }
  for (let size = Math.ceil(best.drawn.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = best.drawn.length - size; start >= 0; start -= size) {
      if (await attempt(without(best.drawn, start, size))) continue
      await attempt(zeroed(best.drawn, start, size))
    }
  }
  return best.query
}

function made(drawn: readonly number[]) {
  const choices = replayed(drawn)
  const query = randomQuery(choices)
  return { query, drawn: choices.drawn }
}

function without(drawn: readonly number[], start: number, size: number): readonly number[] {
  return [...drawn.slice(0, start), ...drawn.slice(start + size)]
}

function zeroed(drawn: readonly number[], start: number, size: number): readonly number[] {
  return drawn.map((value, index) => (index >= start && index < start + size ? 0 : value))
}
