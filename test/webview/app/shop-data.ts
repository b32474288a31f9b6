/** Catalogues for the page: a small shop where something of everything is, and many assets. */
import type { AttemptedRun, DashboardData } from '../../../webview/protocol.ts'
import { asset, dataOf } from './fake-host.ts'

const at = '2026-05-01T10:00:00Z'

export function shopData(isEmpty: boolean): DashboardData {
  if (isEmpty) return dataOf([])
  const base = dataOf([
    asset('orders', {
      kind: 'source',
      path: 'models/sources/orders.svc',
      description: 'Every order of the shop',
      status: 'deployed',
      last_run: at,
      active_hash: 'b'.repeat(64),
      rows: 1234,
      freshness: { warn_after_seconds: 3600, error_after_seconds: 7200 },
      columns: [{ name: 'id', type: 'BIGINT', nullable: false, description: 'The number', pii: true }],
      downstream: ['daily'],
    }),
    asset('daily', {
      status: 'Failed',
      last_run: at,
      raw_sql: "SELECT count(*) FROM {{ ref('orders') }}",
      compiled_sql: 'SELECT count(*) FROM main.orders',
      summary: { total: 2, passed: 1, failed: 1 },
      upstream: ['orders'],
    }),
  ])
  const test = { kind: 'not_null', column: null, severity: 'error' } as const
  const history = [{ at, status: 'pass', execution_time: 0.01 }] as const
  return {
    ...base,
    catalog: {
      ...base.catalog,
      active_assets: 1,
      excluded_columns: 4,
      exposures: [
        {
          name: 'board',
          asset: 'daily',
          type: 'dashboard',
          url: 'javascript:alert(1)',
          owner: null,
          description: null,
        },
      ],
      lineage: [{ from: 'orders', to: 'daily', kind: 'ref', columns: [{ from: 'id', to: 'count' }] }],
    },
    quality: {
      overall: { total_tests: 2, passed: 1, failed: 1, pass_rate: 0.5 },
      assets: [
        {
          name: 'daily',
          last_run: at,
          summary: { total: 2, passed: 1, failed: 1, pass_rate: 0.5 },
          tests: [
            {
              ...test,
              name: 'not_null_count',
              status: 'pass',
              execution_time: 0.009,
              message: null,
              history,
            },
            {
              ...test,
              name: 'unique_count',
              status: 'fail',
              execution_time: 1.2,
              message: '3 rows are twice there',
              history,
            },
          ],
        },
      ],
    },
    history: { runs: [run('r2', 'Failed'), run('r1', 'deployed')] },
  }
}

function run(id: string, status: 'deployed' | 'Failed'): AttemptedRun {
  const assets = ['orders', 'daily'].map(name => ({
    name,
    status: 'built',
    rows: 5,
    seconds: 1,
    definition_hash: 'a',
  }))
  return {
    run_id: id,
    kind: 'run',
    status,
    selector: null,
    started_at: at,
    finished_at: '2026-05-01T10:00:03Z',
    generation: 1,
    unchanged: 0,
    ending: 'finished',
    has_log: true,
    failed_asset: null,
    error: status === 'Failed' ? 'orders: the server answers 500' : null,
    verdict: status === 'Failed' ? 'Failed' : 'Deployed',
    warned: 0,
    causes: status === 'Failed' ? [{ asset: 'orders', message: 'the server answers 500', place: null }] : [],
    more_causes: 0,
    assets,
  }
}

export function manyData(count: number): DashboardData {
  return dataOf(
    Array.from({ length: count }, (_, index) =>
      asset(`a${String(index).padStart(5, '0')}`, {
        path: `models/g${index % 7}/a${index}.svc`,
        upstream: index < 10 ? [] : [`a${String(index - 10).padStart(5, '0')}`],
      }),
    ),
  )
}
