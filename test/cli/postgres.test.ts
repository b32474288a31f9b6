/** A project on PostgreSQL from end to end: what runs on DuckDB runs there, with the same commands. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

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
