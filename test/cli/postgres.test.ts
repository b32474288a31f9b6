/** A project on PostgreSQL from end to end: what runs on DuckDB runs there, with the same commands. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { sendJson, startRestServer } from '../support/rest-server.ts'

const people = [
  { id: 1, name: 'Ann', tags: ['a', 'b"\\'], items: [{ sku: 'x', qty: 2 }], updated: '2024-01-01T00:00:00Z' },
  { id: 2, name: 'Bob', tags: [], items: [], updated: '2024-01-02T00:00:00Z' },
]

/** What the way between two databases must not change. */
const texts = ['a\n\\.\nb', '\\.', '\n\\.\n', '', null, '\\N', 'a\t, "b"', '🦆', '\r\n', ' ']

const models = {
  'models/people.svc': `name: people
ingest: {type: file, endpoint: data, resource: people.jsonl, exclude: [items, tags], primary_key: id, write: merge, incremental: {cursor: updated}}
contract:
  columns:
    id: {type: bigint, nullable: false}
    name: {type: varchar(20), pii: true}
transform: SELECT id, name, updated FROM {{ source }}
tests:
  - unique: id
`,
  'models/lines.svc': `name: lines
ingest: {type: file, endpoint: data, resource: people.jsonl}
transform: |
  SELECT p.id, p.tags, i.sku, i.qty FROM {{ source }} AS p JOIN {{ source('items') }} AS i ON i._svc_parent_id = p._svc_id
deploy: {materialize: view}
`,
  'models/versions.svc': `name: versions
ingest: {type: file, endpoint: data, resource: people.jsonl, exclude: [items, tags], primary_key: id, write: scd2}
transform: SELECT id, name, _svc_valid_to IS NULL AS is_valid FROM {{ source }}
`,
  'models/events.svc': `name: events
ingest: {type: warehouse, resource: legacy.events}
transform: SELECT id, at, payload ->> 'a' AS a FROM {{ source }}
`,
  'models/report.svc': `name: report
ingest: none
transform: |
  SELECT p.id, p.name, count(l.sku)::integer AS lines, coalesce(sum(l.qty), 0)::numeric(12,2) AS qty
  FROM {{ ref('people') }} AS p LEFT JOIN {{ ref('lines') }} AS l USING (id) GROUP BY p.id, p.name
publish:
  out: {type: file, endpoint: out, format: csv, resource: report.csv, key: id}
tests:
  - sql: SELECT * FROM {{ this }} WHERE qty < 0
`,
  'models/texts.svc': `name: texts
ingest: {type: file, endpoint: data, resource: texts.jsonl}
transform: SELECT id, t FROM {{ source }}
`,
  'models/text.svc': `name: text
ingest: {type: file, endpoint: data, resource: texts.jsonl, include: [t]}
transform: SELECT t FROM {{ source }}
`,
  'models/bad.svc': `name: bad
ingest: {type: file, endpoint: data, resource: bad.csv}
contract:
  columns:
    qty: {type: integer}
  evolution: {types: discard_row}
transform: SELECT id, qty FROM {{ source }}
`,
}

