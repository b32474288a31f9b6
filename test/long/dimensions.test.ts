/**
 * The dimensions in which a project grows, each at three sizes that are four times each other. What the third step costs
 * more than the second, against what the second costs more than the first, says how the work grows: four is linear. What the
 * engine takes by itself for the same statements is measured too, and taken off. CPU of this process is measured, so that a
 * busy machine changes little, and with one thread, because those that wait for another one ask without pause.
 */
import { afterAll, expect, test } from 'vitest'
import { limitThreads } from '../../server/catalog/duckdb/threads.ts'
import { figure } from '../support/figure.ts'
import { cpuMs, dimensions, engineMs } from '../support/growth/index.ts'

limitThreads(1)

/** Above it something grows faster than its dimension. */
const mostTimes = 5
/** A dimension whose last step costs less than this is measured too coarsely to say how it grows. */
const leastMs = 160
/** How often a size is measured that takes so many milliseconds at most: the least of many runs is no noise. */
const runs = [
  { most: 400, count: 8 },
  { most: 1600, count: 4 },
  { most: 4000, count: 2 },
] as const
const found: { readonly name: string; readonly times: number; readonly isMeasured: boolean }[] = []

afterAll(() => {
  const grown = found.filter(({ times }) => times > mostTimes)
  const worst = grown.map(({ name, times }) => `${name} ${times.toFixed(1)}`).join(', ')
  figure(
    'dimensions',
    `${found.length} dimensions at three sizes, ${found.filter(({ isMeasured }) => isMeasured).length} of them with work enough to be measured, ${grown.length} grow by more than ${mostTimes} for 4${worst === '' ? '' : `: ${worst}`}`,
  )
})

const only = process.env['SVC_DIMENSIONS']?.split(',')
const asked = dimensions.filter(({ name }) => only?.some(part => name.includes(part)) ?? true)

test.each(asked.map(dimension => [dimension.name, dimension] as const))(
  '%s',
  { timeout: 600_000 },
  async (name, dimension) => {
    const sizes = [16, 4, 1].map(part => dimension.most / part)
    const whole = await leastOfEach(sizes, size => cpuMs(dimension, size))
    const { engine } = dimension
    const engines = engine && (await leastOfEach(sizes, size => engineMs(engine(size))))
    const own = whole.map((ms, index) => ms - (engines?.[index] ?? 0))
    const { times, isMeasured } = growth(own)
    found.push({ name, times, isMeasured })
    const shown = sizes.map((size, index) => `${size}: ${Math.round(whole[index] ?? 0)} ms`).join(', ')
    const apart = engines ? `; the engine alone ${engines.map(ms => Math.round(ms)).join(', ')} ms` : ''
    process.stdout.write(
      `  ${name}: ${shown}${apart} (${isMeasured ? `${times.toFixed(1)} for 4` : 'little'})\n`,
    )
    expect(times).toBeLessThanOrEqual(mostTimes)
  },
)

/** How many times as much the third step costs as the second one; 1 where that is too little to be said. */
function growth([first = 0, second = 0, third = 0]: readonly number[]) {
  const isMeasured = third - second >= leastMs
  // A linear second step costs a quarter of the third one; less than that of the least third step is noise.
  const times = isMeasured ? (third - second) / Math.max(second - first, leastMs / 16) : 1
  return { times, isMeasured }
}

/** The least CPU of several runs of each size, one size after the other, so that what warms up helps all of them. */
async function leastOfEach(sizes: readonly number[], measure: (size: number) => Promise<number>) {
  await measure(sizes[0] ?? 1)
  const taken = sizes.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < runs[0].count; run++)
    for (const [index, size] of sizes.entries()) {
      const before = taken[index] ?? 0
      const allowed = run === 0 ? 1 : (runs.find(({ most }) => before <= most)?.count ?? 1)
      if (run < allowed) taken[index] = Math.min(before, await measure(size))
    }
  return taken
}
