/** A week in minutes: programs that are up all the time, beside runs, edits, checkouts, wrong clocks and sleeps. */
import { test } from 'vitest'
import { hasSqlite3 } from '../hosted/support/engines.ts'
import { figureOfScript } from '../support/script.ts'

test.runIf(process.platform === 'linux' && hasSqlite3)(
  'nothing grows, and all that is told of production, freshness and logs is right',
  { timeout: 1_800_000 },
  () => figureOfScript('week', 'week.mjs --runs 150', /\d+ acts .* 0 problems/),
)
