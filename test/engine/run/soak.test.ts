/** The short form of `npm run soak`: real processes, killed at random moments of every phase. */
import { expect, test } from 'vitest'
import { runScript } from '../../support/script.ts'

const kills = 30

test('after each of many kills production is one whole version, and nothing lies about at the end', async () => {
  const { code, said } = await runScript(`soak.mjs --kills ${kills} --jobs 1`)
  expect(said).toContain(`${kills} kills (seed 1)`)
  expect(said).toContain(' 0 problems')
  for (const phase of ['start', 'fetch', 'build', 'test', 'promote', 'collect'])
    expect(said).toMatch(new RegExp(`^  ${phase} +[1-9]`, 'm'))
  for (const verb of ['preview', 'promote', 'rollback'])
    expect(said).toMatch(new RegExp(`^  ${verb}, \\w+ +[1-9]`, 'm'))
  expect(code).toBe(0)
}, 240_000)
