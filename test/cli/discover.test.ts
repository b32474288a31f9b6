/** `svc discover`: what it writes for a web service and for databases validates, runs and holds, and has no secret. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { showsSource } from '../support/features/shows.ts'
import { canStartMariadb, type MariadbServer, startMariadb } from '../support/mariadb.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type RestServer, sendJson, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let ground: Ground
beforeEach(() => {
  ground = createGround({ 'svc.yaml': 'name: shop\n' })
})
afterEach(() => ground.dispose())

const discover = (words: readonly string[], env?: Readonly<Record<string, string>>) =>
  ground.line(['discover', ...words], { ...(env !== undefined && { env }) })
const fileOf = (name: string) => readFileSync(join(ground.root, `models/${name}.svc`), 'utf8')
const files = () => readdirSync(join(ground.root, 'models')).sort()

async function expectGreen(env: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const words of [['validate'], ['run', '--all']]) {
    const said = await ground.line(words, { env })
    expect(said.code, said.stdout + said.stderr).toBe(0)
  }
}

describe('a web service', () => {
  let server: RestServer
  beforeAll(async () => {
    server = await startRestServer()
    server.route('/v1/orders', (request, response) => {
      const page = Number(request.query.get('page') ?? 1)
      const items = [1, 2, 3].map(index => ({
        id: page * 10 + index,
        'E-Mail': `a${index}@example.com`,
        amount: index * 1.5,
        gone: null,
        lines: [{ sku: 'x' }],
        order: { group: 'a' },
      }))
      sendJson(response, { data: { items }, meta: { page, total_pages: 3 } })
    })
    server.route('/v1/nothing', (_request, response) => sendJson(response, []))
  })
  afterAll(() => server.close())

  it('is printed as it is written, by the variable that the project keeps its address in', async () => {
    const env = { SHOP_API: `${server.origin}/v1` }
    ground.write(
      'models/known.svc',
      'name: known\ningest: {type: rest_api, endpoint: env:SHOP_API, resource: orders}\ntransform: SELECT * FROM {{ source }}\n',
    )
    const printed = await discover([`${server.origin}/v1/orders`, '--no-write'], env)
    expect(printed.code, printed.stderr).toBe(0)
    expect(printed.stdout).toContain('  endpoint: env:SHOP_API\n  resource: orders\n')
    expect(printed.stdout).not.toContain('***')
    expect((await discover([`${server.origin}/v1/orders`], env)).code).toBe(0)
    expect(fileOf('orders')).toBe(printed.stdout)
    await expectGreen(env)
  })

  it('names the key of its records in a list, as the contract has it', async () => {
    await discover([`${server.origin}/v1/orders`])
    expect(fileOf('orders')).toContain('  required_columns: [id]\n')
  })

  it('becomes an asset with its records, pages, key, types and personal data, which runs', async () => {
    showsSource(['rest_api'], ['discover'])
    const said = await discover([`${server.origin}/v1/orders`])
    expect(said.code, said.stderr).toBe(0)
    expect(said.stdout).toContain('Wrote models/orders.svc')
    expect(fileOf('orders').replaceAll(new URL(server.origin).host, '<host>')).toMatchInlineSnapshot(`
      "name: orders
      description: Records of orders at <host>.

      ingest:
        type: rest_api
        endpoint: http://<host>/v1
        resource: orders
        records: data.items
        paginate: {type: page, param: page, total: meta.total_pages, start: 1}
        primary_key: id

      contract:
        required_columns: [id]
        columns:
          id: bigint
          e_mail: {type: varchar, pii: true}
          amount: double
          order__group: varchar
          # gone: every value that was seen is NULL, so its type is not known yet

      # A list inside each record is a table of its own: {{ source('lines') }}.
      transform: |
        SELECT
          id,
          e_mail,
          amount,
          gone,
          order__group
        FROM {{ source }}

      tests:
        - unique: id
        - not_null: id
      "
    `)
    await expectGreen()
    const sample = await ground.line(['sample', 'orders', '--limit', '100', '--json'])
    expect((JSON.parse(sample.stdout) as { rows: unknown[] }).rows).toHaveLength(9)
  })

  it('has no secret of its address in any file, and says which variable has to be set', async () => {
    const place = `${server.origin.replace('//', '//reader:pass%20word@')}/v1/orders?api_key=sesame&size=3`
    const said = await discover([place])
    expect(said.code, said.stderr).toBe(0)
    expect(said.stdout.replace(/\s+/g, ' ')).toContain(
      'set SOURCE__ORDERS__API_KEY and SOURCE__ORDERS__CREDENTIALS before a run',
    )
    expect(fileOf('orders')).not.toMatch(/pass|sesame/)
    expect(fileOf('orders')).toContain('params: {api_key: env:SOURCE__ORDERS__API_KEY, size: "3"}')
    await expectGreen({ SOURCE__ORDERS__API_KEY: 'sesame', SOURCE__ORDERS__CREDENTIALS: 'pass word' })
  })

  it('that wants a login is signed in to as it is said, or as the project does already', async () => {
    const ofToken = 'Bearer sesame-4711'
    const ofKey = 'key-0815'
    server.route('/v2/clients', ({ headers }, response) => {
      const isKnown = headers['authorization'] === ofToken || headers['x-api-key'] === ofKey
      if (isKnown) return sendJson(response, [{ id: 1 }, { id: 2 }])
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"who are you"}')
    })
    const place = `${server.origin}/v2/clients`
    const env = { TOKEN: 'sesame-4711', KEY: ofKey }
    const said = await discover([place], env)
    expect([said.code, said.stderr.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringMatching(/status 401.*It wants a login: --auth bearer with the token in SOURCE__/),
    ])
    const typed = await discover([place, '--auth', 'bearer token=sesame-4711'], env)
    expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining('SOURCE__CLIENTS__TOKEN')])
    const short = await discover([place, '--auth', '{type: basic, username: ada, password: x}'], env)
    expect([short.code, short.stderr]).toEqual([2, expect.stringMatching(/hard-coded|has a secret in it/)])
    expect(typed.stderr).not.toContain('sesame')
    const wrong = await discover([place, '--auth', 'baerer'], env)
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('bearer')])
    const key = await discover([place, '--auth', '{type: api_key, name: X-Api-Key, value: env:KEY}'], env)
    expect(key.code, key.stderr).toBe(0)
    expect(fileOf('clients')).toContain('  auth: {type: api_key, name: X-Api-Key, value: env:KEY}\n')
    const like = await discover([place, '--name', 'people', '--like', 'clients'], env)
    expect(like.code, like.stderr).toBe(0)
    const same = await discover([place, '--name', 'guests'], env)
    expect(same.stdout).toContain('signed in as clients is')
    for (const name of ['people', 'guests'])
      expect(fileOf(name)).toContain('  auth: {type: api_key, name: X-Api-Key, value: env:KEY}\n')
    await expectGreen(env)
    expect((await discover([place, '--name', 'x', '--like', 'client'], env)).stderr).toContain(
      'did you mean "clients"?',
    )
    const shown = [said, typed, wrong, key, like, same].map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(shown + fileOf('clients') + fileOf('people')).not.toMatch(/4711|0815/)
  })

  it('takes the login of a destination of the same host, whose secret is in its variable', async () => {
    server.route('/v3/leads', ({ headers }, response) => {
      if (headers['authorization'] === 'Bearer sesame-4711') return sendJson(response, [{ id: 1 }])
      response.writeHead(403).end()
    })
    ground.write(
      'svc.yaml',
      `name: shop\ndestinations:\n  crm: {type: http, endpoint: "${server.origin}/v3", resource: leads}\n`,
    )
    const env = { DESTINATION__CRM__CREDENTIALS: 'sesame-4711' }
    const said = await discover([`${server.origin}/v3/leads`], env)
    expect(said.code, said.stderr).toBe(0)
    expect(said.stdout).toContain('signed in as crm is')
    expect(fileOf('leads')).toContain(
      '  auth: {type: bearer}\n  credentials: env:DESTINATION__CRM__CREDENTIALS\n',
    )
    await expectGreen(env)
    const files = await discover(['data/*.csv', '--auth', 'bearer'])
    expect([files.code, files.stderr]).toEqual([2, expect.stringContaining('are for web services')])
  })

  it('is only printed with --no-write, as text or as JSON', async () => {
    const place = `${server.origin}/v1/orders`
    const printed = await discover([place, '--no-write', '--name', 'sales'])
    expect(printed.stdout).toMatch(/^name: sales\n/)
    const json = await discover([place, '--no-write', '--json'])
    const { assets } = JSON.parse(json.stdout) as { assets: { written: boolean; primary_key: string[] }[] }
    expect(assets).toMatchObject([{ name: 'orders', written: false, primary_key: ['id'] }])
    expect(readdirSync(ground.root)).not.toContain('models')
  })

  it('goes into the file that --output names, and overwrites none', async () => {
    const place = `${server.origin}/v1/orders`
    expect((await discover([place, '-o', 'models/raw/sales.svc', '--name', 'sales'])).code).toBe(0)
    expect(readFileSync(join(ground.root, 'models/raw/sales.svc'), 'utf8')).toMatch(/^name: sales\n/)
    const again = await discover([place, '--name', 'sales'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('models/raw/sales.svc')])
  })

  it.each([
    ['no records', '/v1/nothing', 1, 'brought no records'],
    ['no such path', '/v1/none', 3, 'status 404'],
  ])('%s: nothing is written', async (_what, path, code, words) => {
    const said = await discover([`${server.origin}${path}`])
    expect(said.code).toBe(code)
    expect(said.stderr).toContain(words)
    expect(readdirSync(ground.root)).not.toContain('models')
  })
})

describe('a web service with a time of the last change', () => {
  interface Note {
    readonly id: number
    readonly updated_at: string | null
  }
  let server: RestServer
  let notes: readonly Note[]
  /** What the service makes of the parameter updated_since. */
  let filter: 'from' | 'beyond' | 'ignored' | 'refused'
  beforeAll(async () => {
    server = await startRestServer()
    server.route('/v1/notes', (request, response) => {
      const since = request.query.get('updated_since')
      if (since !== null && filter === 'refused')
        return sendJson(response, { error: 'no such parameter' }, 400)
      const isWanted = ({ updated_at }: Note) => {
        if (since === null || filter === 'ignored' || updated_at === null) return true
        return filter === 'from' ? updated_at >= since : updated_at > since
      }
      sendJson(response, { data: notes.filter(isWanted) })
    })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    filter = 'from'
    notes = [1, 2, 3, 4, 5].map(id => ({ id, updated_at: `2026-01-0${id}T10:00:00Z` }))
    server.forget()
  })

  it('is asked for what has changed alone, if it was seen to filter by it', async () => {
    const said = await discover([`${server.origin}/v1/notes?state=open`])
    expect(said.code, said.stderr).toBe(0)
    expect(fileOf('notes')).toContain('  params: {state: open, updated_since: "{cursor}"}\n')
    expect(fileOf('notes')).toContain(
      '  primary_key: id\n  write: merge\n  incremental: {cursor: updated_at}\n\n',
    )
    await expectGreen()
    notes = [...notes.slice(1), { id: 1, updated_at: '2026-01-07T10:00:00Z' }]
    server.forget()
    expect((await ground.line(['run', '--all'])).code).toBe(0)
    expect(server.requests.map(({ query }) => query.get('updated_since'))).toEqual(['2026-01-05T10:00:00Z'])
    const sample = await ground.line(['sample', 'notes', '--json'])
    expect((JSON.parse(sample.stdout) as { rows: unknown[] }).rows).toHaveLength(5)
  })

  it.each(['ignored', 'refused', 'beyond'] as const)(
    'where the parameter is %s, it is a suggestion',
    async what => {
      filter = what
      expect((await discover([`${server.origin}/v1/notes`])).code).toBe(0)
      expect(fileOf('notes')).toContain('  # "updated_at" looks like the time of the last change.')
      expect(fileOf('notes')).toContain('  # incremental: {cursor: updated_at}\n')
      expect(fileOf('notes')).not.toMatch(/^ *(params|write|incremental):/m)
      await expectGreen()
    },
  )

  it('with records that have none, it is a suggestion, and the service is not tried', async () => {
    notes = [...notes, { id: 6, updated_at: null }]
    await discover([`${server.origin}/v1/notes`])
    expect(fileOf('notes')).toContain('  # incremental: {cursor: updated_at}\n')
    expect(server.requests).toHaveLength(1)
  })
})

