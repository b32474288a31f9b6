/** A promotion on PostgreSQL beside a session that is idle in a transaction, as `promotion` of the environment says. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const unwrapped = (text: string) => text.replace(/\s+/g, ' ')
const settings = (promotion: string) =>
  `name: shop\nwarehouse: env:HOUSE\nenvironments: {prod: {promotion: ${promotion}}}\n`
const model = (n: number) => `name: orders\ningest: none\ntransform: SELECT ${n} AS n\n`

describe.runIf(canStartPostgres())('a promotion beside a session that does nothing', () => {
  let server: PostgresServer
  let project: Ground
  let env: Readonly<Record<string, string>>
  let reader: pg.Client

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  beforeEach(async () => {
    project = createGround({ 'models/orders.svc': model(1) }, { program: 'tests' })
    env = { HOUSE: await server.createDatabase(), HOME: project.root }
    project.write('svc.yaml', settings('whole'))
    await expect(run()).resolves.toMatchObject({ code: 0 })
    reader = new pg.Client({ connectionString: env['HOUSE'], application_name: 'board' })
    reader.on('error', () => undefined)
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT * FROM analytics.orders')
    project.write('models/orders.svc', model(2))
  })
  afterEach(async () => {
    await reader.end().catch(() => undefined)
    project.dispose()
  })

  const run = () => project.line(['run', '--all', '--env', 'prod'], { env })

  it('gives up after the wait, and says whom it waited for', async () => {
    project.write('svc.yaml', settings('{wait: 500ms}'))
    const { code, stdout, stderr } = await run()
    expect(code).toBe(1)
    expect(unwrapped(stdout + stderr)).toMatch(
      /analytics\.orders is still locked after 0\.5 s, by process \d+ of role svc, application 'board'/,
    )
    await reader.query('COMMIT')
    expect(await run()).toMatchObject({ code: 0 })
    expect((await reader.query('SELECT n FROM analytics.orders')).rows).toEqual([{ n: 2 }])
  })

  it('ends that session where the environment says so, and tells of it at once and afterwards', async () => {
    project.write('svc.yaml', settings('{blockers: cancel, wait: 1500ms}'))
    const { code, stdout, stderr } = await run()
    const said = unwrapped(stdout + stderr)
    expect(code, said).toBe(0)
    expect(said).toContain('the promotion ended a session that did nothing in an open transaction')
    expect(said).toContain('Deployed with 1 warning')
    const runs = await askPostgres(
      env['HOUSE'] ?? '',
      'SELECT warnings FROM svc.svc_state_history ORDER BY started_at DESC LIMIT 1',
    )
    expect(JSON.stringify(runs)).toContain('ended-sessions')
  })

  it('tells of sessions that it ended in the record of a run that fails all the same', async () => {
    project.write('models/others.svc', model(1).replace('orders', 'others'))
    project.write('svc.yaml', settings('{blockers: cancel, wait: 1200ms}'))
    await reader.query('COMMIT')
    expect(await run()).toMatchObject({ code: 0 })
    project.write('models/orders.svc', model(3))
    project.write('models/others.svc', model(3).replace('orders', 'others'))
    await reader.query('BEGIN')
    await reader.query('SELECT * FROM analytics.orders')
    const atWork = new pg.Client({ connectionString: env['HOUSE'], application_name: 'report' })
    atWork.on('error', () => undefined)
    await atWork.connect()
    const working = atWork.query('SELECT n, pg_sleep(60) FROM analytics.others').catch(() => undefined)
    const { code, stdout, stderr } = await run()
    const said = unwrapped(stdout + stderr)
    expect(code, said).toBe(1)
    expect(said).toContain('the promotion ended a session that did nothing in an open transaction')
    expect(said).toMatch(/application 'report', at work in a transaction/)
    const [last] = await askPostgres(
      env['HOUSE'] ?? '',
      `SELECT status, warnings::text FROM svc.svc_state_history ORDER BY started_at DESC LIMIT 1`,
    )
    expect(last).toMatchObject({ status: 'Failed', warnings: expect.stringContaining('ended-sessions') })
    await askPostgres(
      env['HOUSE'] ?? '',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'report'",
    )
    await working
    await atWork.end().catch(() => undefined)
  })
})

it('what an environment on DuckDB says of readers means nothing there, and is refused', async () => {
  const project = createGround({
    'svc.yaml': 'environments: {prod: {promotion: {what: passed, blockers: cancel}}}\n',
    'models/orders.svc': model(1),
  })
  try {
    const { code, stdout } = await project.line(['validate'])
    expect(code).toBe(1)
    expect(unwrapped(stdout)).toContain(
      '"environments.prod.promotion.blockers" means nothing here: a promotion on DuckDB waits for no reader',
    )
  } finally {
    project.dispose()
  }
})
