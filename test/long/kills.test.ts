/** The scripts that kill: real processes of the command, at random moments of every phase. */
import { expect, test } from 'vitest'
import { canStartPostgres } from '../support/postgres.ts'
import { figureOfScript } from '../support/script.ts'

const longest = 1_800_000

test('runs, previews, promotions, rollbacks and collections', { timeout: longest }, () =>
  figureOfScript('kills', 'soak.mjs --kills 200 --seed 1 --jobs 2', /\d+ kills .* 0 problems.*/),
)

test('fetches and publishes', { timeout: longest }, () =>
  figureOfScript('kills', 'publish-kills.mjs --kills 60 --seed 1', /\d+ kills .* 0 problems/),
)

test('promotions on PostgreSQL, while readers look', { timeout: longest }, async context => {
  if (!canStartPostgres()) context.skip('PostgreSQL is not installed')
  expect.hasAssertions()
  await figureOfScript(
    'kills',
    'postgres-films.mjs --promotions 60 --kills 150',
    /\d+ promotions .* 0 mixed.*/,
  )
})
