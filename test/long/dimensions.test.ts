/**
 * The dimensions in which a project grows, each at three sizes that are four times each other. What the third step costs
 * more than the second, against what the second costs more than the first, says how the work grows: four is linear. Where that
 * is too little to be measured, the sizes grow, as long as svc takes them. CPU of this process is measured, so that a busy
 * machine changes little.
 */
import { afterAll, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import type { Dimension } from '../support/growth/dimension.ts'
import { cpuMs, dimensions } from '../support/growth/index.ts'

/** Above it something grows faster than its dimension. */
const mostTimes = 5
/** Less work than this, in the second step and in the third, is measured too coarsely to say how it grows. */
const least = { second: 80, third: 320 }
/** The sizes grow so often. */
const mostLonger = 2
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
    await cpuMs(dimension, Math.max(1, Math.round(dimension.least / 2)))
    const { sizes, taken } = await measured(dimension)
    const [first = 0, second = 0, third = 0] = taken.slice(-3)
    const isMeasured = third - second >= least.third
    const times = isMeasured ? (third - second) / Math.max(second - first, least.second / 4) : 1
    found.push({ name, times, isMeasured })
    const shown = sizes.map((size, index) => `${size}: ${Math.round(taken[index] ?? 0)} ms`).join(', ')
    process.stdout.write(`  ${name}: ${shown} (${isMeasured ? `${times.toFixed(1)} for 4` : 'little'})\n`)
    if (dimension.known === undefined) expect(times).toBeLessThanOrEqual(mostTimes)
  },
)

/** The CPU of at least three sizes. */
async function measured(dimension: Dimension) {
  const sizes = [1, 4, 16].map(times => dimension.least * times)
  const taken: number[] = []
  for (const size of sizes) taken.push(await leastCpu(dimension, size))
  for (let more = 0; more < mostLonger && dimension.isDeep !== true; more++) {
    const [first = 0, second = 0, third = 0] = taken.slice(-3)
    if (second - first >= least.second && third - second >= least.third) break
    const size = (sizes.at(-1) ?? 0) * 4
    // What svc refuses because it is too large takes no time.
    const ms = await leastCpu(dimension, size).catch((error: Error) => {
      process.stdout.write(
        `  ${dimension.name}, ${size}: ${/\berror\b.*/.exec(error.message)?.[0] ?? error.message}\n`,
      )
    })
    if (ms === undefined) break
    sizes.push(size)
    taken.push(ms)
  }
  return { sizes, taken }
}

/** The smaller of two, where they do not take long. */
async function leastCpu(dimension: Dimension, size: number): Promise<number> {
  const ms = await cpuMs(dimension, size)
  return ms > 1500 ? ms : Math.min(ms, await cpuMs(dimension, size))
}