describe.runIf(canStartPostgres())('a project on PostgreSQL', () => {
  let server: PostgresServer
  let project: ProjectHere
  let client: pg.Client

  beforeAll(async () => {
    server = await startPostgres()
    const url = await server.createDatabase()
    client = new pg.Client(url)
    await client.connect()
    await client.query(`CREATE SCHEMA legacy;
      CREATE TABLE legacy.events AS SELECT 1 AS id, now() AS at, '{"a": "b"}'::jsonb AS payload`)
    project = createProjectHere({ 'svc.yaml': `name: shop\nwarehouse: ${url}\n`, ...models })
    mkdirSync(join(project.root, 'data'))
    write('people.jsonl', people.map(row => JSON.stringify(row)).join('\n'))
    write('texts.jsonl', texts.map((t, id) => JSON.stringify({ id, t })).join('\n'))
    write('bad.csv', 'id,qty\n1,5\n2,x\n')
  })

  afterAll(async () => {
    project.dispose()
    await client.end()
    await server.stop()
  })

  function write(name: string, text: string): void {
    writeFileSync(join(project.root, 'data', name), text)
  }

  async function rows(sql: string): Promise<unknown[]> {
    return (await client.query(sql)).rows
  }

  async function done(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'])
    expect({ code, told: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, told: '' })
    return stdout
  }

  const report = 'SELECT id, name, lines, qty FROM analytics.report ORDER BY id'

  it('loads every kind of source, with the types of its contract, and builds and tests on it', async () => {
    const { code } = await project.svc(['run', '--env', 'prod'])
    expect(code).toBe(0)
    expect(await rows(report)).toEqual([
      { id: '1', name: 'Ann', lines: 1, qty: '2.00' },
      { id: '2', name: 'Bob', lines: 0, qty: '0.00' },
    ])
    expect(await rows('SELECT DISTINCT pg_typeof(name)::text AS type FROM analytics.people')).toEqual([
      { type: 'character varying' },
    ])
    expect(await rows('SELECT tags FROM analytics.lines')).toEqual([{ tags: ['a', 'b"\\'] }])
    expect(await rows('SELECT id, a FROM analytics.events')).toEqual([{ id: 1, a: 'b' }])
    expect(await rows('SELECT id, qty FROM analytics.bad')).toEqual([{ id: '1', qty: 5 }])
    const found = (await rows('SELECT t FROM analytics.texts ORDER BY id')) as { t: string | null }[]
    expect(found.map(({ t }) => t)).toEqual(texts)
    const alone = (await rows('SELECT t FROM analytics.text')) as { t: string | null }[]
    expect(new Set(alone.map(({ t }) => t))).toEqual(new Set(texts))
    const { value } = await project.json(['rejects', 'bad', '--env', 'prod', '--json'])
    expect(JSON.stringify(value)).toContain('cannot hold')
  })

  it('does nothing where nothing has changed', async () => {
    const again = await project.svc(['run', '--env', 'prod'])
    expect(again.stderr + again.stdout).toContain('all as deployed')
  })

  it('continues what it has loaded, and rolls all of it back at once', async () => {
    const changed = [
      { ...people[0], name: 'Anne', updated: '2024-02-01T00:00:00Z' },
      { id: 3, name: 'Cy', tags: null, items: [{ sku: 'z', qty: 5 }], updated: '2024-03-01T00:00:00Z' },
    ]
    write('people.jsonl', [...changed, people[1]].map(row => JSON.stringify(row)).join('\n'))
    await done('run')
    const now = [
      { id: '1', name: 'Anne', lines: 1, qty: '2.00' },
      { id: '2', name: 'Bob', lines: 0, qty: '0.00' },
      { id: '3', name: 'Cy', lines: 1, qty: '5.00' },
    ]
    expect(await rows(report)).toEqual(now)
    const versions = 'SELECT name, is_valid FROM analytics.versions ORDER BY id, is_valid'
    expect(await rows(versions)).toEqual([
      { name: 'Ann', is_valid: false },
      { name: 'Anne', is_valid: true },
      { name: 'Bob', is_valid: true },
      { name: 'Cy', is_valid: true },
    ])
    await done('rollback')
    expect(await rows(report)).toHaveLength(2)
    await done('rollback')
    expect(await rows(report)).toEqual(now)
  })

  it('promotes nothing that fails its tests', async () => {
    const file = join(project.root, 'models/report.svc')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('coalesce(sum(l.qty), 0)', '-1 + coalesce(sum(l.qty), 0)'))
    const before = await rows(report)
    expect((await project.svc(['run', '--env', 'prod'])).code).toBe(1)
    expect(await rows(report)).toEqual(before)
    writeFileSync(file, text)
  })

  it('says in the words of the server what is wrong, at its place', async () => {
    const file = join(project.root, 'models/report.svc')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('sum(l.qty)', 'sum(1 / (l.qty - l.qty))'))
    const { code, stderr } = await project.svc(['run', '--env', 'prod'])
    writeFileSync(file, text)
    expect(code).toBe(1)
    expect(stderr).toContain('division by zero')
    expect(stderr).toContain('models/report.svc')
  })

  it('publishes from it, and looks after it', async () => {
    await done('publish', 'report', '--to', 'out')
    const published = readFileSync(join(project.root, 'out', 'report.csv'), 'utf8')
      .trim()
      .split('\n')
    expect(published.sort()).toEqual(['1,Anne,1,2.00', '2,Bob,0,0.00', '3,Cy,1,5.00', 'id,name,lines,qty'])
    const doctor = await done('doctor')
    expect(doctor).toContain('All is well')
    expect(doctor).not.toContain('svc@')
    await done('gc')
    await done('sample', 'report')
    expect(await done('versions', 'report')).toContain('Live in prod')
  })

  it('loads a web service, another database and files that are added, and publishes to a table', async () => {
    const service = await startRestServer()
    const orders = [
      { id: 1, at: '2024-01-01T10:00:00Z', amount: 1.5, lines: [{ sku: 'a' }, { sku: 'b' }] },
      { id: 2, at: '2024-01-02T10:00:00Z', amount: 2, lines: [] },
    ]
    service.route('/orders', ({ query }, response) => {
      const page = Number(query.get('page') ?? 1)
      const since = query.get('since') ?? ''
      const found = orders.filter(({ at }) => at >= since)
      sendJson(response, { data: found.slice(page - 1, page) })
    })
    const address = await server.createDatabase()
    const other = new pg.Client(address)
    await other.connect()
    await other.query(`CREATE TABLE stock (sku text PRIMARY KEY, price numeric(20,10), seen timestamptz, more jsonb, tags text[]);
      INSERT INTO stock VALUES ('a', 12345678.0123456789, '2024-01-01 12:00+02', '{"n": 1}', '{x,NULL,"y,z"}')`)
    const merge = 'primary_key: id, write: merge, incremental: {cursor: at}'
    const files = {
      'models/orders.svc': `name: orders
ingest: {type: rest_api, endpoint: "${service.origin}", resource: orders, records: data, params: {since: "{cursor}"}, paginate: {type: page, param: page}, ${merge}}
transform: SELECT o.id, o.amount, count(l.sku)::int AS lines FROM {{ source }} AS o LEFT JOIN {{ source('lines') }} AS l ON l._svc_parent_id = o._svc_id GROUP BY o.id, o.amount
publish:
  there: {type: postgres, endpoint: env:OTHER, resource: published, key: id, environments: [dev, prod]}
`,
      'models/stock.svc': `name: stock
ingest: {type: sql, endpoint: env:OTHER, resource: stock, primary_key: sku}
transform: SELECT * FROM {{ source }}
`,
      'models/days.svc': `name: days
ingest: {type: file, endpoint: data/days, resource: "*.csv", write: append, only_new: true}
transform: SELECT id, v FROM {{ source }}
`,
    }
    for (const [path, text] of Object.entries(files)) writeFileSync(join(project.root, path), text)
    mkdirSync(join(project.root, 'data', 'days'))
    write('days/1.csv', 'id,v\n1,a\n2,b\n')
    const env = { OTHER: address }
    const green = async (...words: string[]) => {
      const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'], { env })
      expect({ code, told: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, told: '' })
    }
    try {
      await green('run', 'orders', 'stock', 'days')
      await green('publish', 'orders', '--to', 'there')
      orders.push({ id: 3, at: '2024-01-03T10:00:00Z', amount: 3, lines: [{ sku: 'a' }] })
      orders[0] = { id: 1, at: '2024-01-03T11:00:00Z', amount: 10, lines: [] }
      await other.query("UPDATE stock SET price = 0.5; INSERT INTO stock (sku) VALUES ('b')")
      write('days/2.csv', 'id,v\n2,b\n3,c\n')
      await green('run', 'orders', 'stock', 'days')
      const now = [
        { id: 1, amount: 10, lines: 0 },
        { id: 2, amount: 2, lines: 0 },
        { id: 3, amount: 3, lines: 1 },
      ]
      const numbers = 'id::int AS id, amount::float AS amount, lines'
      expect(await rows(`SELECT ${numbers} FROM analytics.orders ORDER BY id`)).toEqual(now)
      expect(service.requests.at(-1)?.query.get('since')).toBe('2024-01-02T10:00:00Z')
      const stock = "SELECT sku, price::text, seen = '2024-01-01 10:00Z' AS seen, more, tags FROM"
      expect(await rows(`${stock} analytics.stock ORDER BY sku`)).toEqual([
        { sku: 'a', price: '0.5000000000', seen: true, more: { n: 1 }, tags: ['x', null, 'y,z'] },
        { sku: 'b', price: null, seen: null, more: null, tags: null },
      ])
      const days = await rows('SELECT id::int || v AS day FROM analytics.days ORDER BY 1')
      expect(days).toEqual(['1a', '2b', '2b', '3c'].map(day => ({ day })))
      await green('publish', 'orders', '--to', 'there')
      const published = await other.query(`SELECT ${numbers} FROM published ORDER BY id`)
      expect(published.rows).toEqual(now)
      const { value } = await project.json(
        ['publish', 'orders', '--to', 'there', '--env', 'prod', '--json'],
        {
          env,
        },
      )
      expect(value).toMatchObject({ planned: { inserts: 0, updates: 0, unchanged: 3 } })
    } finally {
      await other.end()
      await service.close()
      for (const path of Object.keys(files)) rmSync(join(project.root, path))
    }
  })

  it('tells which rights a role lacks, with the statement that gives them', async () => {
    await client.query(`CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA svc, analytics TO guest;
      GRANT SELECT ON ALL TABLES IN SCHEMA svc, analytics TO guest`)
    const file = join(project.root, 'svc.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('svc@', 'guest@'))
    const { code, stdout } = await project.svc(['doctor', '--env', 'prod'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/GRANT CREATE ON DATABASE\s+"?\w+"?\s+TO\s+"?guest/)
    const { stderr } = await project.svc(['run', '--env', 'prod'])
    expect(stderr).toContain('permission denied')
    writeFileSync(file, text)
  })
})
