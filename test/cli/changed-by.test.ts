/** `changed_by` of a table of the warehouse: what the user says tells a change, and nothing is taken as unchanged in silence. */
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { closeLeftOpen } from '../../cli/engine/warehouse/duckdb/open-instances.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'

const orders = (rule: string) => `name: orders
ingest: {type: warehouse, resource: raw.orders, exclude: touched, ${rule}}
transform: SELECT id, amount FROM {{ source }}
`

interface World {
  readonly warehouse: string
  /** What another program does to the warehouse; returns the rows of the last statement. */
  others(root: string, ...statements: readonly string[]): Promise<unknown[]>
  end?(): Promise<void>
}

const duckdb = async (): Promise<World> => ({
  warehouse: 'duckdb:w.duckdb',
  async others(root, ...statements) {
    await closeLeftOpen()
    const instance = await DuckDBInstance.create(join(root, 'w.duckdb'))
    const connection = await instance.connect()
    try {
      let rows: unknown[] = []
      for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowObjectsJson()
      return rows
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  },
})

const postgres = async (): Promise<World> => {
  const server = await startPostgres()
  const client = new pg.Client(await server.createDatabase())
  await client.connect()
  return {
    warehouse: `postgres://svc@127.0.0.1:${client.port}/${client.database}`,
    async others(_root, ...statements) {
      let rows: unknown[] = []
      for (const sql of statements) rows = (await client.query(sql)).rows
      return rows
    },
    async end() {
      await client.end()
      await server.stop()
    },
  }
}

async function inProject(makeWorld: () => Promise<World>, work: (ground: Ground) => Promise<void>) {
  const world = await makeWorld()
  const project = createProjectHere({
    'svc.yaml': `name: shop\nwarehouse: ${world.warehouse}\n`,
    'models/orders.svc': orders('changed_by: touched'),
  })
  const others = (...statements: readonly string[]) => world.others(project.root, ...statements)
  const said = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'])
    await closeLeftOpen()
    return { code, text: `${stdout}${stderr}`.replace(/\s+/g, ' ') }
  }
  try {
    await others(
      'CREATE SCHEMA raw',
      'CREATE TABLE raw.orders (id INTEGER, amount INTEGER, touched TIMESTAMP)',
      "INSERT INTO raw.orders VALUES (1, 10, '2024-01-01'), (2, 20, '2024-01-02')",
    )
    await work({ project, others, said, rule: text => project.write('models/orders.svc', orders(text)) })
  } finally {
    project.dispose()
    await world.end?.()
  }
}

interface Ground {
  readonly project: ProjectHere
  others(...statements: readonly string[]): Promise<unknown[]>
  said(...words: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }>
  rule(text: string): void
}

const saying = (text: string, code = 0) => ({ code, text: expect.stringContaining(text) })
const sum = 'SELECT CAST(sum(amount) AS INTEGER) AS s FROM analytics.orders'

/** The same on every engine. */
async function tellsChanges({ others, said, rule }: Ground) {
  expect(await said('run')).toEqual(saying('1 built'))
  expect(await said('plan')).toEqual(
    saying(
      'The rows of 1 source count as unchanged without being read, as long as changed_by says so: orders',
    ),
  )
  // A change that the column does not tell.
  await others('UPDATE raw.orders SET amount = 11 WHERE id = 1')
  const unread = await said('run')
  expect(unread).toEqual(saying('Nothing to do'))
  expect(unread.text).toContain('rows were not read (changed_by: touched)')
  expect(await others(sum)).toEqual([{ s: 30 }])
  await others("UPDATE raw.orders SET touched = '2024-01-03' WHERE id = 2")
  expect(await said('run')).toEqual(saying('1 built'))
  expect(await others(sum)).toEqual([{ s: 31 }])
  rule('changed_by: never')
  await others("INSERT INTO raw.orders VALUES (3, 30, '2024-02-01')")
  expect(await said('run')).toEqual(saying('1 built'))
  await others('UPDATE raw.orders SET amount = 40 WHERE id = 3')
  expect((await said('run')).text).toContain('not read (changed_by: never)')
  expect(await others(sum)).toEqual([{ s: 61 }])
  expect(await said('run', '--full-refresh')).toEqual(saying('1 built'))
  expect(await others(sum)).toEqual([{ s: 71 }])
  expect((await said('run')).text).toContain('not read (changed_by: never)')
}

it('tells a change by a column, or not at all, and the run and the plan say so', () =>
  inProject(duckdb, tellsChanges))

describe.runIf(canStartPostgres())('on PostgreSQL', () => {
  it('the same', () => inProject(postgres, tellsChanges))
})

it('never brings back what an earlier rule took as unchanged', () =>
  inProject(duckdb, async ({ others, said, rule }) => {
    rule('changed_by: never')
    expect(await said('run')).toEqual(saying('1 built'))
    await others('UPDATE raw.orders SET amount = 0')
    rule('changed_by: scan')
    expect(await said('run')).toEqual(saying('1 built'))
    rule('changed_by: never')
    await said('run')
    expect(await others(sum)).toEqual([{ s: 0 }])
    // A column that goes is seen, whatever counts as unchanged.
    await others('ALTER TABLE raw.orders DROP amount')
    expect(await said('run')).toEqual(saying('unknown column "amount"', 1))
  }))

it('refuses a column that is not there, or says nothing, and finds one that has come since', () =>
  inProject(duckdb, async ({ others, said, rule }) => {
    rule('changed_by: touch')
    expect(await said('run')).toEqual(saying('has no column "touch", which changed_by names', 3))
    rule('changed_by: touched')
    await others('UPDATE raw.orders SET touched = NULL')
    expect(await said('run')).toEqual(saying('"touched" of raw.orders is NULL in all rows', 1))
    await others('DELETE FROM raw.orders')
    rule('changed_by: id')
    expect(await said('run')).toEqual(saying('1 built'))
    await others(
      "INSERT INTO raw.orders VALUES (1, 10, '2024-01-01')",
      'ALTER TABLE raw.orders ADD seen DATE',
    )
    await others("UPDATE raw.orders SET seen = '2024-01-01'")
    rule('changed_by: seen')
    expect(await said('run')).toEqual(saying('1 built'))
    expect(await others(sum)).toEqual([{ s: 10 }])
  }))
