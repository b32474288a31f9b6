/** A short session of random edits; `node scripts/fuzz.mjs --editor 10000` goes on for as long as you like. */
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buildCommand } from '../support/cli.ts'
import { fuzzEditor } from '../support/fuzz-editor.ts'
import { times } from '../support/long.ts'

beforeAll(buildCommand, 240_000)

it('random edits leave the server in the state of a fresh one', async () => {
  const edits = times(150, 600)
  const outcome = await fuzzEditor({
    root: join(import.meta.dirname, '..', '..'),
    count: edits,
    seed: 7,
    every: 150,
  })
  expect(outcome.failures).toEqual([])
  expect(outcome).toMatchObject({ edits, comparisons: edits / 150 })
  // That there was something to compare.
  expect(outcome.problems).toBeGreaterThan(0)
}, 240_000)
