/** Hints about the warehouse, its lease and its state, and about the databases and tables that rows are read from. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { stateVersion } from '../../../cli/engine/state/tables.ts'
import { takeLease } from '../../../cli/engine/warehouse/lease/lease-file.ts'
import { fromFiles, fromService, model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Stage, WarningTable } from '../../support/hints/stage.ts'
import { type RestHandler, sendJson } from '../../support/rest-server.ts'

const one = { [orders]: model('orders', 'SELECT 1 AS id') }
const rows = { orders: [{ id: 1 }] }
const lease = 'warehouse.duckdb.shop.dev.lease'

/** Another file of DuckDB, with the table `orders`. */
async function otherFile(p: Stage, sql = 'CREATE TABLE orders AS SELECT 1 AS id'): Promise<void> {
  const instance = await DuckDBInstance.create(join(p.root, 'other.duckdb'))
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

const fromOther = (ingest: string) => ({
  [orders]: `name: orders\ningest: {type: sql, endpoint: "duckdb:./other.duckdb", ${ingest}}\ntransform: SELECT id FROM {{ source }}\n`,
})
const edit = (from: string, to: string) => (p: Stage) => p.edit(orders, from, to)

/** What ends the hold on a warehouse, by the folders of the scenarios at play. */
const releases = new Map<string, () => unknown>()

const holders: ErrorTable = {
  'lease-held': [
    {
      hint: 'Wait until it is done, or end it; a lease of a process that has ended is taken over.',
      files: one,
      before: async p => {
        await p.works('init')
        const held = await takeLease(join(p.root, lease), 'dev', {
          command: 'svc run',
          runId: 'another',
          user: 'ada',
          host: hostname(),
          pid: process.pid,
          since: new Date().toISOString(),
        })
        releases.set(p.root, () => held.release())
      },
      follow: p => releases.get(p.root)?.(),
      rows,
    },
    {
      hint: 'It counts for a minute after it was written. Delete the file if no run is under way.',
      files: { ...one, [lease]: 'not a lease' },
      follow: p => p.remove(lease),
      rows,
    },
  ],
  'lease-lost': [
    {
      hint: 'See what is live with svc status, and run again.',
      files: { [orders]: fromService('', 'SELECT id FROM {{ source }}') },
      before: p => {
        p.answer('/orders', (async (_request, response) => {
          // The machine slept, and another one has taken the lease meanwhile.
          p.remove(lease)
          sendJson(response, [{ id: 1 }])
        }) satisfies RestHandler)
      },
      follow: async p => {
        p.answer('/orders', [{ id: 1 }])
        await p.works('status')
      },
      rows,
    },
  ],
  'warehouse-locked': [
    {
      hint: 'Wait until it is done, or end it, and run again.',
      files: one,
      before: p => hold(p),
      follow: p => releases.get(p.root)?.(),
      rows,
    },
  ],
}

/** Another program has the warehouse open until it is ended. */
async function hold(p: Stage): Promise<void> {
  const path = JSON.stringify(join(p.root, 'warehouse.duckdb'))
  const holding = `import('@duckdb/node-api').then(async ({ DuckDBInstance }) => {
    globalThis.held = await DuckDBInstance.create(${path}); console.log('held'); setInterval(() => {}, 1000)
  })`
  const child = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('close', resolve))
  }
  releases.set(p.root, end)
  p.atEnd(end)
  await new Promise(resolve => child.stdout.once('data', resolve))
}

const files: ErrorTable = {
  'warehouse-not-a-database': [
    {
      hint: 'Move that file away, or name another one as warehouse in svc.yaml.',
      files: { ...one, 'warehouse.duckdb': 'id,name\n1,x\n'.repeat(3000) },
      follow: p => p.remove('warehouse.duckdb'),
      rows,
    },
    {
      hint: 'Name a file in it as warehouse in svc.yaml: duckdb:warehouse.duckdb/warehouse.duckdb.',
      files: one,
      before: p => mkdirSync(join(p.root, 'warehouse.duckdb')),
      follow: p => p.write('svc.yaml', 'name: shop\nwarehouse: duckdb:warehouse.duckdb/warehouse.duckdb\n'),
    },
  ],
  'state-lost': [
    {
      hint: 'Restore the warehouse from a backup, or make what is missing again, empty: svc init.',
      files: one,
      before: async p => {
        await p.works('run')
        await p.sql('DROP TABLE svc.svc_catalog')
      },
      follow: p => p.works('init'),
      rows,
    },
  ],
  'wrong-usage': [
    {
      hint: 'Name a file: duckdb:./warehouse.duckdb.',
      files: { ...one, 'svc.yaml': 'name: shop\nwarehouse: "duckdb::memory:"\n' },
      follow: p => p.edit('svc.yaml', '"duckdb::memory:"', 'duckdb:./warehouse.duckdb'),
      rows,
    },
    {
      hint: 'Known are duckdb:<file>, such as duckdb:./warehouse.duckdb, and postgres://user@host/database.',
      files: { ...one, 'svc.yaml': 'name: shop\nwarehouse: env:SHOP_WAREHOUSE\n' },
      env: { SHOP_WAREHOUSE: 'oracle://host/db' },
      follow: p => {
        p.env['SHOP_WAREHOUSE'] = 'duckdb:./warehouse.duckdb'
      },
      rows,
    },
    {
      hint: 'Two histories cannot be one: adopt before the first run, or keep the name "former".',
      files: { ...one, 'svc.yaml': 'name: former\n' },
      before: async p => {
        await p.works('run')
        p.write('svc.yaml', 'name: shop\nenvironments: {dev: {schema: other}}\n')
        await p.works('run')
      },
      act: 'init --adopt former',
      follow: p => p.write('svc.yaml', 'name: former\n'),
      works: 'run',
      rows,
    },
  ],
}

