/** A state table that somebody has dropped: every command says so, and `svc init` makes it again (interface.md 4.4). */

import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, describe, expect, test } from 'vitest'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

let p: Ground

afterEach(() => p.dispose())

const files = {
  'svc.yaml': 'name: shop\nenvironments: {prod: {warehouse: "duckdb:./prod.duckdb"}}\n',
  'models/orders.svc':
    'name: orders\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\n',
}

async function dropped(table: string): Promise<void> {
  p = createGround(files)
  expect((await p.line(['run', '--env', 'prod'])).code).toBe(0)
  const instance = await DuckDBInstance.create(join(p.root, 'prod.duckdb'))
  const connection = await instance.connect()
  await connection.run(`DROP TABLE svc.${table}`)
  connection.closeSync()
  instance.closeSync()
}

describe.each(['svc_catalog', 'svc_state_history', 'svc_loaded_files'])(
  'without the state table %s',
  table => {
    test('a run refuses, doctor says which, and init makes it', async () => {
      await dropped(table)
      expectRefusal(
        await p.line(['run', '--env', 'prod']),
        3,
        `the warehouse has lost a state table of svc: ${table}`,
        'svc init --env prod.',
      )
      const doctor = await p.line(['doctor', '--env', 'prod'])
      expect(doctor.code).toBe(1)
      expect(doctor.stdout.replace(/\s+/g, ' ')).toContain(`missing: ${table}`)
      expect(doctor.stdout).toContain('svc init --env prod')
      const init = await p.json(['init', '--env', 'prod', '--json'])
      expect(init).toMatchObject({ code: 0, value: { restored: [table] } })
      expect((await p.json(['init', '--env', 'prod', '--json'])).value).toMatchObject({ restored: [] })
      const run = await p.line(['run', '--env', 'prod'])
      expect(run.code, run.stdout + run.stderr).toBe(0)
      expect((await p.line(['sample', 'orders', '--env', 'prod'])).stdout).toContain('1 row')
      expect((await p.line(['doctor', '--env', 'prod'])).code).toBe(0)
    })
  },
)
