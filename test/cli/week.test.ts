/** A sample of the long suite `week`: two days of it, and what it takes for growth. */
import { expect, test } from 'vitest'
import { growths } from '../../scripts/week-measures.mjs'
import { hasSqlite3 } from '../hosted/support/engines.ts'
import { runScript } from '../support/script.ts'

test.runIf(process.platform === 'linux' && hasSqlite3)(
  'programs that are up beside runs with a wrong clock',
  { timeout: 120_000 },
  async () => {
    const { code, said } = await runScript('week.mjs --runs 2')
    expect(code, said).toBe(0)
    expect(said).toMatch(/\d+ acts .* 5 runs, .* 0 problems/)
  },
)

const steps = (take: (step: number) => number) =>
  Array.from({ length: 30 }, (_, step) => ({ editor: { megabytes: 200, descriptors: take(step) } }))

test('what goes on growing grows, and what grows at the beginning or for a moment does not', () => {
  expect(growths(steps(step => 20 + step))).toEqual(['editor grew from 35 to 45 descriptors'])
  expect(growths(steps(step => 20 + Math.min(step, 9)))).toEqual([])
  expect(growths(steps(step => (step === 25 ? 900 : 20)))).toEqual([])
  expect(growths(steps(step => 20 + step).slice(0, 8))).toEqual([])
})
