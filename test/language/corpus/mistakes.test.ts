/** `node scripts/corpus.mjs` prints each miss. */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCorpus } from './corpus-project.ts'
import { countMistakes, type JudgedFile, judgeFiles, noiseOfTwins, untrueMarks } from './judge-files.ts'
import { type MarkedText, parseMarkedText } from './marked-text.ts'

test('the corpus is as large and as mixed as it claims', () => {
  const texts = readCorpus(join(import.meta.dirname, 'mistakes')).map(file => parseMarkedText(file.text))
  const hasSlip = ({ marks }: MarkedText): boolean => marks.some(mark => mark.kind === 'slip')
  const mistakesIn = (list: readonly MarkedText[]) =>
    list.flatMap(({ marks }) => marks.filter(mark => mark.kind !== 'slip'))
  const mistakes = mistakesIn(texts)
  expect(new Set(texts.map(text => text.broken)).size).toBeGreaterThanOrEqual(60)
  expect(mistakes.length).toBeGreaterThanOrEqual(300)
  expect(mistakesIn(texts.filter(hasSlip)).length).toBeGreaterThanOrEqual(mistakes.length / 2)
  expect(new Set(mistakes.map(mark => mark.kind)).size).toBeGreaterThanOrEqual(25)
})

test('the corpus says the truth: the engine takes each twin and refuses each mistake alone', async () => {
  expect(await untrueMarks(import.meta.dirname)).toEqual([])
}, 300_000)

test('nothing is said about the valid twins', async () => {
  expect(await noiseOfTwins(import.meta.dirname)).toEqual([])
}, 300_000)

describe('the marked mistakes', () => {
  let judged: readonly JudgedFile[] = []
  beforeAll(async () => {
    judged = await judgeFiles(import.meta.dirname)
    console.table(countMistakes(judged))
  }, 300_000)

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
