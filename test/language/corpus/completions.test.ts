/** `node scripts/corpus.mjs completions` prints each miss. */
import { beforeAll, describe, expect, test } from 'vitest'
import { countCompletions, type JudgedCompletions, judgeCompletions } from './judge-completions.ts'

describe('completion at hard places', () => {
  let judged: readonly JudgedCompletions[] = []
  beforeAll(async () => {
    judged = await judgeCompletions(import.meta.dirname)
    console.table(countCompletions(judged))
  }, 300_000)

  test('is asked at 150 of them', () => {
    expect(countCompletions(judged).places).toBeGreaterThanOrEqual(150)
  })

  test('is right at 145 of every 150', () => {
    const { places, right } = countCompletions(judged)
    expect(right).toBeGreaterThanOrEqual((145 / 150) * places)
  })
})
