/** Some of what test/long/alone/editor-width.test.ts measures: answers about four times the columns take no more than six times the CPU. */
import { expect, test } from 'vitest'
import { costs, mostTimes, timesOf } from '../support/editor-width.ts'

const works = ['keystroke in wide', 'each column misspelt', 'completion in wide', 'hover in wide']

test('answers of an editor grow with the columns', async () => {
  await costs(40, works)
  const [small, large] = [await costs(150, works), await costs(600, works)]
  expect([...large.keys()]).toEqual(works)
  for (const [work, ms] of large) expect(timesOf(small.get(work), ms), work).toBeLessThanOrEqual(mostTimes)
})
