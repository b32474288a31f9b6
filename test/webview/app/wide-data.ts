/** A table of many columns, each with a test, and one that adds all of them up. */
import type { ColumnPath, DashboardData } from '../../../webview/protocol.ts'
import { asset, dataOf } from './fake-host.ts'

const at = '2026-05-01T10:00:00Z'

export function wideData(count: number): DashboardData {
  const column = (name: string) => ({ name, type: 'BIGINT', nullable: true, description: null, pii: false })
  const names = Array.from({ length: count }, (_, index) => `c${index}`)
  const tests = names.map((name, index) => ({
    name: `not_null_${name}`,
    status: index === count - 1 ? ('fail' as const) : ('pass' as const),
    execution_time: 0.01,
    kind: 'not_null',
    column: name,
    severity: 'error' as const,
    message: index === count - 1 ? '3 rows without a value' : null,
    history: [],
  }))
  const summary = { total: count, passed: count - 1, failed: 1, pass_rate: (count - 1) / count }
  const data = dataOf([
    asset('wide', {
      columns: names.map(column),
      tests: tests.map(({ name, status, execution_time }) => ({ name, status, execution_time })),
      summary,
      downstream: ['total'],
    }),
    asset('total', { columns: [column('sum')], upstream: ['wide'] }),
  ])
  const lineage = [
    {
      from: 'wide',
      to: 'total',
      kind: 'ref' as const,
      columns: names.map(name => ({ from: name, to: 'sum' })),
    },
  ]
  return {
    ...data,
    catalog: { ...data.catalog, lineage },
    quality: { ...data.quality, assets: [{ name: 'wide', tests, last_run: at, summary }] },
  }
}

/** The path of the total. */
export function widePath(count: number): ColumnPath {
  const total = { asset: 'total', column: 'sum' }
  const parts = Array.from({ length: count }, (_, index) => ({ asset: 'wide', column: `c${index}` }))
  return {
    columns: [total, ...parts].map(each => ({ ...each, pii: false })),
    edges: parts.map(from => ({ from, to: total })),
    ...{ uses: [], targets: [], exposures: [] },
  }
}
