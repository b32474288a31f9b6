/** What `svc_catalog.json` tells of a run, as the lens above an asset says it. */
import { describe, expect, it } from 'vitest'
import { lastRunTitle } from '../../server/language/features/code-lenses.ts'
import { lastRunsIn } from '../../server/lsp/project/last-runs.ts'

const run = { name: 'orders', status: 'deployed', last_run: '2026-05-01T10:00:00Z', rows: 3_000_000 }
const now = Date.parse('2026-05-01T12:30:00Z')

function titleOf(asset: object, environment = 'dev'): string {
  return lastRunTitle(lastRunsIn({ environment, assets: [{ ...run, ...asset }] }).get('orders'), now)
}

describe('the lens of the last run', () => {
  it.each([
    [{ seconds: 1.26 }, 'deployed 3,000,000 rows in 1.3 s, 2 hours ago'],
    [{ seconds: 42.4, rows: 1 }, 'deployed 1 row in 42 s, 2 hours ago'],
    [{ seconds: 9.96 }, 'deployed 3,000,000 rows in 10 s, 2 hours ago'],
    [{ seconds: 185 }, 'deployed 3,000,000 rows in 3 min 5 s, 2 hours ago'],
    [{ seconds: 120 }, 'deployed 3,000,000 rows in 2 min, 2 hours ago'],
    [{ seconds: 59.7 }, 'deployed 3,000,000 rows in 1 min, 2 hours ago'],
    // What was promoted or rolled back afterwards counts from then on.
    [{ deployed_at: '2026-05-01T12:22:00Z' }, 'deployed 3,000,000 rows, 8 minutes ago'],
    [{ deployed_at: '2026-04-30T12:22:00Z' }, 'deployed 3,000,000 rows, 2 hours ago'],
    [{ status: 'Failed', rows: null, deployed_at: '2026-05-01T12:22:00Z' }, 'Failed, 2 hours ago'],
    // Nothing was done for it in that run.
    [{ seconds: null }, 'deployed 3,000,000 rows, 2 hours ago'],
    // As a program wrote it that did not know of seconds.
    [{}, 'deployed 3,000,000 rows, 2 hours ago'],
    [{ status: 'Failed', rows: null, seconds: 0.04 }, 'Failed in 40 ms, 2 hours ago'],
    // What it reads failed: it did not fail itself.
    [
      { repaired: 'its table was dropped from the warehouse, not by svc' },
      'made again (its table was dropped from the warehouse, not by svc), deployed 3,000,000 rows, 2 hours ago',
    ],
    [{ status: 'skipped', rows: null, seconds: null }, 'held back, 2 hours ago'],
  ])('%j', (asset, expected) => {
    expect(titleOf(asset)).toBe(expected)
  })

  it('names an environment that is not dev', () => {
    expect(titleOf({ seconds: 1 }, 'prod')).toBe('deployed 3,000,000 rows in 1.0 s, 2 hours ago (prod)')
  })
})
