import { expect, test } from 'vitest'
import { staleOf } from '../../../cli/engine/notify/problems.ts'
import type { FreshnessRow } from '../../../cli/engine/quality/freshness-report.ts'

test('a newest row in the future is not told as too old, but as saying nothing', () => {
  const last = '2026-03-01T12:00:00.000Z'
  const row: FreshnessRow = {
    asset: 'orders',
    status: 'WARN',
    ageMs: 0,
    clock: 'loaded',
    last,
    loadedAt: last,
    newestRow: '9999-12-31T00:00:00.000Z',
    column: 'changed',
    warnAfterMs: 1000,
    errorAfterMs: undefined,
    isAhead: true,
    message: undefined,
  }
  const rows = [row, { ...row, isAhead: false }, { ...row, status: 'OK' as const }]
  expect(staleOf(rows).problems.map(({ text }) => text)).toEqual([
    `orders may be stale (WARN): its newest changed is in the future, last ${last}`,
    `orders is stale (WARN): older than warn_after, last ${last}`,
  ])
})
