/** `svc backup`: a whole copy of the warehouse whatever state its file is in, and who says that something waits beside it. */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createProject, type TestProject } from '../support/cli.ts'

const files = {
  'svc.yaml': 'name: shop\nwarehouse: duckdb:./warehouse.duckdb\nenvironments: {prod: {schema: analytics}}\n',
  'models/orders.svc':
    'name: orders\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id, 11.5 AS amount FROM {{ source }}\n',
}

let project: TestProject

beforeEach(() => {
  project = createProject(files)
})

afterEach(() => project.dispose())

const path = (name: string) => join(project.root, name)
const prod = ['--env', 'prod']

async function succeeds(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await project.svc(words)
  expect(code, stdout + stderr).toBe(0)
  return stdout + stderr
}

/** Commits in another process and ends it before the log is in the file, as a kill between promotion and closing does. */
async function dieWith(sql: string): Promise<void> {
  const script = `
    const { DuckDBInstance } = require('@duckdb/node-api')
    DuckDBInstance.create('warehouse.duckdb').then(async instance => {
      const connection = await instance.connect()
      await connection.run(${JSON.stringify(sql)})
      process.kill(process.pid, 'SIGKILL')
    })`
  const child = spawn(process.execPath, ['-e', script], {
    cwd: project.root,
    env: { ...process.env, NODE_PATH: join(import.meta.dirname, '..', '..', 'node_modules') },
    stdio: 'inherit',
  })
  await new Promise(ended => child.on('close', ended))
  expect(existsSync(path('warehouse.duckdb.wal'))).toBe(true)
}

async function amountIn(warehouse: string): Promise<unknown> {
  project.write('svc.yaml', files['svc.yaml'].replace('./warehouse.duckdb', warehouse))
  const { value } = await project.json(['sample', 'orders', ...prod, '--json'])
  project.write('svc.yaml', files['svc.yaml'])
  return (value as { rows: unknown[] }).rows
}

const deployment = 'CREATE OR REPLACE VIEW analytics.orders AS SELECT 1 AS id, 12.5 AS amount'

