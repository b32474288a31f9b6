/** `contract.constraints` on both engines: rows that break a key stop the run, production stays, and the place is told. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const customers = `name: customers
ingest: {type: rows, rows: [{id: 1, email: a@x}, {id: 2, email: b@x}]}
contract: {constraints: {primary_key: id, unique: email}}
transform: SELECT id, email FROM {{ source }}
`
const orders = `name: orders
ingest: none
contract:
  constraints:
    primary_key: id
    unique: [[id, customer_id]]
    foreign_keys: [{columns: customer_id, references: customers}]
transform: SELECT 7 AS id, 1 AS customer_id UNION ALL SELECT 8, NULL UNION ALL SELECT 9, 2
`

async function runOf(project: ProjectHere) {
  const { code, stdout, stderr } = await project.svc(['run', '--env', 'prod'])
  return { code, told: (stderr + stdout).replace(/\s+/g, ' ') }
}

function cases(open: () => Promise<{ project: ProjectHere; url: string }>, isPostgres: boolean): void {
  let project: ProjectHere
  let url: string
  beforeAll(async () => {
    const opened = await open()
    project = opened.project
    url = opened.url
    project.write('models/customers.svc', customers)
    project.write('models/orders.svc', orders)
  })
  afterAll(() => project.dispose())

  const run = () => runOf(project)

  it('makes tables whose rows hold them, and makes them again with the asset that a key names', async () => {
    expect(await run()).toMatchObject({ code: 0 })
    project.write('models/customers.svc', customers.replace('b@x', 'c@x'))
    const again = await run()
    expect(again).toMatchObject({ code: 0 })
    expect(again.told).toContain('2 built')
    expect(await run()).toMatchObject({ code: 0 })
    expect(await project.svc(['gc', '--env', 'prod'])).toMatchObject({ code: 0 })
    if (!isPostgres) return
    const found = await askPostgres(
      url,
      `SELECT DISTINCT pg_get_constraintdef(c.oid) AS key FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid
       WHERE r.relname = 'orders' AND c.contype IN ('p', 'u', 'f') ORDER BY 1`,
    )
    expect(found.map(({ key }) => String(key).replace(/svc_g_\w+\./, ''))).toEqual(
      expect.arrayContaining([
        'FOREIGN KEY (customer_id) REFERENCES customers(id)',
        'PRIMARY KEY (id)',
        'UNIQUE (id, customer_id)',
      ]),
    )
  })

  it.each([
    ['SELECT 8, NULL', 'SELECT 7, NULL', 'the primary key of id does not hold', ':5:'],
    ['SELECT 8, NULL', 'SELECT NULL, NULL', 'the primary key of id does not hold', ':5:'],
    ['SELECT 9, 2', 'SELECT 9, 3', 'the foreign key of customer_id does not hold', ':7:'],
  ])('refuses rows that break one: %s → %s', async (before, after, says, place) => {
    project.write('models/orders.svc', orders.replace(before, after))
    const { code, told } = await run()
    expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining(says) })
    expect(told).toContain(`models/orders.svc${place}`)
    const rows = await project.json(['sample', 'orders', '--env', 'prod', '--json'])
    // What is live are the rows of before.
    expect(rows.value).toMatchObject({
      rows: [
        { id: 7, customer_id: 1 },
        { id: 8, customer_id: null },
        { id: 9, customer_id: 2 },
      ],
    })
  })

  it('refuses a value that comes twice', async () => {
    project.write('models/orders.svc', orders)
    project.write('models/customers.svc', customers.replace('b@x', 'a@x'))
    expect(await run()).toEqual({
      code: 1,
      told: expect.stringContaining('the unique key of email does not hold'),
    })
    project.write('models/customers.svc', customers)
  })
}

describe('keys of tables, on DuckDB', () => {
  cases(async () => ({ project: createProjectHere({ 'svc.yaml': 'name: shop\n' }), url: '' }), false)
})

describe.runIf(canStartPostgres())('keys of tables, on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  cases(async () => {
    const url = await server.createDatabase()
    return { project: createProjectHere({ 'svc.yaml': `name: shop\nwarehouse: ${url}\n` }), url }
  }, true)

  it('makes a table unlogged, in a tablespace, with settings and a name of its session, and again after a crash', async () => {
    const url = await server.createDatabase()
    const project = createProjectHere({
      'svc.yaml': `name: shop\nwarehouse: ${url}\n`,
      'models/fast.svc': `name: fast
ingest: none
transform: SELECT 1 AS id
deploy:
  unlogged: true
  tablespace: pg_default
  settings: {work_mem: 8MB, enable_seqscan: false}
  after: INSERT INTO {{ this }} SELECT CASE WHEN current_setting('work_mem') = '8MB' AND current_setting('enable_seqscan') = 'off' AND current_setting('application_name') ~ '^svc [0-9a-z]+ fast$' THEN 2 END
`,
    })
    expect(await runOf(project)).toMatchObject({ code: 0 })
    const ids = () => askPostgres(url, 'SELECT id FROM analytics.fast ORDER BY id')
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }])
    expect(
      await askPostgres(
        url,
        "SELECT relpersistence AS p FROM pg_class WHERE relname = 'fast' AND relkind = 'r'",
      ),
    ).toEqual([{ p: 'u' }])
    await server.crash()
    await server.start()
    expect(await ids()).toEqual([])
    expect(await project.svc(['run', '--env', 'prod'])).toMatchObject({ code: 0 })
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }])
    const write = (line: string) =>
      project.write(
        'models/fast.svc',
        `name: fast\ningest: none\ntransform: SELECT 1 AS id\ndeploy: {${line}}\n`,
      )
    for (const [line, says] of [
      ['tablespace: nowhere', 'nowhere'],
      ['settings: {wrk_mem: 8MB}', 'wrk_mem'],
    ] as const) {
      write(line)
      const { code, stderr } = await project.svc(['run', '--env', 'prod'])
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) })
      expect(stderr).toContain('models/fast.svc:4:')
      // Neither has a schema.
      expect(stderr).not.toContain('Write the schema')
    }
    write('settings: {search_path: public}')
    expect(await project.svc(['validate'])).toMatchObject({ code: 1 })
    project.dispose()
  })
})
