/** Puts the records of one table where every kind of source reads them; a column may be called anything. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { quoteName } from '@svc/server/catalog'
import Libsql from 'libsql'
import pg from 'pg'
import type { Ground } from '../../cli/bad-input/command-line.ts'
import type { RestServer } from '../rest-server.ts'

export type SourceRecord = Readonly<Record<string, number | string>>

export interface Places {
  readonly ground: Ground
  readonly rest: RestServer | undefined
  /** A database of PostgreSQL that sources are read from. */
  readonly postgres: string
}

export interface SourceTable {
  readonly name: string
  readonly records: readonly SourceRecord[]
}

export interface SourceOfNames {
  /** Whether a text may stand in a column of numbers there. */
  readonly isTyped: boolean
  readonly writes: readonly ('replace' | 'append' | 'merge' | 'scd2')[]
  /** The `ingest` without its write and key. */
  readonly ingest: (table: SourceTable, places: Places) => Readonly<Record<string, unknown>>
  readonly put: (table: SourceTable, places: Places) => Promise<void> | void
}

export const sourcesOfNames: Readonly<Record<string, SourceOfNames>> = {
  csv: {
    isTyped: false,
    writes: ['replace', 'merge'],
    ingest: ({ name }) => ({ type: 'file', endpoint: './data', resource: `${name}.csv` }),
    put: ({ name, records }, { ground }) => {
      const lines = [Object.keys(records[0] ?? {}), ...records.map(record => Object.values(record))]
      ground.write(`data/${name}.csv`, `${lines.map(line => line.join(',')).join('\n')}\n`)
    },
  },
  ndjson: {
    isTyped: false,
    writes: ['replace', 'append', 'merge', 'scd2'],
    ingest: ({ name }) => ({ type: 'file', endpoint: './data', resource: `${name}.ndjson` }),
    put: ({ name, records }, { ground }) =>
      ground.write(`data/${name}.ndjson`, records.map(record => `${JSON.stringify(record)}\n`).join('')),
  },
  parquet: {
    isTyped: true,
    writes: ['replace', 'scd2'],
    ingest: ({ name }) => ({ type: 'file', endpoint: './data', resource: `${name}.parquet` }),
    put: async (table, { ground }) => {
      const path = freshPath(ground, `data/${table.name}.parquet`)
      await duckdb(':memory:', [
        ...tableSql(table),
        `COPY ${quoteName(table.name)} TO '${path}' (FORMAT parquet)`,
      ])
    },
  },
  rows: {
    isTyped: false,
    writes: ['replace', 'scd2'],
    ingest: ({ records }) => ({ type: 'rows', rows: records }),
    put: () => undefined,
  },
  rest: {
    isTyped: false,
    writes: ['replace', 'append', 'merge'],
    ingest: ({ name }, { rest }) => ({
      type: 'rest_api',
      endpoint: rest?.origin,
      resource: name,
      paginate: 'none',
    }),
    put: ({ name, records }, { rest }) =>
      rest?.route(`/${name}`, (_, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(records))
      }),
  },
  sqlite: {
    isTyped: false,
    writes: ['replace', 'merge'],
    ingest: ({ name }) => ({ type: 'sql', endpoint: `sqlite:./data/${name}.sqlite`, resource: name }),
    put: (table, { ground }) => {
      const database = new Libsql(freshPath(ground, `data/${table.name}.sqlite`))
      for (const statement of tableSql(table)) database.exec(statement)
      database.close()
    },
  },
  duckdb: {
    isTyped: true,
    writes: ['replace', 'append'],
    ingest: ({ name }) => ({ type: 'sql', endpoint: `duckdb:./data/${name}.duckdb`, resource: name }),
    put: (table, { ground }) => duckdb(freshPath(ground, `data/${table.name}.duckdb`), tableSql(table)),
  },
  postgres: {
    isTyped: true,
    writes: ['replace', 'merge', 'scd2'],
    ingest: ({ name }) => ({ type: 'sql', endpoint: 'env:PLACE', resource: `public.${name}` }),
    put: async (table, { postgres }) => {
      const client = new pg.Client({ connectionString: postgres })
      await client.connect()
      try {
        await client.query([`DROP TABLE IF EXISTS ${quoteName(table.name)}`, ...tableSql(table)].join(';'))
      } finally {
        await client.end()
      }
    },
  },
}

/** A table whose columns have the types of the values of its first record. */
function tableSql({ name, records }: SourceTable): readonly string[] {
  const [first = {}] = records
  const columns = Object.entries(first).map(
    ([column, value]) => `${quoteName(column)} ${typeof value === 'number' ? 'bigint' : 'text'}`,
  )
  const rows = records.map(record =>
    Object.values(record).map(value => (typeof value === 'number' ? value : `'${value}'`)),
  )
  return [
    `CREATE TABLE ${quoteName(name)} (${columns.join(', ')})`,
    `INSERT INTO ${quoteName(name)} VALUES ${rows.map(row => `(${row.join(', ')})`).join(', ')}`,
  ]
}

function freshPath({ root }: Ground, path: string): string {
  const whole = join(root, path)
  mkdirSync(dirname(whole), { recursive: true })
  rmSync(whole, { force: true })
  return whole
}

async function duckdb(path: string, statements: readonly string[]): Promise<void> {
  const database = await DuckDBInstance.create(path)
  const connection = await database.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  database.closeSync()
}
