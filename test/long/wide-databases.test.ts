/** Tables of databases with as many columns as each has at most are loaded, and cost grows with the columns. */
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import Libsql from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { load, type Project, temporaryProject } from '../engine/ingest/fetching.ts'
import { figure } from '../support/figure.ts'
import { canStartMariadb, startMariadb } from '../support/mariadb.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { wideTable } from '../support/values/wide-tables.ts'

describe('tables of many columns', () => {
  let project: Project
  const costs: string[] = []
  beforeAll(() => {
    project = temporaryProject()
  })
  afterAll(() => {
    project.remove()
    figure('wide-databases', costs.join('; '))
  })

  /** Loads each table, and returns the CPU seconds of each. */
  async function judge(
    name: string,
    tables: readonly { readonly columns: number; readonly body: string }[],
    env = {},
  ) {
    const seconds: number[] = []
    for (const { columns, body } of tables) {
      const before = process.cpuUsage()
      const { rows } = await load(project, body, { env })
      const { user, system } = process.cpuUsage(before)
      seconds.push((user + system) / 1e6)
      expect(rows['']?.length).toBe(rowsOfEach)
      const [first = {}] = rows['']?.slice(-1) ?? []
      expect(Object.keys(first).length).toBe(columns)
      expect(Object.values(first).filter(value => value === null)).toEqual([])
    }
    costs.push(
      `${name} ${tables.map(({ columns }, index) => `${columns} columns ${seconds[index]?.toFixed(1)} s`).join(', ')}`,
    )
    const [first, last] = [tables[0], tables.at(-1)]
    const growth = (seconds.at(-1) ?? 0) / Math.max(0.3, seconds[0] ?? 0)
    expect(growth).toBeLessThan(1.7 * ((last?.columns ?? 1) / (first?.columns ?? 1)))
  }

  it('of SQLite', async () => {
    const tables = [500, 1000, 2000].map(columns => {
      const path = project.path(`wide_${columns}.sqlite`)
      const database = new Libsql(path)
      for (const statement of wideTable(columns, rowsOfEach)) database.exec(statement)
      database.close()
      return { columns, body: `ingest: {type: sql, endpoint: "sqlite:${path}", resource: wide}` }
    })
    await judge('SQLite', tables)
  })

  it('of DuckDB', async () => {
    const tables: { columns: number; body: string }[] = []
    for (const columns of [500, 1000, 2000]) {
      const path = project.path(`wide_${columns}.duckdb`)
      const local = await openLocalReader({ attaches: true })
      await local.rows(`ATTACH ${quoteLiteral(path)} AS given`)
      await local.rows('USE given')
      for (const statement of wideTable(columns, rowsOfEach)) await local.rows(statement)
      await local.rows('USE memory')
      await local.rows('DETACH given')
      local.close()
      tables.push({ columns, body: `ingest: {type: sql, endpoint: "duckdb:${path}", resource: wide}` })
    }
    await judge('DuckDB', tables)
  })

  it.runIf(canStartPostgres())('of PostgreSQL', async () => {
    const server = await startPostgres()
    try {
      const address = await server.createDatabase()
      const admin = new pg.Client({ connectionString: address })
      await admin.connect()
      // A row is on one page there, so the widest tables have narrow columns.
      const kinds = ['smallint', 'text', 'date', 'text', 'real']
      for (const columns of [500, 1600]) {
        await admin.query(`DROP TABLE IF EXISTS wide`)
        for (const statement of wideTable(columns, rowsOfEach, kinds)) await admin.query(statement)
        await admin.query(`ALTER TABLE wide RENAME TO wide_${columns}`)
      }
      await admin.end()
      const tables = [500, 1600].map(columns => ({
        columns,
        body: `ingest: {type: sql, endpoint: env:PLACE, resource: public.wide_${columns}}`,
      }))
      await judge('PostgreSQL', tables, { PLACE: address })
    } finally {
      await server.stop()
    }
  })

  it.runIf(canStartMariadb())('of MariaDB', async () => {
    const server = await startMariadb()
    try {
      const address = await server.createDatabase()
      const admin = await mysql.createConnection({ uri: address })
      const kinds = ['TINYINT', 'VARCHAR(5)', 'DATE', 'DECIMAL(4,2)', 'FLOAT']
      for (const columns of [500, 1000, 2000]) {
        for (const statement of wideTable(columns, rowsOfEach, kinds, ' ENGINE=MyISAM'))
          await admin.query(statement)
        await admin.query(`RENAME TABLE wide TO wide_${columns}`)
      }
      await admin.end()
      const tables = [500, 1000, 2000].map(columns => ({
        columns,
        body: `ingest: {type: sql, endpoint: env:PLACE, resource: wide_${columns}}`,
      }))
      await judge('MariaDB', tables, { PLACE: address })
    } finally {
      await server.stop()
    }
  })
})

const rowsOfEach = 50