describe.runIf(canStartPostgres())('a database of PostgreSQL', () => {
  let server: PostgresServer
  let place: string
  beforeAll(async () => {
    server = await startPostgres()
    place = await server.createDatabase()
    const client = new pg.Client({ connectionString: place })
    await client.connect()
    await client.query(`
      CREATE TABLE customers (
        id bigint PRIMARY KEY, name text NOT NULL, contact text, "Joined At" date, balance numeric(12, 2)
      );
      COMMENT ON TABLE customers IS 'Who has bought: once, or more often.';
      COMMENT ON COLUMN customers.balance IS 'In euro, "open" invoices included.';
      INSERT INTO customers SELECT n, 'c' || n, 'c' || n || '@example.com', '2024-01-01', n FROM generate_series(1, 50) AS n;
      CREATE SCHEMA sales;
      CREATE TABLE sales.lines (customer_id bigint, "order" int, PRIMARY KEY (customer_id, "order"));
      INSERT INTO sales.lines VALUES (1, 1), (1, 2)`)
    await client.end()
  })
  afterAll(() => server.stop())

  it('has several tables: one has to be named', async () => {
    const said = await discover([place])
    expect(said.code).toBe(2)
    expect(said.stderr).toContain('2 tables: public.customers, sales.lines')
  })

  it('has no such table: the near one is named', async () => {
    const said = await discover(['env:PLACE', 'table:public.custmers'], { PLACE: place })
    expect(said.code).toBe(2)
    expect(said.stderr.replace(/\s+/g, ' ')).toContain(
      'has no table "public.custmers"; did you mean "public.customers"?',
    )
  })

  it('gives an asset its key, types, comments and personal columns, and the tests hold', async () => {
    showsSource(['postgres'], ['discover'])
    const said = await discover(['env:PLACE', 'table:public.customers'], { PLACE: place })
    expect(said.code, said.stderr).toBe(0)
    expect(fileOf('customers')).toMatchInlineSnapshot(`
      "name: customers
      description: "Who has bought: once, or more often."

      ingest:
        type: sql
        endpoint: env:PLACE
        resource: public.customers
        primary_key: id

      contract:
        required_columns: [id]
        columns:
          id: {type: bigint, nullable: false}
          name: {type: varchar, nullable: false, pii: true}
          contact: {type: varchar, pii: true}
          joined_at: date
          balance: {type: "decimal(12,2)", description: "In euro, \\"open\\" invoices included."}

      transform: |
        SELECT
          id,
          name,
          contact,
          joined_at,
          balance
        FROM {{ source }}

      tests:
        - unique: id
        - not_null: id
      "
    `)
    await expectGreen({ PLACE: place })
  })

  it('gives one asset a table with --all; a password stays outside', async () => {
    const said = await discover([place.replace('svc@', 'svc:sesame@'), '--all'])
    expect(said.code, said.stderr).toBe(0)
    expect(files()).toEqual(['customers.svc', 'lines.svc'])
    expect(fileOf('lines')).toContain('primary_key: [customer_id, order]')
    expect(fileOf('lines') + fileOf('customers')).not.toContain('sesame')
    const variable = /credentials: env:(\w+)/.exec(fileOf('lines'))?.[1] ?? ''
    expect(said.stdout).toContain(variable)
    await expectGreen({ [variable]: 'sesame' })
  })
})

