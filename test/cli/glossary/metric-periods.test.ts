/** The periods of `svc metric --time`: those of a date are dates on each engine, unless they are shorter than a day. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'

const orders = `name: orders
ingest: {type: rows, rows: [{id: 1, day: 2026-01-20, at: "2026-01-20T10:30:00", amount: 10}]}
contract: {columns: {day: {type: date}, at: {type: timestamp}}}
transform: SELECT * FROM {{ source }}
`

function metricOf(grain: string): string {
  const query = "SELECT sum(o.amount) AS n FROM {{ ref('orders') }} AS o"
  return `  - {name: By ${grain}, sql_definition: "${query}", time_grain: ${grain}}`
}

const grains = { year: '01-01', quarter: '01-01', month: '01-01', week: '01-19', day: '01-20' }

describe.each(['DuckDB', 'PostgreSQL'] as const)('the periods of a metric on %s', engine => {
  const isThere = engine === 'DuckDB' || canStartPostgres()
  let server: PostgresServer | undefined
  let project: ProjectHere

  beforeAll(async () => {
    if (!isThere) return
    server = engine === 'PostgreSQL' ? await startPostgres() : undefined
    const warehouse = server === undefined ? '' : `warehouse: ${await server.createDatabase()}\n`
    project = createProjectHere({
      'svc.yaml': `name: shop\n${warehouse}`,
      'models/orders.svc': orders,
      'glossary.yaml': `metrics:\n${[...Object.keys(grains), 'hour'].map(metricOf).join('\n')}\n`,
    })
    const { code, stderr, stdout } = await project.svc(['run'])
    expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' })
  })
  afterAll(async () => {
    if (isThere) project.dispose()
    await server?.stop()
  })

  async function period(grain: string, time: string): Promise<unknown> {
    const { value } = await project.json(['metric', `By ${grain}`, '--time', time, '--json'])
    const { rows } = (value as { result: { rows: Record<string, unknown>[] } }).result
    expect(rows).toEqual([{ [grain]: expect.anything(), n: expect.anything() }])
    return rows[0]?.[grain]
  }

  it.runIf(isThere)('of a date are dates', async () => {
    for (const [grain, day] of Object.entries(grains))
      for (const time of ['day', 'o.day']) expect(await period(grain, time)).toBe(`2026-${day}`)
  })

  it.runIf(isThere)('of a timestamp, and hours of a date, have a time of day', async () => {
    expect(await period('hour', 'day')).toMatch(/^2026-01-20[ T]00:00:00$/)
    expect(await period('hour', 'at')).toMatch(/^2026-01-20[ T]10:00:00$/)
    expect(await period('month', 'at')).toMatch(/^2026-01-01[ T]00:00:00$/)
  })
})
