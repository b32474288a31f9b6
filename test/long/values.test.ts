/**
 * Every type of every kind of source × extreme values, loaded into both warehouses and asked back as text: each value is the
 * source's own, rejected with its text, or warned of.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Project, temporaryProject } from '../engine/ingest/fetching.ts'
import { figure } from '../support/figure.ts'
import { canStartMariadb, startMariadb } from '../support/mariadb.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { judgeCsv, judgeJson, judgeParquet } from '../support/values/from-files.ts'
import { judgeDuckdb, judgeSqlite } from '../support/values/from-files-of-databases.ts'
import { judgeMariadb } from '../support/values/from-mariadb.ts'
import { judgePostgres } from '../support/values/from-postgres.ts'
import { noCounts } from '../support/values/judge.ts'
import { openStore, type Store } from '../support/values/stores.ts'

describe.runIf(canStartPostgres())('values', () => {
  let server: PostgresServer
  let stores: readonly Store[]
  let project: Project
  const counts = noCounts()
  let told = 0
  /** What is wrong since the last question, a line each. */
  const silentSince = () => {
    const lines = counts.silent.slice(told)
    told = counts.silent.length
    return lines.join('\n')
  }

  beforeAll(async () => {
    server = await startPostgres()
    project = temporaryProject()
    stores = [await openStore('duckdb:./warehouse.duckdb'), await openStore(await server.createDatabase())]
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    project.remove()
    await server.stop()
    const { values, types, silent, rejected, warned } = counts
    const seen = `${values} values of ${types.size} types`
    figure('values', `${seen}, ${rejected} rejected, ${warned} warned of, ${silent.length} silent`)
  })

  it('of PostgreSQL', async () => {
    await judgePostgres(counts, await server.createDatabase(), { project, stores })
    expect(silentSince()).toBe('')
  })

  it.runIf(canStartMariadb())('of MariaDB', async () => {
    const mariadb = await startMariadb()
    try {
      await judgeMariadb(counts, await mariadb.createDatabase(), { project, stores })
    } finally {
      await mariadb.stop()
    }
    expect(silentSince()).toBe('')
  })

  it('of SQLite', async () => {
    await judgeSqlite(counts, { project, stores })
    expect(silentSince()).toBe('')
  })

  it('of CSV files', async () => {
    await judgeCsv(counts, { project, stores })
    expect(silentSince()).toBe('')
  })

  it('of JSON files', async () => {
    await judgeJson(counts, { project, stores })
    expect(silentSince()).toBe('')
  })

  it('of Parquet files', async () => {
    await judgeParquet(counts, { project, stores })
    expect(silentSince()).toBe('')
  })

  it('of DuckDB', async () => {
    await judgeDuckdb(counts, { project, stores })
    expect(silentSince()).toBe('')
  })
})
