/** `node scripts/corpus.mjs` prints each miss. */
import { beforeAll, describe, expect, test } from 'vitest'
import { countMistakes, type JudgedFile, judgeFiles, noiseOfTwins, untrueMarks } from './judge-files.ts'
import { isAsserted } from './switch.ts'

test('the corpus says the truth: the engine takes each twin and refuses each mistake alone', async () => {
  expect(await untrueMarks(import.meta.dirname)).toEqual([])
}, 300_000)

test('nothing is said about the valid twins', async () => {
  expect(await noiseOfTwins(import.meta.dirname)).toEqual([])
}, 300_000)

describe.skipIf(!isAsserted)('the marked mistakes', () => {
  let judged: readonly JudgedFile[] = []
  beforeAll(async () => {
    judged = await judgeFiles(import.meta.dirname)
    console.table(countMistakes(judged))
  }, 300_000)

  test('are as many and as mixed as the corpus claims', () => {
    const { files, mistakes, besideSlip } = countMistakes(judged)
    expect(files).toBeGreaterThanOrEqual(60)
    expect(mistakes).toBeGreaterThanOrEqual(300)
    expect(besideSlip).toBeGreaterThanOrEqual(mistakes / 2)
    expect(new Set(judged.flatMap(each => each.kinds)).size).toBeGreaterThanOrEqual(25)
  })

  test('are shown at once: 95 of 100, slips of syntax too', () => {
    const { mistakes, shown, slips, shownSlips } = countMistakes(judged)
    expect(shown).toBeGreaterThanOrEqual(0.95 * mistakes)
    expect(shownSlips).toBeGreaterThanOrEqual(0.95 * slips)
  })

  test('are shown on their exact place: 90 of 100', () => {
    const { mistakes, exact } = countMistakes(judged)
    expect(exact).toBeGreaterThanOrEqual(0.9 * mistakes)
  })

  test('are the only thing that is shown', () => {
    const isFalse = (miss: string): boolean => miss.startsWith('false')
    expect(
      judged.flatMap(({ title, misses }) => misses.filter(isFalse).map(miss => `${title} ${miss}`)),
    ).toEqual([])
  })
})
