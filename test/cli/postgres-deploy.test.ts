/** Indexes, grants and statements around a build on PostgreSQL, from end to end. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const orders = `name: orders
ingest: {type: rows, rows: [{id: 1, amount: 5}, {id: 2, amount: 7}]}
transform: SELECT id, amount FROM {{ source }}
deploy:
  indexes:
    - {columns: id, unique: true, name: orders_id}
    - {columns: amount, method: brin, where: amount > 5}
  grants: {select: [bi, analyst]}
  before: SET LOCAL work_mem = '8MB'
  after:
    - ALTER TABLE {{ this }} ADD CONSTRAINT positive CHECK (amount > 0)
    - INSERT INTO {{ this }} SELECT 3, CASE WHEN current_setting('work_mem') = '8MB' THEN count(*) END FROM {{ this }}
`

const totals = `name: totals
ingest: none
transform: SELECT sum(amount)::bigint AS total FROM {{ ref('orders') }}
deploy: {materialize: view, grants: {select: public}}
`

describe.runIf(canStartPostgres())('what deploy says, on PostgreSQL', () => {
  let server: PostgresServer
  let project: ProjectHere
  let client: pg.Client

  beforeAll(async () => {
    server = await startPostgres()
    const url = await server.createDatabase()
    client = new pg.Client(url)
    await client.connect()
    await client.query('CREATE ROLE bi; CREATE ROLE analyst; CREATE ROLE hand')
    project = createProjectHere({
      'svc.yaml': `name: shop\nwarehouse: ${url}\n`,
      'models/orders.svc': orders,
      'models/totals.svc': totals,
    })
  })

  afterAll(async () => {
    project.dispose()
    await client.end()
    await server.stop()
  })

  const write = (text: string) => project.write('models/orders.svc', text)

  async function rows<T>(sql: string): Promise<T[]> {
    return (await client.query(sql)).rows as T[]
  }

  async function done(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'])
    expect({ code, told: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, told: '' })
    return stderr + stdout
  }

  async function failure(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'])
    expect(code).not.toBe(0)
    return (stderr + stdout).replace(/\s+/g, ' ')
  }

  async function readersOf(view: string): Promise<readonly string[]> {
    const found = await rows<{ name: string }>(
      `SELECT CASE a.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(a.grantee) END AS name
       FROM pg_class AS c CROSS JOIN aclexplode(c.relacl) AS a
       WHERE c.oid = 'analytics.${view}'::regclass AND a.grantee <> c.relowner ORDER BY 1`,
    )
    return found.map(({ name }) => name)
  }

  const liveSchema = async () =>
    (
      await rows<{ green_schema: string }>("SELECT green_schema FROM svc.svc_catalog WHERE asset = 'orders'")
    )[0]?.green_schema

  it('makes indexes, runs statements in the transaction of the build, and lets roles read production', async () => {
    expect(await done('plan')).toContain('+ select to bi, analyst')
    expect(await done('run')).toMatch(/promoted 2 views at once, changed who may read 2 views/)
    expect(await rows('SELECT id, amount FROM analytics.orders ORDER BY id')).toEqual([
      { id: '1', amount: '5' },
      { id: '2', amount: '7' },
      { id: '3', amount: '2' },
    ])
    const indexes = await rows<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE schemaname = '${await liveSchema()}' ORDER BY indexname`,
    )
    expect(indexes.map(({ indexdef }) => indexdef.replace(/.* ON \S+ /, ''))).toEqual([
      'USING brin (amount) WHERE (amount > 5)',
      'USING btree (id)',
    ])
    expect(await readersOf('orders')).toEqual(['analyst', 'bi'])
    expect(await readersOf('totals')).toEqual(['public'])
    await client.query('SET ROLE bi')
    expect(await rows('SELECT total FROM analytics.totals')).toEqual([{ total: '14' }])
    await client.query('RESET ROLE')
    expect((await rows<{ work_mem: string }>('SHOW work_mem'))[0]?.work_mem).not.toBe('8MB')
  })

  it('takes away what is taken out of the file, without a build, and leaves what others granted', async () => {
    await client.query('GRANT SELECT ON analytics.orders TO hand')
    const before = await liveSchema()
    write(orders.replace('[bi, analyst]', 'bi'))
    const plan = await done('plan')
    expect(plan).toMatch(/2 assets +reused/)
    expect(plan).toMatch(/orders +grants +- select from analyst/)
    const { value } = await project.json([...['plan', '--json', '--env', 'prod']])
    expect(value).toMatchObject({
      nothing_to_do: false,
      grant_changes: [{ asset: 'orders', grant: [], revoke: ['analyst'] }],
    })
    expect(await done('run')).toMatch(/Deployed run \w+ to prod in .*: it changed who may read 1 view\./)
    expect(await liveSchema()).toBe(before)
    expect(await readersOf('orders')).toEqual(['bi', 'hand'])
    expect(await done('run')).toContain('Nothing to do')
  })

  it('keeps rights over promotions and rollbacks, also of views that are made anew, and gives them to new ones', async () => {
    write(orders.replace('[bi, analyst]', 'bi').replace('SELECT id, amount', 'SELECT id::text AS id, amount'))
    expect(await done('run')).not.toContain('who may read')
    expect(await rows('SELECT pg_typeof(id)::text AS type FROM analytics.orders LIMIT 1')).toEqual([
      { type: 'text' },
    ])
    expect(await readersOf('orders')).toEqual(['bi', 'hand'])
    await done('rollback')
    expect(await readersOf('orders')).toEqual(['bi', 'hand'])
    await client.query('DROP VIEW analytics.orders')
    await done('run')
    expect(await readersOf('orders')).toEqual(['bi'])
    await client.query('DROP OWNED BY bi; DROP ROLE bi')
    write(orders.replace('[bi, analyst]', 'analyst'))
    await done('run')
    expect(await readersOf('orders')).toEqual(['analyst'])
  })

  it('names a role that is not there at its place, before any work, and what the role of svc may not open', async () => {
    write(orders.replace('[bi, analyst]', '[analyst, analist]'))
    for (const command of ['plan', 'run'])
      expect(await failure(command)).toContain('no role "analist" models/orders.svc:8:30')
    expect(await failure('doctor')).toContain('CREATE ROLE "analist";')
    await client.query('CREATE ROLE analist; CREATE ROLE other; ALTER SCHEMA analytics OWNER TO other')
    await client.query('CREATE ROLE loader LOGIN; GRANT USAGE, CREATE ON SCHEMA svc, analytics TO loader')
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA svc TO loader;
      REVOKE USAGE ON SCHEMA analytics FROM PUBLIC`)
    const settings = readFileSync(join(project.root, 'svc.yaml'), 'utf8')
    project.write('svc.yaml', settings.replace('svc@', 'loader@'))
    expect(await failure('doctor')).toContain('GRANT USAGE ON SCHEMA "analytics" TO "analist";')
    project.write('svc.yaml', settings)
    await done('run')
    expect(await readersOf('orders')).toEqual(['analist', 'analyst'])
  })

  it('names the views of others that a change would break, before any work, and none that it would not', async () => {
    const good = orders.replace('[bi, analyst]', 'analyst')
    write(good)
    await done('run')
    await client.query(`CREATE SCHEMA finance;
      CREATE VIEW finance.fine AS SELECT count(*) AS n, max(id::text) AS last FROM analytics.orders;
      SET search_path TO analytics;
      CREATE VIEW finance.sums AS SELECT o.id, sum(o.amount) + 1 AS paid FROM orders AS o GROUP BY o.id;
      CREATE MATERIALIZED VIEW finance.days AS SELECT id % 7 AS day FROM orders;
      RESET search_path`)
    write(good.replace('SELECT id, amount', 'SELECT id::text AS id, amount'))
    for (const command of ['plan', 'run']) {
      const told = await failure(command)
      expect(told).toContain(
        'view finance.days reads analytics.orders, and would break: operator does not exist: text % bigint',
      )
      expect(told).not.toMatch(/finance.sums|finance.fine/)
    }
    write(
      good
        .replace('SELECT id, amount', 'SELECT id')
        .replace(/ {4}- \{columns: amount.*\n/, '')
        .replace(/ {2}after:.*/s, ''),
    )
    project.write('models/totals.svc', totals.replace('sum(amount)', 'count(*)'))
    const told = await failure('plan')
    expect(told).toContain(
      'view finance.sums reads analytics.orders, and would break: column o.amount does not exist',
    )
    project.remove('models/orders.svc')
    project.remove('models/totals.svc')
    expect(await failure('plan')).toContain(
      'materialized view finance.days reads analytics.orders, which would go away',
    )
    expect(await failure('plan')).toContain('So would view finance.fine; view finance.sums.')
    await client.query('DROP SCHEMA finance CASCADE')
    project.write('models/totals.svc', totals)
  })

  it('names what hangs on such views, directly or not, with functions and tables of its type', async () => {
    const good = orders.replace('[bi, analyst]', 'analyst')
    write(good)
    await done('run')
    await client.query(`CREATE SCHEMA finance; CREATE SCHEMA board;
      CREATE VIEW finance.orders AS SELECT id, amount AS paid FROM analytics.orders;
      CREATE VIEW board.top AS SELECT id FROM finance.orders WHERE id > 2;
      CREATE MATERIALIZED VIEW board.fine AS SELECT count(*) AS n, max(paid) AS most FROM finance.orders;
      CREATE FUNCTION board.big() RETURNS SETOF analytics.orders LANGUAGE sql AS 'SELECT * FROM analytics.orders WHERE id % 2 = 1';
      CREATE FUNCTION board.any() RETURNS SETOF analytics.orders LANGUAGE sql SET search_path TO 'analytics' AS 'SELECT * FROM orders'`)
    const asText = good.replace('SELECT id, amount', 'SELECT id::text AS id, amount')
    write(asText)
    const told = await failure('plan')
    expect(told).toMatch(/(view board.top|function board.big\(\)) reads analytics.orders, and would break/)
    expect(told).toContain('view board.top (operator does not exist: text > integer)')
    expect(told).toMatch(/function board.big\(\).*operator does not exist: text % integer/)
    expect(told).not.toMatch(/board.fine|board.any|finance.orders/)
    await client.query('DROP VIEW board.top; DROP FUNCTION board.big()')
    await done('run')
    expect(await rows('SELECT n, most FROM board.fine')).toEqual([{ n: '3', most: '7' }])
    expect(await rows('SELECT count(*)::int AS n FROM board.any()')).toEqual([{ n: 3 }])

    await client.query('CREATE TABLE board.kept (row analytics.orders)')
    write(asText.replace('id::text AS id, amount', 'amount, id::text AS id'))
    expect(await failure('plan')).toContain(
      'table board.kept needs analytics.orders, and would break: the view has to be made anew',
    )
    await client.query('DROP SCHEMA board, finance CASCADE')
  })

  it('says at its place what the server has against an index or a statement, and changes nothing', async () => {
    const good = orders.replace('[bi, analyst]', 'analyst')
    write(good.replace('SELECT id, amount', 'SELECT 1 AS id, amount'))
    expect(await failure('run')).toContain('Key (id)=(1) is duplicated')
    write(good.replace('INSERT INTO {{ this }} SELECT 3', 'INSERT INTO {{ this }} SELECT threee'))
    expect(await failure('run')).toMatch(/"threee" does not exist models\/orders.svc:12:37/)
    write(good.replace(/ALTER TABLE.*/, 'DROP TABLE {{ this }} CASCADE').replace(/ {4}- INSERT.*\n/, ''))
    expect(await failure('run')).toContain('took away what was built')
    write(good.replace('where: amount > 5', 'where: amuont > 5').replace('brin', 'bronn'))
    const told = await failure('validate')
    expect(told).toContain('no index method "bronn"')
    expect(told).toMatch(/did you mean "amount"/)
    expect(await rows('SELECT count(*)::integer AS n FROM analytics.orders')).toEqual([{ n: 3 }])
  })
})