describe.runIf(canStartMariadb())('a database of MariaDB', () => {
  let server: MariadbServer
  let place: string
  beforeAll(async () => {
    server = await startMariadb()
    place = await server.createDatabase()
    const client = await mysql.createConnection(place.replace(/^mariadb:/, 'mysql:'))
    await client.query(`CREATE TABLE customers (
      id bigint unsigned PRIMARY KEY, name varchar(40) NOT NULL, contact varchar(80), \`Joined At\` date,
      balance decimal(12, 2) COMMENT 'In euro, "open" invoices included.',
      updated_at datetime(6) NOT NULL
    ) COMMENT 'Who has bought: once, or more often.'`)
    await client.query(`INSERT INTO customers SELECT seq, concat('c', seq), concat('c', seq, '@example.com'),
      '2024-01-01', seq, TIMESTAMP '2024-01-01 10:00:00' + INTERVAL seq HOUR FROM seq_1_to_50`)
    await client.query(
      'CREATE TABLE order_lines (customer_id bigint, `order` int, PRIMARY KEY (customer_id, `order`))',
    )
    await client.query('INSERT INTO order_lines VALUES (1, 1), (1, 2)')
    await client.end()
  })
  afterAll(() => server.stop())

  it('gives an asset its key, types, comments, cursor and personal columns, and the tests hold', async () => {
    showsSource(['mysql'], ['discover'])
    const database = new URL(place).pathname.slice(1)
    const said = await discover(['env:PLACE', `table:${database}.customers`], { PLACE: place })
    expect(said.code, said.stderr).toBe(0)
    expect(fileOf('customers').replaceAll(database, 'shop')).toMatchInlineSnapshot(`
      "name: customers
      description: "Who has bought: once, or more often."

      ingest:
        type: sql
        endpoint: env:PLACE
        resource: shop.customers
        primary_key: id
        write: merge
        incremental: {cursor: updated_at}

      contract:
        required_columns: [id]
        columns:
          id: {type: ubigint, nullable: false}
          name: {type: varchar, nullable: false, pii: true}
          contact: {type: varchar, pii: true}
          joined_at: date
          balance: {type: "decimal(12,2)", description: "In euro, \\"open\\" invoices included."}
          updated_at: {type: timestamp, nullable: false}

      transform: |
        SELECT
          id,
          name,
          contact,
          joined_at,
          balance,
          updated_at
        FROM {{ source }}

      tests:
        - unique: id
        - not_null: id
      "
    `)
    await expectGreen({ PLACE: place })
  })

  it('gives one asset a table with --all; a password stays outside', async () => {
    const said = await discover([place.replace('svc@', 'svc:sesame@'), '--all'])
    expect(said.code, said.stderr).toBe(0)
    expect(files()).toEqual(['customers.svc', 'order_lines.svc'])
    expect(fileOf('order_lines')).toContain('primary_key: [customer_id, order]')
    expect(fileOf('order_lines') + fileOf('customers')).not.toContain('sesame')
  })
})