const read: ErrorTable = {
  'database-unreachable': [
    {
      hint: "ingest.endpoint is duckdb: and a path, looked for from the project's root.",
      files: fromOther('resource: orders'),
      before: async p => {
        await otherFile(p)
        p.edit(orders, './other', '../other')
      },
      follow: edit('../other', './other'),
      rows,
    },
    {
      hint: 'Check host and port, and that the server runs and lets this machine in.',
      files: {
        [orders]:
          'name: orders\ningest: {type: sql, endpoint: "postgres://me@127.0.0.1:1/shop", resource: orders, limits: {retries: 0}}\ntransform: SELECT id FROM {{ source }}\n',
      },
      before: p => otherFile(p),
      follow: edit('postgres://me@127.0.0.1:1/shop', 'duckdb:./other.duckdb'),
      rows,
    },
  ],
  'database-denied': [
    {
      hint: "Read an asset of this project with {{ ref('name') }}.",
      files: {
        'models/base.svc': model('base', 'SELECT 1 AS id'),
        ...fromOther('resource: analytics_dev.base'),
      },
      before: async p => {
        await p.works('run base')
        p.edit(orders, './other', './warehouse')
      },
      follow: p => p.write(orders, model('orders', "SELECT id FROM {{ ref('base') }}")),
      rows,
    },
  ],
  'database-statement': [
    {
      hint: 'Check ingest.query, ingest.where and ingest.resource.',
      files: fromOther('resource: orders, where: "nmae = 1"'),
      before: p => otherFile(p),
      follow: edit('nmae = 1', 'id = 1'),
      rows,
    },
  ],
  'source-shape': [
    {
      hint: 'Read less with where, include or max_rows, or raise ingest.limits.total.',
      files: fromOther('resource: orders, limits: {total: 1KB}'),
      before: p => otherFile(p, "CREATE TABLE orders AS SELECT 1 AS id, repeat('x', 5000) AS note"),
      follow: edit('resource: orders', 'resource: orders, include: [id]'),
      rows,
    },
    {
      hint: 'Name another column in changed_by, or leave the key out: every run then reads all rows.',
      files: {
        [orders]:
          'name: orders\ningest: {type: warehouse, resource: raw.orders, changed_by: changed}\ntransform: SELECT id FROM {{ source }}\n',
      },
      before: async p => {
        await p.works('init')
        await p.sql(
          'CREATE SCHEMA raw',
          'CREATE TABLE raw.orders AS SELECT 1 AS id, CAST(NULL AS TIMESTAMP) AS changed',
        )
      },
      follow: edit(', changed_by: changed', ''),
      rows,
    },
  ],
  'not-built-yet': [
    {
      hint: 'Known are postgres://, mysql://, mariadb://, sqlite:///<file> and duckdb:<file>.',
      files: fromOther('resource: orders'),
      env: { SHOP_DATABASE: 'oracle://host/db' },
      before: async p => {
        await otherFile(p)
        p.edit(orders, 'duckdb:./other.duckdb', 'env:SHOP_DATABASE')
      },
      follow: p => {
        p.env['SHOP_DATABASE'] = 'duckdb:./other.duckdb'
      },
      rows,
    },
  ],
  'source-missing': [
    {
      hint: 'Did you mean "raw.orders"?',
      files: {
        [orders]:
          'name: orders\ningest: {type: warehouse, resource: raw.ordres}\ntransform: SELECT id FROM {{ source }}\n',
      },
      before: async p => {
        await p.works('init')
        await p.sql('CREATE SCHEMA raw', 'CREATE TABLE raw.orders AS SELECT 1 AS id')
      },
      follow: edit('raw.ordres', 'raw.orders'),
      rows,
    },
  ],
  'invalid-project': [
    {
      hint: 'It belongs to type sql.',
      files: { [orders]: fromFiles('split: {by: id}'), 'data/a.csv': 'id\n1\n' },
      follow: edit(', split: {by: id}', ''),
      rows,
    },
  ],
}

export const errors: ErrorTable = { ...holders, ...files, ...read }

export const warnings: WarningTable = {
  'state-migrated': [
    {
      hint: 'Update svc wherever this warehouse is used, CI too; this one is build …',
      files: one,
      before: async p => {
        await p.works('run')
        await p.sql(
          'ALTER TABLE svc.svc_publishes DROP COLUMN warnings',
          `UPDATE svc.svc_meta SET version = ${stateVersion - 1}`,
        )
      },
      follow: () => undefined,
      rows,
    },
  ],
}
