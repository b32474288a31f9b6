/** Parser and checks on damaged texts, for a few seconds; `scripts/fuzz.mjs` goes on for as long as you like. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fuzzProject, problemWith } from '../support/fuzz-language.ts'
import { fuzzSeeds } from '../support/fuzz-seeds.ts'
import { fuzzTexts } from '../support/fuzz-texts.ts'
import { times } from '../support/long.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const seeds = fuzzSeeds(root)

it('takes any damaged text without a throw, with every place inside the file', () => {
  const count = times(1000, 20_000)
  const seed = 20_261_120
  const project = fuzzProject()
  for (const text of fuzzTexts(count, seed, seeds)) {
    expect(problemWith(project, text), JSON.stringify(text)).toBeUndefined()
  }
  console.log(`${count} texts, seed ${seed}`)
})

// All are twelve thousand checks: half a minute of a processor.
it('takes every prefix of every example', { timeout: 300_000 }, () => {
  const project = fuzzProject()
  let count = 0
  for (const text of seeds) {
    for (let end = 0; end <= text.length; end += times(29, 3)) {
      expect(problemWith(project, text.slice(0, end)), JSON.stringify(text.slice(0, end))).toBeUndefined()
      count++
    }
  }
  console.log(`${count} prefixes`)
})

it('makes the same texts from the same seed, and others from another', () => {
  const [first, second, other] = [1, 1, 2].map(seed => [...fuzzTexts(50, seed, seeds)])
  expect(second).toEqual(first)
  expect(other).not.toEqual(first)
})
