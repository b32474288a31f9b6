/** The short form of `node scripts/publish-kills.mjs`: real processes that fetch and publish, each killed about once. */
import { expect, test } from 'vitest'
import { runScript } from '../../support/script.ts'

const kills = 8

test('after kills of fetches and publishes all targets are as production, and no row was sent twice unmarked', async () => {
  const { code, said } = await runScript(`publish-kills.mjs --kills ${kills}`)
  expect(said).toMatch(new RegExp(`^${kills} kills \\(seed 1\\) in \\d+ s: 0 problems`, 'm'))
  expect(said).toMatch(/\d+ versions of \d+ rows, [1-9]\d* batches/)
  expect(code).toBe(0)
}, 480_000)
