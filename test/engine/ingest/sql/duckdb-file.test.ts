/** Tables and queries of another file of DuckDB. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { showsSource } from '../../../support/features/shows.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from '../fetching.ts'

let project: Project
beforeEach(() => {
  project = temporaryProject()
})
afterEach(() => project.remove())

async function other(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(project.path('other.duckdb'))
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

const ingest = (more: string) => `ingest: {type: sql, endpoint: "duckdb:./other.duckdb", ${more}}`

it('rows come with the types and the values that they have there', async () => {
  showsSource(['duckdb'], ['replace'])
  await other(
    'CREATE SCHEMA shop',
    `CREATE TABLE shop.everything AS SELECT
      true AS b, 170141183460469231731687303715884105727::HUGEINT AS h, 18446744073709551615::UBIGINT AS ub,
      0.1::FLOAT AS f, 12.50::DECIMAL(20, 2) AS n, 'a, "b"\n' AS t, '' AS empty, DATE '2024-02-29' AS d,
      TIMESTAMPTZ '2024-02-29 12:00:00+02' AS tz, TIMESTAMP_NS '2024-02-29 12:00:00.123456789' AS ns,
      INTERVAL 3 DAYS AS i, uuid() IS NOT NULL AS u, [1, NULL] AS list, {'a': 1} AS s, '\\x00\\xFF'::BLOB AS raw,
      'x'::ENUM ('x', 'y') AS e, '{"k": 1}'::JSON AS j`,
    `INSERT INTO shop.everything (b) VALUES (NULL)`,
  )
  const { rows, columns } = await load(project, ingest('resource: shop.everything'))
  expect(columns['']).toEqual([
    'b BOOLEAN',
    'h HUGEINT',
    'ub UBIGINT',
    'f FLOAT',
    'n DECIMAL(20,2)',
    't VARCHAR',
    'empty VARCHAR',
    'd DATE',
    'tz TIMESTAMP WITH TIME ZONE',
    'ns TIMESTAMP_NS',
    'i INTERVAL',
    'u BOOLEAN',
    'list JSON',
    's JSON',
    'raw BLOB',
    'e VARCHAR',
    'j JSON',
  ])
  expect(rows['']?.[0]).toMatchObject({
    h: '170141183460469231731687303715884105727',
    ub: '18446744073709551615',
    n: '12.50',
    t: 'a, "b"\n',
    empty: '',
    tz: '2024-02-29 10:00:00+00',
    ns: '2024-02-29 12:00:00.123456789',
    list: '[1,null]',
    s: '{"a":1}',
    e: 'x',
  })
  expect(Object.values(rows['']?.[1] ?? { no: 'row' }).filter(value => value !== null)).toEqual([])
})

it('a document in another value keeps all digits of its numbers, in a table and in a file of Parquet', async () => {
  const document = `'{"x": 0.12345678901234567890123}'::JSON`
  const table = `SELECT {'a': ${document}} AS s, [${document}] AS l, MAP {'k': ${document}} AS m, [{'a': ${document}}] AS ls`
  await other(
    `CREATE TABLE t AS SELECT *, union_value(u := ${document}) AS u FROM (${table})`,
    `COPY (${table}) TO '${project.path('t.parquet')}'`,
  )
  const kept = (row: Readonly<Record<string, unknown>> | undefined) =>
    Object.values(row ?? {}).map(value => JSON.stringify(value).includes('0.12345678901234567890123'))
  const { rows } = await load(project, ingest('resource: t'))
  expect(kept(rows['']?.[0])).toEqual([true, true, true, true, true])
  const parquet = 'ingest: {type: file, endpoint: ., resource: t.parquet, nested: json}'
  const ofFile = await load(project, parquet)
  expect(kept(ofFile.rows['']?.[0])).toEqual([true, true, true, true])
})

it('a query and a condition are in the SQL of that file', async () => {
  showsSource(['duckdb'], ['where'])
  await other('CREATE TABLE t AS SELECT range AS id FROM range(100)')
  const { rows } = await load(project, ingest('query: SELECT id FROM t, where: id > 97'))
  expect(rows['']).toEqual([{ id: '98' }, { id: '99' }])
  const [table] = await peek(project, ingest('resource: t'))
  expect(table?.columns.map(({ name, type }) => [name, type])).toEqual([['id', 'BIGINT']])
})

it('several tables of one file are read at the same time', async () => {
  await other('CREATE TABLE a AS SELECT 1 AS id', 'CREATE TABLE b AS SELECT 2 AS id')
  const loaded = await Promise.all(['a', 'b', 'a'].map(name => load(project, ingest(`resource: ${name}`))))
  expect(loaded.map(({ rows }) => rows[''])).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 1 }]])
})

it('is read as soon as another process has written it', async () => {
  showsSource(['duckdb'], ['retries'])
  await other('CREATE TABLE t AS SELECT 1 AS id')
  const program = `require(${JSON.stringify(createRequire(import.meta.url).resolve('@duckdb/node-api'))})
    .DuckDBInstance.create('other.duckdb').then(async instance => {
      await (await instance.connect()).run('INSERT INTO t VALUES (2)'); console.log('held'); setInterval(() => {}, 1000) })`
  const child = spawn(process.execPath, ['-e', program], {
    cwd: project.root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    await expect(fetchOnly(project, ingest('resource: t, limits: {retries: 0}'))).rejects.toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining('is being written by another program'),
    })
    const { rows, notes } = await load(project, ingest('resource: t, limits: {retries: 9}'), {
      onProgress: ({ note }) => note?.includes('trying again') && child.kill('SIGKILL'),
    })
    expect(rows['']).toEqual([{ id: 1 }, { id: 2 }])
    expect(notes.join()).toContain('is being written by another program')
  } finally {
    child.kill('SIGKILL')
  }
})

it.each([
  [
    'there is no such file',
    'duckdb:./none.duckdb',
    'database-unreachable',
    'there is no file duckdb:./none.duckdb',
  ],
  ['it is no database', 'duckdb:./noise.duckdb', 'database-denied', 'cannot be read'],
  [
    'there is no such table',
    'duckdb:./other.duckdb',
    'database-statement',
    'Table with name nothing does not exist',
  ],
])('what is wrong is said: %s', async (_what, endpoint, code, words) => {
  await other('CREATE TABLE t AS SELECT 1 AS id')
  project.write('noise.duckdb', Buffer.alloc(5000, 7))
  const body = `ingest: {type: sql, endpoint: "${endpoint}", resource: nothing, limits: {retries: 0}}`
  await expect(fetchOnly(project, body)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  })
})
