/**
 * The dimensions in which a project grows, each at three sizes that are four times each other. What the third step costs
 * more than the second, against what the second costs more than the first, says how the work grows: four is linear. What the
 * engine takes by itself for the same statements is measured too, and taken off. CPU of this process is measured, so that a
 * busy machine changes little, and with one thread, because those that wait for another one ask without pause.
 */
import { afterAll, expect, test } from 'vitest'
import { limitThreads } from '../../../server/catalog/duckdb/threads.ts'
import { figure } from '../../support/figure.ts'
import { cpuMs, dimensions, engineMs } from '../../support/growth/index.ts'

limitThreads(1)

/** Above it something grows faster than its dimension. */
const mostTimes = 5
/** A dimension whose last step costs less than this is measured too coarsely to say how it grows. */
const leastMs = 160
/** How often a size is measured that takes so many milliseconds at most: the least of many runs is no noise. */
const runs = [
  { most: 400, count: 6 },
  { most: 1600, count: 4 },
  { most: 4000, count: 2 },
] as const
/** What seems to grow too fast is measured so many times more. */
const mostLooks = 3
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
    const { engine } = dimension
    const sizes = [16, 4, 1].map(part => dimension.most / part)
    const whole = least(sizes, size => cpuMs(dimension, size))
    const alone = engine && least(sizes, size => engineMs(engine(size)))
    const look = async () => {
      await whole.measure()
      await alone?.measure()
      return growth(whole.taken.map((ms, index) => ms - (alone?.taken[index] ?? 0)))
    }
    let { times, isMeasured } = await look()
    // Noise only adds to what a run takes: what grows too fast still does so after more runs.
    for (let more = 0; more < mostLooks && times > mostTimes; more++) ({ times, isMeasured } = await look())
    found.push({ name, times, isMeasured })
    const inMs = (taken: readonly number[]) => taken.map(ms => Math.round(ms))
    const shown = inMs(whole.taken).map((ms, index) => `${sizes[index]}: ${ms} ms`)
    const apart = alone ? `; the engine alone ${inMs(alone.taken).join(', ')} ms` : ''
    process.stdout.write(
      `  ${name}: ${shown.join(', ')}${apart} (${isMeasured ? `${times.toFixed(1)} for 4` : 'little'})\n`,
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

/** The least CPU of all runs of each size, one size after the other, so that what warms up helps all of them. */
function least(sizes: readonly number[], cpuOf: (size: number) => Promise<number>) {
  const taken = sizes.map(() => Number.POSITIVE_INFINITY)
  return {
    taken,
    async measure() {
      await cpuOf(sizes[0] ?? 1)
      for (let run = 0; run < runs[0].count; run++)
        for (const [index, size] of sizes.entries()) {
          const before = taken[index] ?? 0
          const allowed = runs.find(({ most }) => before <= most)?.count ?? 1
          if (run < allowed) taken[index] = Math.min(before, await cpuOf(size))
        }
    },
  }
}
