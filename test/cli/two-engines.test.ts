/** One `svc.yaml` with dev on a DuckDB file and prod on a PostgreSQL server (decisions 9, "The engine is the environment's"). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { engineStatements } from '../support/engine-statements.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const orders = `name: orders
ingest: {type: file, endpoint: data, resource: orders.jsonl}
transform: SELECT id, price, placed, lines FROM {{ source }}
tests:
  - unique: id
`

const days = `name: days
ingest: none
transform: |
  SELECT placed, count(*) AS orders, sum(price) AS price FROM {{ ref('orders') }} GROUP BY placed
`

const records = [
  { id: 1, price: 2.5, placed: '2024-01-01', lines: ['a', 'b'] },
  { id: 2, price: 4, placed: '2024-01-02', lines: [] },
]

/** Of one engine, of the other one, of both and of neither; test/long/two-engines.test.ts has all. */
const statements = engineStatements.filter((_, index) => index % 8 === 0)

async function takenBy(explain: (sql: string) => Promise<unknown>): Promise<string[]> {
  const taken: string[] = []
  for (const sql of statements) {
    const isTaken = await explain(sql).then(
      () => true,
      () => false,
    )
    if (isTaken) taken.push(sql)
  }
  return taken
}

describe.runIf(canStartPostgres())('dev on a file and prod on a server', () => {
  let server: PostgresServer
  let project: ProjectHere
  let env: Record<string, string>
  beforeAll(async () => {
    server = await startPostgres()
    env = { PROD: await server.createDatabase() }
    project = createProjectHere({
      'svc.yaml':
        'name: shop\nwarehouse: duckdb:./dev.duckdb\nenvironments:\n  prod: {warehouse: env:PROD}\n',
      'data/orders.jsonl': records.map(record => JSON.stringify(record)).join('\n'),
      'models/orders.svc': orders,
      'models/days.svc': days,
    })
  }, 120_000)
  afterAll(async () => {
    project.dispose()
    await server.stop()
  })

  const svc = (...words: string[]) => project.svc(words, { env })
  const rowsIn = async (asset: string, environment: string) => {
    const { value } = await project.json(['sample', asset, '--env', environment, '--json'], { env })
    return (value as { rows: object[] }).rows.map(row => JSON.stringify(row)).sort()
  }
  const lock = () => readFileSync(join(project.root, 'schemas.lock.json'), 'utf8')

  it('has the same rows, and a lock that stays as it is whichever ran last', async () => {
    expect(await svc('run')).toMatchObject({ code: 0 })
    const first = lock()
    expect(first).toContain('"price": "DOUBLE"')
    for (const environment of ['prod', 'dev', 'prod', 'dev']) {
      expect(await svc('run', '--env', environment, '--full-refresh')).toMatchObject({ code: 0 })
      expect(lock()).toBe(first)
    }
    for (const asset of ['orders', 'days'])
      expect(await rowsIn(asset, 'prod')).toEqual(await rowsIn(asset, 'dev'))
  }, 120_000)

  it('answers a query over what is live, and compiles, on each', async () => {
    const sql = "SELECT placed, sum(price) AS price FROM {{ ref('orders') }} GROUP BY placed ORDER BY placed"
    const asked = async (environment: string) => {
      const { value } = await project.json(['query', sql, '--env', environment, '--json'], { env })
      return (value as { rows: object[] }).rows
    }
    expect(await asked('prod')).toEqual([
      { placed: '2024-01-01', price: 2.5 },
      { placed: '2024-01-02', price: 4 },
    ])
    expect(await asked('dev')).toEqual(await asked('prod'))
    expect(await svc('query', "DELETE FROM {{ ref('orders') }}", '--env', 'prod')).toMatchObject({ code: 1 })
    for (const [environment, schema] of [
      ['dev', 'analytics_dev'],
      ['prod', 'analytics'],
    ] as const) {
      const { stdout } = await svc('compile', 'days', '--env', environment)
      expect(stdout).toContain(`FROM ${schema}.orders GROUP BY placed`)
    }
  }, 120_000)

  it('takes and refuses SQL as the engine of the environment does', async () => {
    const own = {
      duckdb: "SELECT max_by(id, price) AS best FROM {{ ref('orders') }}",
      postgres: "SELECT to_char(placed, 'YYYY') AS year FROM {{ ref('orders') }}",
    }
    const said = async (...words: string[]) => {
      const { value } = await project.json(['validate', '--json', ...words], { env })
      const { files } = value as { files: { path: string; diagnostics: { message: string }[] }[] }
      return files.find(({ path }) => path === 'models/own.svc')?.diagnostics.map(({ message }) => message)
    }
    const lacks = { max_by: 'unknown function "max_by"', to_char: 'unknown function "to_char"' }
    project.write('models/own.svc', `name: own\ningest: none\ntransform: ${own.duckdb}\n`)
    expect(await said('--env', 'dev')).toEqual([])
    expect(await said('--env', 'prod')).toEqual([lacks.max_by])
    expect(await said()).toEqual([`${lacks.max_by} (in prod on PostgreSQL)`])
    expect(await svc('plan', '--env', 'prod')).toMatchObject({ code: 1 })
    expect(await svc('plan')).toMatchObject({ code: 0 })
    project.write('models/own.svc', `name: own\ningest: none\ntransform: ${own.postgres}\n`)
    expect(await said('--env', 'prod')).toEqual([])
    expect(await said('--env', 'dev')).toEqual([lacks.to_char])
    expect(await said()).toEqual([`${lacks.to_char} (in dev on DuckDB)`])
    expect(await svc('run', 'own', '--env', 'prod')).toMatchObject({ code: 0 })
    expect(await svc('plan')).toMatchObject({ code: 1 })
    project.write(
      'models/own.svc',
      "name: own\ningest: none\ntransform: SELECT nothing FROM {{ ref('orders') }}\n",
    )
    expect(await said()).toEqual(['unknown column "nothing"'])
    const { stderr } = await project.svc(['validate'], { env: {} })
    expect(stderr).toBe(
      'Not checked for prod: the variable that has the address of the warehouse is not set.\n',
    )
    project.remove('models/own.svc')
  }, 120_000)

  it('takes a macro for the engine over one for all', async () => {
    project.write('macros/years.sql', "CREATE MACRO year_of(day) AS strftime(day, '%Y');\n")
    project.write('macros/years.postgres.sql', "CREATE MACRO year_of(day) AS to_char(day, 'YYYY');\n")
    project.write(
      'models/years.svc',
      "name: years\ningest: none\ntransform: SELECT id, {{ year_of(placed) }} AS year FROM {{ ref('orders') }}\n",
    )
    expect(await svc('validate')).toMatchObject({ code: 0, stderr: '' })
    for (const environment of ['dev', 'prod'])
      expect(await svc('run', '+years', '--env', environment)).toMatchObject({ code: 0 })
    expect(await rowsIn('years', 'prod')).toEqual(['{"id":1,"year":"2024"}', '{"id":2,"year":"2024"}'])
    expect(await rowsIn('years', 'dev')).toEqual(await rowsIn('years', 'prod'))
    project.remove('models/years.svc')
  }, 120_000)

  it('takes each statement exactly where the engine of the environment does', async () => {
    const files = statements.map((sql, index) => [`models/s${index}.svc`, sql] as const)
    for (const [path, sql] of files) {
      const name = path.replace(/^.*\/|\.svc$/g, '')
      project.write(path, `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n`)
    }
    const taken = async (environment: string) => {
      const { value } = await project.json(['validate', '--env', environment, '--json'], { env })
      const all = value as { files: { path: string; diagnostics: { severity: string }[] }[] }
      const isRight = new Map(
        all.files.map(file => [file.path, file.diagnostics.every(({ severity }) => severity !== 'error')]),
      )
      return files.flatMap(([path, sql]) => (isRight.get(path) === true ? [sql] : []))
    }
    const client = new pg.Client({ connectionString: env['PROD'] })
    await client.connect()
    const onServer = await takenBy(sql => client.query(sql))
    await client.end()
    const database = await DuckDBInstance.create()
    const connection = await database.connect()
    const onFile = await takenBy(sql => connection.run(sql))
    connection.closeSync()
    expect(onServer.filter(sql => onFile.includes(sql)).length).toBeGreaterThan(5)
    expect(await taken('dev')).toEqual(onFile)
    expect(await taken('prod')).toEqual(onServer)
    for (const [path] of files) project.remove(path)
  }, 180_000)
})