describe('svc backup', () => {
  it('copies what a killed process left in the log, which a copy of the file is without', async () => {
    await succeeds('run', ...prod)
    await dieWith(deployment)
    copyFileSync(path('warehouse.duckdb'), path('copied.duckdb'))
    const { code, value } = await project.json(['backup', ...prod, 'backup.duckdb', '--json'])
    expect(code).toBe(0)
    const ajv = new Ajv2020({ allowUnionTypes: true })
    expect(ajv.validate(outputSchemas['backup'] ?? false, value), ajv.errorsText()).toBe(true)
    expect(value).toMatchObject({
      warehouse: 'warehouse.duckdb',
      file: 'backup.duckdb',
      log: { file: 'warehouse.duckdb.wal', folded: true },
    })
    expect(await amountIn('./copied.duckdb')).toEqual([{ id: 1, amount: '11.5' }])
    expect(await amountIn('./backup.duckdb')).toEqual([{ id: 1, amount: '12.5' }])
    expect(readdirSync(project.root).filter(name => /wal|new/.test(name))).toEqual([])
  })

  it('copies the log where it cannot be brought into the file, as beside somebody who reads', async () => {
    await succeeds('run', ...prod)
    await dieWith(deployment)
    const script = `
      const { DuckDBInstance } = require('@duckdb/node-api')
      DuckDBInstance.create('warehouse.duckdb', { access_mode: 'READ_ONLY' }).then(() => {
        console.log('open')
        setInterval(() => {}, 1000)
      })`
    const reader = spawn(process.execPath, ['-e', script], {
      cwd: project.root,
      env: { ...process.env, NODE_PATH: join(import.meta.dirname, '..', '..', 'node_modules') },
    })
    try {
      await new Promise(isOpen => reader.stdout.once('data', isOpen))
      expect(await succeeds('status', ...prod)).toMatch(
        /wait in warehouse\.duckdb\.wal.*\s+svc\s+backup\s+<file>\s+--env\s+prod/s,
      )
      const doctor = await project.json(['doctor', ...prod, '--json'])
      expect(JSON.stringify(doctor.value)).toMatch(
        /"warehouse log","status":"OK".*svc backup <file> --env prod\./,
      )
      const said = await succeeds('backup', ...prod, 'backup.duckdb')
      expect(said).toMatch(
        /Copied warehouse\.duckdb to backup\.duckdb: .*\n.*waited in warehouse\.duckdb\.wal/,
      )
    } finally {
      reader.kill()
      await new Promise(ended => reader.once('close', ended))
    }
    expect(existsSync(path('warehouse.duckdb.wal'))).toBe(true)
    expect(await amountIn('./backup.duckdb')).toEqual([{ id: 1, amount: '12.5' }])
    expect(existsSync(path('backup.duckdb.wal'))).toBe(false)
  })

  it('overwrites nothing, needs a warehouse and a folder, and leaves nothing where it fails', async () => {
    const refused = async (words: string[], code: number, message: string) => {
      const said = await project.svc(['backup', ...words])
      expect([said.code, said.stderr]).toEqual([code, expect.stringContaining(message)])
    }
    await refused(['b.duckdb'], 3, 'warehouse.duckdb is not there, so there is nothing to copy')
    await succeeds('run')
    await refused(
      ['warehouse.duckdb'],
      2,
      'warehouse.duckdb is there already, and a backup overwrites nothing',
    )
    writeFileSync(path('b.duckdb.wal'), 'of another file')
    await refused(['b.duckdb'], 2, 'b.duckdb.wal is there already')
    await refused(['nowhere/b.duckdb'], 3, 'the folder of b.duckdb does not exist')
    await refused([], 2, 'file')
    const bytes = readFileSync(path('warehouse.duckdb'))
    bytes.fill(7, 12_288)
    writeFileSync(path('warehouse.duckdb'), bytes)
    await refused(['c.duckdb'], 3, 'damaged')
    expect(readdirSync(project.root).filter(name => name.startsWith('c.'))).toEqual([])
  })

  it('keeps the mode of the file, and says where a server keeps its copies', async () => {
    await succeeds('run')
    await succeeds('backup', 'b.duckdb')
    expect(statSync(path('b.duckdb')).mode).toBe(statSync(path('warehouse.duckdb')).mode)
    project.write('svc.yaml', 'name: shop\nwarehouse: postgres://me:secret-word@127.0.0.1:1/shop\n')
    const { code, stderr } = await project.svc(['backup', 'c.dump'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/127\.0\.0\.1:1\/shop is a\s+database of a PostgreSQL server/)
    expect(stderr).toContain('pg_dump')
    expect(stderr).not.toContain('secret-word')
  })
})

describe('what a killed process left', () => {
  it('is in the file as soon as anybody opens the warehouse, and status and doctor say so', async () => {
    await succeeds('run', ...prod)
    await dieWith(deployment)
    expect(await succeeds('status', ...prod)).toMatch(/had left .* in\s+warehouse\.duckdb\.wal/)
    expect(existsSync(path('warehouse.duckdb.wal'))).toBe(false)
    expect(await succeeds('status', ...prod)).not.toContain('.wal')
    copyFileSync(path('warehouse.duckdb'), path('copied.duckdb'))
    expect(await amountIn('./copied.duckdb')).toEqual([{ id: 1, amount: '12.5' }])
    await dieWith(deployment.replace('12.5', '13.5'))
    // The view that the test put in the place of svc's own is what fails.
    expect((await project.svc(['doctor', ...prod])).stdout).toMatch(/OK +warehouse log .*left/)
    expect(existsSync(path('warehouse.duckdb.wal'))).toBe(false)
  })
})
