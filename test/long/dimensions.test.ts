/**
 * The dimensions in which a project grows, each at three sizes that are four times each other. What the third step costs
 * more than the second, against what the second costs more than the first, says how the work grows: four is linear. CPU of
 * this process is measured, so that a busy machine changes little.
 */
import { afterAll, expect, test } from 'vitest'
import { createGround } from '../cli/bad-input/command-line.ts'
import { figure } from '../support/figure.ts'
import { dataDimensions } from '../support/growth/data.ts'
import type { Dimension } from '../support/growth/dimension.ts'
import { sqlDimensions } from '../support/growth/sql.ts'
import { tableDimensions } from '../support/growth/tables.ts'

const dimensions = [...tableDimensions, ...sqlDimensions, ...dataDimensions]
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

test.each(dimensions.map(dimension => [dimension.name, dimension] as const))(
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

async function cpuMs({ files, lines, env }: Dimension, size: number): Promise<number> {
  const ground = createGround(
    { 'svc.yaml': 'name: grown\n', ...files(size) },
    { program: 'tests', env: env?.(size) ?? {} },
  )
  try {
    const before = process.cpuUsage()
    for (const words of lines) {
      const { code, stdout, stderr } = await ground.line(words)
      expect(code, `${words.join(' ')}\n${stdout.slice(0, 1500)}\n${stderr.slice(0, 1500)}`).toBe(0)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  } finally {
    ground.dispose()
  }
}
