/** A project as it is after some days of work: everything that the page can show is somewhere in it. */
import { columnPath } from '../../../server/language/lineage/column-path.ts'
import type {
  AttemptedRun,
  CatalogAsset,
  ColumnPath,
  DashboardData,
  QualityFile,
} from '../../../webview/protocol.ts'
import { asset, dataOf } from './fake-host.ts'

type Column = CatalogAsset['columns'][number]

const hour = 3_600_000

const column = (name: string, type: string, more: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: true,
  description: null,
  pii: false,
  ...more,
})

const delaysSql = `-- Average delay by carrier and day.
SELECT
  f.carrier,
  f.flown_at::DATE AS day,
  avg(f.delay_minutes) AS delay,
  count(*) FILTER (WHERE f.delay_minutes > 15) AS late_flights
FROM {{ ref('flights_clean') }} AS f
JOIN {{ ref('airport_names') }} AS a ON a.iata = f.origin
WHERE a.country = 'US'
GROUP BY ALL`

/** Rows of: name, folder, what it reads, what is special about it. */
function assetsAt(nowMs: number): CatalogAsset[] {
  const before = (hours: number) => new Date(nowMs - hours * hour).toISOString()
  const passing = (total: number) => ({ summary: { total, passed: total, failed: 0 } })
  const ran = (hours: number, rows: number) => ({
    status: 'deployed' as const,
    last_run: before(hours),
    loaded_at: before(hours),
    rows,
    active_hash: '3fa91c0d22be'.padEnd(64, '7'),
    definition_hash: '3fa91c0d22be'.padEnd(64, '7'),
    owner: 'ops@example.com',
  })
  const source = { kind: 'source' as const }
  const limits = { warn_after_seconds: 12 * 3600, error_after_seconds: 24 * 3600 }
  return [
    asset('airports', {
      ...source,
      ...ran(2, 3376),
      path: 'models/sources/airports.svc',
      description: 'Airports of the world with their codes',
      downstream: ['airport_names'],
      ...passing(2),
      columns: [
        column('iata', 'VARCHAR', { nullable: false }),
        column('name', 'VARCHAR'),
        column('country', 'VARCHAR'),
      ],
    }),
    asset('earthquakes', {
      ...source,
      ...ran(13, 10_482),
      path: 'models/sources/earthquakes.svc',
      description: 'Earthquakes of the last thirty days',
      freshness: limits,
      downstream: ['airport_risk'],
      ...passing(1),
    }),
    asset('flights', {
      ...source,
      ...ran(2, 3_000_000),
      path: 'models/sources/flights.svc',
      description: 'Every flight of the year, as the carriers report them',
      tags: ['core'],
      freshness: limits,
      downstream: ['flights_clean'],
      ...passing(4),
      columns: [
        column('carrier', 'VARCHAR', { nullable: false }),
        column('origin', 'VARCHAR', { nullable: false }),
        column('flown_at', 'TIMESTAMP', { nullable: false }),
        column('delay_minutes', 'INTEGER'),
        column('captain', 'VARCHAR', { pii: true }),
      ],
    }),
    asset('flights_clean', {
      ...ran(2, 2_998_611),
      path: 'models/staging/flights_clean.svc',
      description: 'Flights without the cancelled ones',
      tags: ['core'],
      upstream: ['flights'],
      downstream: ['daily_delays', 'monthly_report', 'routes'],
      ...passing(6),
      columns: [
        column('carrier', 'VARCHAR', { nullable: false }),
        column('origin', 'VARCHAR', { nullable: false }),
        column('flown_at', 'TIMESTAMP', { nullable: false }),
        column('delay_minutes', 'INTEGER'),
      ],
    }),
    asset('airport_names', {
      ...ran(2, 3376),
      path: 'models/staging/airport_names.svc',
      upstream: ['airports'],
      downstream: ['daily_delays', 'routes', 'airport_risk'],
      ...passing(3),
      columns: [
        column('iata', 'VARCHAR', { nullable: false }),
        column('name', 'VARCHAR'),
        column('country', 'VARCHAR'),
      ],
    }),
    asset('daily_delays', {
      ...ran(2, 26_412),
      path: 'models/marts/daily_delays.svc',
      description: 'Average delay by carrier and day',
      tags: ['core', 'daily'],
      freshness: limits,
      upstream: ['flights_clean', 'airport_names'],
      downstream: ['monthly_report', 'delays_to_crm'],
      raw_sql: delaysSql,
      compiled_sql: delaysSql
        .replace("{{ ref('flights_clean') }}", 'main.flights_clean')
        .replace("{{ ref('airport_names') }}", 'main.airport_names'),
      summary: { total: 5, passed: 5, failed: 0 },
      columns: [
        column('carrier', 'VARCHAR', { nullable: false, description: 'Code of the carrier, two letters' }),
        column('day', 'DATE', { nullable: false, description: 'Day of departure, local time of the origin' }),
        column('delay', 'DOUBLE', {
          term: {
            name: 'Delay',
            description: 'Minutes between the planned and the actual arrival',
            from: null,
          },
          description: 'Minutes; early arrivals count as less than zero',
        }),
        column('late_flights', 'BIGINT', { nullable: false }),
      ],
    }),
    asset('delays_to_crm', {
      kind: 'publish',
      path: 'models/publish/delays_to_crm.svc',
      description: 'Delays as the support desk sees them',
      upstream: ['daily_delays'],
    }),
    asset('monthly_report', {
      path: 'models/marts/monthly_report.svc',
      description: 'Delays by month, for the board',
      upstream: ['daily_delays', 'flights_clean'],
    }),
    asset('routes', {
      ...ran(2, 5210),
      path: 'models/marts/routes.svc',
      description: 'Routes and how often they are flown',
      upstream: ['flights_clean', 'airport_names'],
      summary: { total: 4, passed: 3, failed: 1 },
    }),
    asset('airport_risk', {
      ...ran(30, 812),
      status: 'Failed',
      path: 'models/marts/airport_risk.svc',
      description: 'Airports near recent earthquakes',
      freshness: limits,
      definition_hash: '90aa11c0ffee'.padEnd(64, '1'),
      upstream: ['earthquakes', 'airport_names'],
      summary: { total: 2, passed: 1, failed: 1 },
    }),
  ]
}

