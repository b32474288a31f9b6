/**
 * Roles that lack rights: `svc doctor` names each with the statement that gives it, and a role that was given all of them
 * makes its runs.
 */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

interface Check {
  readonly name: string
  readonly status: 'OK' | 'FAIL'
  readonly detail: string
  readonly recommendation?: string | null
}

const files = {
  'models/customers.svc': `name: customers
ingest: {type: warehouse, resource: app.customers}
transform: SELECT id, email FROM {{ source }}
`,
  'models/orders.svc': `name: orders
ingest: {type: rows, rows: [{id: 1, amount: 5}]}
transform: SELECT id, amount FROM {{ source }}
deploy: {schema: finance}
`,
}

describe.runIf(canStartPostgres())('a role that lacks rights', () => {
  let server: PostgresServer
  let client: pg.Client
  let database: string
  let address: string
  let project: ProjectHere

  beforeAll(async () => {
    server = await startPostgres()
    const admin = new pg.Client(await server.createDatabase())
    await admin.connect()
    await admin.query('CREATE ROLE app; CREATE ROLE loader LOGIN; CREATE ROLE second LOGIN')
    await admin.query('CREATE ROLE "Odd one" LOGIN NOINHERIT')
    await admin.end()
  })
  afterAll(() => server.stop())

  beforeEach(async () => {
    address = await server.createDatabase()
    database = new URL(address).pathname.slice(1)
    client = new pg.Client(address)
    await client.connect()
    await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO PUBLIC;
      CREATE SCHEMA app AUTHORIZATION app; CREATE TABLE app.customers AS SELECT 1 AS id, 'ann@example.com' AS email`)
    project = createProjectHere({ 'svc.yaml': settingsOf('loader'), ...files })
    return async () => {
      project.dispose()
      await client.end()
    }
  })

  function settingsOf(role: string): string {
    const url = new URL(address)
    url.username = encodeURIComponent(role)
    return `name: shop\nwarehouse: "${url.href}"\n`
  }

  async function doctor(): Promise<readonly Check[]> {
    const { stdout } = await project.svc(['doctor', '--env', 'prod', '--json'])
    return (JSON.parse(stdout) as { checks: Check[] }).checks
  }

  /** What is missing, each with its statement. */
  async function missing(): Promise<readonly string[]> {
    const checks = (await doctor()).filter(({ name, status }) => name === 'rights' && status === 'FAIL')
    return checks.map(({ detail, recommendation }) => `${detail}: ${recommendation}`)
  }

  /** Does what the doctor says, as an administrator would. */
  async function give(): Promise<void> {
    for (const { name, status, recommendation } of await doctor())
      if (name === 'rights' && status === 'FAIL') await client.query(recommendation ?? '')
    expect(await missing()).toEqual([])
  }

  async function runs(): Promise<void> {
    const { code, stderr, stdout } = await project.svc(['run', '--env', 'prod'])
    expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' })
    const { rows } = await client.query('SELECT (SELECT count(*) FROM analytics.customers) AS n')
    expect(rows).toEqual([{ n: '1' }])
  }

  it('in a database that has nothing of svc yet', async () => {
    expect(await missing()).toEqual([
      `the role may not make schemas in ${database}: GRANT CREATE ON DATABASE ${database} TO loader;`,
      `the role may not make temporary tables in ${database}: GRANT TEMPORARY ON DATABASE ${database} TO loader;`,
      'the role may not read app.customers: GRANT USAGE ON SCHEMA app TO loader; GRANT SELECT ON app.customers TO loader;',
    ])
    const nothing = (await doctor()).find(({ name }) => name === 'warehouse')
    expect(nothing?.detail).toContain('answers, and svc has made nothing in it yet')
    await give()
    await runs()
    await client.query('REVOKE SELECT ON app.customers FROM loader; CREATE SCHEMA finance_dev')
    expect(await missing()).toEqual([
      'the role may not read app.customers: GRANT SELECT ON app.customers TO loader;',
    ])
  })

  it('in a schema that somebody else made for it', async () => {
    await client.query('CREATE SCHEMA finance; GRANT USAGE ON SCHEMA finance TO loader')
    expect(await missing()).toContain(
      'the role may not make relations in finance: GRANT USAGE, CREATE ON SCHEMA finance TO loader;',
    )
    await give()
    await runs()
  })

  it('to go on with what another role made, also one that inherits nothing', async () => {
    await give()
    await runs()
    project.write('svc.yaml', settingsOf('second'))
    expect(await missing()).toEqual([
      `the role may not make schemas in ${database}: GRANT CREATE ON DATABASE ${database} TO second;`,
      `the role may not make temporary tables in ${database}: GRANT TEMPORARY ON DATABASE ${database} TO second;`,
      ...['analytics', 'finance', 'svc'].map(
        schema =>
          `the role may not make relations in ${schema}: GRANT USAGE, CREATE ON SCHEMA ${schema} TO second;`,
      ),
      'the role may not read and write the state tables of svc: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA svc TO second;',
      'the role may not replace or remove what loader made: GRANT loader TO second;',
      'the role may not read app.customers: GRANT USAGE ON SCHEMA app TO second; GRANT SELECT ON app.customers TO second;',
    ])
    const state = (await doctor()).find(({ name }) => name === 'state tables')
    expect(state?.recommendation).toBe('Give the role its rights first.')
    await give()
    await client.query(
      "INSERT INTO app.customers VALUES (2, 'bob@example.com'); DELETE FROM app.customers WHERE id = 1",
    )
    await runs()

    await client.query('REVOKE ALL ON app.customers FROM loader')
    project.write(
      'models/customers.svc',
      files['models/customers.svc'].replace(' email ', ' upper(email) AS email '),
    )
    await runs()
    project.write('models/customers.svc', `${files['models/customers.svc']}deploy: {materialize: view}\n`)
    const { code, stderr } = await project.svc(['run', '--env', 'prod'])
    expect({ code, said: stderr.replace(/\s+/g, ' ') }).toEqual({
      code: 1,
      said: expect.stringContaining(
        'loader, who owns the view analytics.customers, may not read app.customers, and so nobody could read the view',
      ),
    })
    expect(stderr.replace(/\s+/g, ' ')).toContain('GRANT SELECT ON app.customers TO loader')
    project.write('models/customers.svc', files['models/customers.svc'])

    project.write('svc.yaml', settingsOf('Odd one'))
    await client.query('GRANT loader TO "Odd one"')
    expect((await missing()).join('\n')).toContain(
      'the role may not replace or remove what loader made: ALTER ROLE "Odd one" INHERIT;',
    )
    await client.query('REVOKE loader FROM "Odd one"')
    expect((await missing()).join('\n')).toContain(
      'the role may not replace or remove what second made: GRANT second TO "Odd one"; ALTER ROLE "Odd one" INHERIT;',
    )
    await give()
    await client.query('UPDATE app.customers SET id = 3')
    await runs()
    await client.query(
      'ALTER ROLE "Odd one" NOINHERIT; REVOKE loader, second FROM "Odd one"; REVOKE loader FROM second',
    )
  })

  it('has nothing to do with what other projects made in the same schema', async () => {
    await give()
    await runs()
    await client.query(`CREATE ROLE neighbour; CREATE SCHEMA svc_g_other AUTHORIZATION neighbour;
      CREATE TABLE svc_g_other.t AS SELECT 1 AS id; CREATE VIEW analytics.theirs AS SELECT id FROM svc_g_other.t;
      ALTER TABLE svc_g_other.t OWNER TO neighbour; ALTER VIEW analytics.theirs OWNER TO neighbour`)
    expect(await missing()).toEqual([])
  })

  it('to connect, by the statement that lets it in, in a run too', async () => {
    await client.query(`REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC`)
    await refused(
      `permission denied for database "${database}"`,
      `GRANT CONNECT ON DATABASE "${database}" TO "loader";`,
    )
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO loader; ALTER ROLE loader NOLOGIN`)
    await refused('role "loader" is not permitted to log in', 'ALTER ROLE "loader" LOGIN;')
    await client.query('ALTER ROLE loader LOGIN')
    await give()
    await runs()
  })

  async function refused(message: string, statement: string): Promise<void> {
    const warehouse = (await doctor()).find(({ name }) => name === 'warehouse')
    expect(warehouse).toMatchObject({ status: 'FAIL', recommendation: statement })
    expect(warehouse?.detail).toContain(message)
    const { code, stderr } = await project.svc(['run', '--env', 'prod'])
    expect(code).toBe(3)
    expect(stderr.replace(/\s+/g, ' ')).toContain(statement)
  }
})
