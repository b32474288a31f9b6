/** A sample of `test/long/values.test.ts`: extreme values of other databases in a warehouse of DuckDB. */
import { readFileSync, writeFileSync } from 'node:fs'
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineOf } from '../../../../server/language/engines/index.ts'
import { canStartPostgres, startPostgres } from '../../../support/postgres.ts'
import { withStorageVersion } from '../../../support/storage-version.ts'
import { duckdbValues } from '../../../support/values/duckdb-values.ts'
import { csvValues, jsonValues } from '../../../support/values/file-values.ts'
import { judgeCsv, judgeJson, judgeParquet } from '../../../support/values/from-files.ts'
import { judgeDuckdb, judgeSqlite } from '../../../support/values/from-files-of-databases.ts'
import { judgePostgres } from '../../../support/values/from-postgres.ts'
import { noCounts } from '../../../support/values/judge.ts'
import { postgresValues } from '../../../support/values/postgres-values.ts'
import { sqliteValues } from '../../../support/values/sqlite-values.ts'
import { openStore, type Store } from '../../../support/values/stores.ts'
import { wideTable } from '../../../support/values/wide-tables.ts'
import { fetchOnly, load, type Project, temporaryProject } from '../fetching.ts'

it('come from a table of SQLite with 1,200 columns', async () => {
  const project = temporaryProject()
  const database = new Libsql(project.path('wide.sqlite'))
  for (const statement of wideTable(1200, 2)) database.exec(statement)
  database.close()
  const { rows } = await load(
    project,
    'ingest: {type: sql, endpoint: "sqlite:./wide.sqlite", resource: wide}',
  )
  expect(Object.values(rows['']?.[1] ?? {}).filter(value => value !== null).length).toBe(1200)
  project.remove()
})

it('of a file that a newer DuckDB wrote, or of a damaged one, are not read, and no query is the reason', async () => {
  const project = temporaryProject()
  const path = project.path('newer.duckdb')
  const local = await openLocalReader({ attaches: true })
  await local.rows(`ATTACH ${quoteLiteral(path)} AS given`)
  await local.rows('CREATE TABLE given.t AS SELECT 1 AS id')
  await local.rows('DETACH given')
  local.close()
  const written = readFileSync(path)
  const damaged = Buffer.from(written)
  damaged[12] = 99
  for (const bytes of [
    withStorageVersion(written, 200n),
    damaged,
    written.subarray(0, 5000),
    Buffer.alloc(0),
  ]) {
    writeFileSync(path, bytes)
    const fetched = fetchOnly(project, 'ingest: {type: sql, endpoint: "duckdb:./newer.duckdb", resource: t}')
    await expect(fetched).rejects.toMatchObject({
      code: 'database-denied',
      hint: 'Check that the file is one of DuckDB, whole, and written by a version that svc knows.',
    })
  }
  project.remove()
})

it('are of no table with more columns than a PostgreSQL warehouse has', async () => {
  const project = temporaryProject()
  const members = Array.from({ length: 1601 }, (_, n) => `"c${n}":${n}`)
  project.write('data/wide.ndjson', `{${members.join(',')}}\n`)
  const fetched = fetchOnly(project, 'ingest: {type: file, endpoint: data, resource: wide.ndjson}', {
    engine: engineOf('postgres://nobody@nowhere/none'),
  })
  await expect(fetched).rejects.toThrow(
    'the source has 1601 columns, and a table of PostgreSQL has at most 1600',
  )
  project.remove()
})

describe('values that a warehouse cannot hold', () => {
  let store: Store
  let project: Project
  beforeAll(async () => {
    project = temporaryProject()
    store = await openStore('duckdb:./warehouse.duckdb')
  })
  afterAll(async () => {
    await store.close()
    project.remove()
  })

  const isOf = (types: readonly string[]) => (given: { readonly type: string }) => types.includes(given.type)

  it('are rejected with their text, and all others are loaded as they are, from SQLite', async () => {
    const counts = noCounts()
    const cases = sqliteValues.filter(isOf(['NUMERIC', 'INTEGER', 'JSON', '']))
    await judgeSqlite(counts, { project, stores: [store] }, cases)
    expect(counts.silent).toEqual([])
    expect(counts.rejected).toBeGreaterThan(5)
  })

  it('are rejected with their text, and all others are loaded as they are, from DuckDB', async () => {
    const counts = noCounts()
    const types = [
      'TIMESTAMP WITH TIME ZONE',
      'INTERVAL',
      'HUGEINT',
      'DOUBLE[]',
      'UNION(n INTEGER, t VARCHAR)',
    ]
    await judgeDuckdb(counts, { project, stores: [store] }, duckdbValues.filter(isOf(types)))
    expect(counts.silent).toEqual([])
  })

  it('are rejected or warned of, and all others are loaded as they are, from files', async () => {
    const counts = noCounts()
    const types = ['seventeen digits', 'long digits with exponents', 'texts', 'endless integers', 'midnights']
    await judgeCsv(counts, { project, stores: [store] }, csvValues.filter(isOf(types)))
    const documents = ['document: objects with long numbers', 'halves of characters']
    await judgeJson(counts, { project, stores: [store] }, jsonValues.filter(isOf([...types, ...documents])))
    await judgeParquet(
      counts,
      { project, stores: [store] },
      duckdbValues.filter(isOf(['DECIMAL(38,38)', 'TIME_NS', 'UNION(n INTEGER, t VARCHAR)'])),
    )
    expect(counts.silent).toEqual([])
    expect(counts.warned).toBeGreaterThan(5)
  })

  it.runIf(canStartPostgres())(
    'are rejected with their text, and all others are as they are, from PostgreSQL',
    async () => {
      const server = await startPostgres()
      try {
        const counts = noCounts()
        const types = [
          'date',
          'timestamp',
          'timestamptz',
          'numeric',
          'numeric(10,2)',
          'interval',
          'json',
          'far_day',
        ]
        const cases = postgresValues.filter(isOf(types))
        await judgePostgres(counts, await server.createDatabase(), { project, stores: [store], cases })
        expect(counts.silent).toEqual([])
        expect(counts.rejected).toBeGreaterThan(5)
      } finally {
        await server.stop()
      }
    },
  )
})