it('a file of DuckDB becomes an asset that runs', async () => {
  showsSource(['duckdb'], ['discover'])
  const instance = await DuckDBInstance.create(join(ground.root, 'other.duckdb'))
  const connection = await instance.connect()
  await connection.run('CREATE TABLE visits (id BIGINT PRIMARY KEY, "at" TIMESTAMP NOT NULL)')
  await connection.run("INSERT INTO visits VALUES (1, '2024-01-01')")
  connection.closeSync()
  instance.closeSync()
  const said = await discover(['duckdb:./other.duckdb'])
  expect(said.code, said.stderr).toBe(0)
  expect(fileOf('visits')).toContain('at: {type: timestamp, nullable: false}')
  await expectGreen()
})

it('a table that promises a time of the last change is asked for what has changed', async () => {
  const instance = await DuckDBInstance.create(join(ground.root, 'other.duckdb'))
  const connection = await instance.connect()
  await connection.run('CREATE TABLE sure (id BIGINT PRIMARY KEY, updated_at TIMESTAMP NOT NULL)')
  await connection.run('CREATE TABLE nullable (id BIGINT PRIMARY KEY, "Last Modified" TIMESTAMP)')
  await connection.run('CREATE TABLE keyless (id BIGINT, changed_on DATE NOT NULL)')
  await connection.run(
    'CREATE TABLE texts (id BIGINT PRIMARY KEY, updated_at VARCHAR NOT NULL, created_at TIMESTAMP NOT NULL)',
  )
  for (const table of ['sure', 'nullable', 'keyless'])
    await connection.run(`INSERT INTO ${table} VALUES (1, '2024-01-01')`)
  await connection.run("INSERT INTO texts VALUES (1, 'yesterday', '2024-01-01')")
  connection.closeSync()
  instance.closeSync()
  expect((await discover(['duckdb:./other.duckdb', '--all'])).code).toBe(0)
  expect(fileOf('sure')).toContain('  primary_key: id\n  write: merge\n  incremental: {cursor: updated_at}\n')
  expect(fileOf('nullable')).toContain('  # write: merge\n  # incremental: {cursor: last_modified}\n')
  expect(fileOf('keyless')).toContain('  # primary_key: id\n  # incremental: {cursor: changed_on}\n')
  expect(fileOf('texts')).not.toContain('incremental')
  await expectGreen()
})

it.each([
  [['not an address'], 'is no address of a web service, a database or files'],
  [['postgres://localhost/x', 'customers'], '"customers" names no table'],
  [['postgres://localhost/x', '--all', '--name', 'x'], '--all cannot be combined with --name'],
  [['https://localhost/x', '-o', '../x.svc'], 'is no place for an asset of this project'],
  [['https://localhost/x', '-o', 'other/x.svc'], 'is no place for an asset of this project'],
  [['https://localhost/x', 'table:x'], 'a web service has no tables'],
])('%j is wrong usage', async (words, message) => {
  const said = await discover(words)
  expect(said.code).toBe(2)
  expect(said.stderr).toContain(message)
})