export function flightsData(nowMs: number): DashboardData {
  const base = dataOf(assetsAt(nowMs))
  const before = (hours: number) => new Date(nowMs - hours * hour).toISOString()
  return {
    ...base,
    catalog: {
      ...base.catalog,
      generated_at: before(2),
      project: {
        id: 'flights',
        name: 'flights',
        warehouse: 'postgres: db.example.com',
        default_schema: 'main',
      },
      active_assets: 8,
      excluded_columns: 4,
      exposures: [
        {
          name: 'delay_board',
          asset: 'daily_delays',
          type: 'dashboard',
          url: 'https://boards.example.com/delays',
          owner: 'desk@example.com',
          description: 'What the desk looks at in the morning',
        },
      ],
      lineage: flightsLineage,
    },
    quality: qualityAt(nowMs),
    history: { runs: Array.from({ length: 14 }, (_, index) => runAt(index, nowMs)) },
  }
}

const flightsLineage: DashboardData['catalog']['lineage'] = [
  {
    from: 'flights',
    to: 'flights_clean',
    kind: 'ref',
    columns: ['carrier', 'origin', 'flown_at', 'delay_minutes'].map(each => ({ from: each, to: each })),
  },
  {
    from: 'airports',
    to: 'airport_names',
    kind: 'ref',
    columns: ['iata', 'name', 'country'].map(each => ({ from: each, to: each })),
  },
  {
    from: 'flights_clean',
    to: 'daily_delays',
    kind: 'ref',
    columns: [
      { from: 'carrier', to: 'carrier' },
      { from: 'flown_at', to: 'day' },
      { from: 'delay_minutes', to: 'delay' },
      { from: 'delay_minutes', to: 'late_flights' },
    ],
  },
  { from: 'daily_delays', to: 'monthly_report', kind: 'ref', columns: [] },
]

