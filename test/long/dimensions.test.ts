/**
 * The dimensions in which a project grows, each at three sizes that are four times each other. What the third step costs
 * more than the second, against what the second costs more than the first, says how the work grows: four is linear. CPU of
 * this process is measured, so that a busy machine changes little.
 */
import { afterAll, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { cpuMs, dimensions } from '../support/growth/index.ts'

/** Above it something grows faster than its dimension. */
const mostTimes = 5
/** Less work than this in the third step is measured too coarsely to say how it grows. */
const leastMs = 250
const found: { readonly name: string; readonly times: number }[] = []

afterAll(() => {
  const grown = found.filter(({ times }) => times > mostTimes)
  const worst = grown.map(({ name, times }) => `${name} ${times.toFixed(1)}`).join(', ')
  figure(
    'dimensions',
    `${found.length} dimensions at three sizes, ${grown.length} grow by more than ${mostTimes} for 4${worst === '' ? '' : `: ${worst}`}`,
  )
})

const only = process.env['SVC_DIMENSIONS']?.split(',')
const asked = dimensions.filter(({ name }) => only?.some(part => name.includes(part)) ?? true)

test.each(asked.map(dimension => [dimension.name, dimension] as const))(
  '%s',
  { timeout: 600_000 },
  async (name, dimension) => {
    const { least, known } = dimension
    const sizes = [least, least * 4, least * 16]
    await cpuMs(dimension, Math.max(1, Math.round(least / 2)))
    const taken: number[] = []
    for (const size of sizes) taken.push(Math.min(await cpuMs(dimension, size), await cpuMs(dimension, size)))
    const [first = 0, second = 0, third = 0] = taken
    const times = third - second < leastMs ? 1 : (third - second) / Math.max(second - first, leastMs / 16)
    found.push({ name, times })
    const shown = sizes.map((size, index) => `${size}: ${Math.round(taken[index] ?? 0)} ms`).join(', ')
    process.stdout.write(`  ${name}: ${shown} (${times.toFixed(1)} for 4)\n`)
    if (known === undefined) expect(times).toBeLessThanOrEqual(mostTimes)
  },
)
