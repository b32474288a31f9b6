/** A few of the states of test/long/pages.test.ts: all places say the same words of them. */
import { expect, test } from 'vitest'
import { compareState } from '../../support/pages/compare.ts'
import { states } from '../../support/pages/states.ts'

const few = [
  'a run in part with a warning',
  'a view that somebody dropped',
  'a test that warns, and nothing new',
]

test.each(states.filter(({ name }) => few.includes(name)))('$name', async state => {
  expect((await compareState(state)).differences).toEqual([])
})