export function flightsPath(name: string, chosen: string): ColumnPath | undefined {
  return columnPath({ assets: [], lineage: flightsLineage }, name, chosen)
}

function qualityAt(nowMs: number): QualityFile {
  const at = new Date(nowMs - 2 * hour).toISOString()
  const test = (name: string, time: number, failed?: string, severity: 'error' | 'warn' = 'error') => ({
    name,
    status: failed === undefined ? ('pass' as const) : ('fail' as const),
    execution_time: time,
    kind: name.split('_')[0] ?? name,
    column: null,
    severity,
    message: failed ?? null,
    history: Array.from({ length: 24 }, (_, index) => ({
      at: new Date(nowMs - (2 + index * 6) * hour).toISOString(),
      status: (failed !== undefined && index === 0) || index === 9 ? ('fail' as const) : ('pass' as const),
      execution_time: time * (1 + ((index * 7) % 5) / 10),
    })),
  })
  const entry = (name: string, tests: ReturnType<typeof test>[]) => {
    const passed = tests.filter(each => each.status === 'pass').length
    const summary = {
      total: tests.length,
      passed,
      failed: tests.length - passed,
      pass_rate: passed / tests.length,
    }
    return { name, tests, last_run: at, summary }
  }
  return {
    overall: { total_tests: 27, passed: 25, failed: 2, pass_rate: 25 / 27 },
    assets: [
      entry('daily_delays', [
        test('unique_carrier_day', 0.012),
        test('not_null_carrier', 0.004),
        test('not_null_day', 0.004),
        test('range_delay', 0.009),
        test('row_count', 0.002),
      ]),
      entry('routes', [
        test('unique_origin_destination', 0.031, '14 values are there more than once, for example JFK-LAX'),
        test('not_null_origin', 0.004),
        test('relationships_origin_airports', 1.204),
        test('range_distance', 0.008, '2 rows are above 20,000 km', 'warn'),
      ]),
    ],
  }
}

function runAt(index: number, nowMs: number): AttemptedRun {
  const failed = index === 1 || index === 6
  const seconds = 2.4 + ((index * 37) % 11) / 5 + (index === 4 ? 6 : 0)
  const started = nowMs - (2 + index * 11) * hour
  const assets = assetsAt(nowMs).flatMap(({ name, rows, definition_hash }, at) =>
    rows === null
      ? []
      : [
          {
            name,
            status: failed && name === 'routes' ? 'test_failed' : at % 3 === index % 3 ? 'reused' : 'built',
            rows: Math.round(rows * (1 - index * 0.012 - (index === 5 ? 0.08 : 0))),
            seconds: seconds / (2 + ((at + index) % 5)),
            definition_hash,
          },
        ],
  )
  return {
    run_id: `20261${index}-r${String(41 - index).padStart(3, '0')}`,
    kind: index === 8 ? 'rollback' : index === 11 ? 'preview' : 'run',
    status: failed ? 'Failed' : 'deployed',
    selector: index % 3 === 0 ? null : index % 3 === 1 ? '+daily_delays' : 'tag:core',
    started_at: new Date(started).toISOString(),
    finished_at: new Date(started + seconds * 1000).toISOString(),
    generation: failed ? null : 41 - index,
    unchanged: 0,
    ending: 'finished',
    has_log: index < 3,
    failed_asset: null,
    error: failed ? 'routes: test unique_origin_destination fails, 14 values are there more than once' : null,
    verdict: failed ? 'Failed' : index === 8 ? 'Rolled back' : index === 11 ? 'Previewed' : 'Deployed',
    warned: 0,
    causes: failed
      ? [
          {
            asset: 'routes',
            message: 'test unique_origin_destination fails, 14 values are there more than once',
            place: null,
          },
        ]
      : [],
    more_causes: 0,
    assets,
  }
}
