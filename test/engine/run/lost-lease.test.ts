/** A run that slept while another host took its lease, and one that finds the warehouse of a sleeper still open. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { promoteRun } from '../../../cli/engine/run/promote-run.ts'
import { runProject } from '../../../cli/engine/run/run-project.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { projectMaker } from './test-project.ts'

const make = projectMaker()

const other = {
  runId: 'r2',
  command: 'run',
  user: 'bob',
  host: 'another-host',
  pid: 1,
  since: '2026-01-02T03:04:05.000Z',
}

let server: RestServer
let p: ProjectHere
let amount: number
/** What happens while the run waits for its source. */
let meanwhile: () => void

beforeEach(async () => {
  server = await startRestServer()
  amount = 1
  meanwhile = () => undefined
  server.route('/orders', (_request, response) => {
    meanwhile()
    sendJson(response, [{ id: 1, amount }])
  })
  p = createProjectHere({
    'svc.yaml': 'name: shop\nwarehouse: duckdb:./warehouse.duckdb\n',
    'models/orders.svc': `name: orders\ningest: {type: rest_api, endpoint: "${server.origin}", resource: /orders}\ntransform: SELECT id, amount FROM {{ source }}\n`,
  })
})

afterEach(async () => {
  p.dispose()
  await server.close()
})

const prod = ['--env', 'prod']
const leasePath = (folder = p.root) => {
  const name = readdirSync(folder).find(each => each.endsWith('.lease'))
  if (name === undefined) throw new Error('nobody has a lease')
  return join(folder, name)
}
const takeAway = (folder = p.root) =>
  writeFileSync(leasePath(folder), JSON.stringify({ holder: other, token: 'theirs' }))

function spoolFolder(): string {
  const work = join(p.root, '.svc', 'prod', 'work')
  return join(work, readdirSync(work)[0] ?? '', 'spool')
}

async function live(): Promise<unknown> {
  const { value } = await p.json(['sample', 'orders', ...prod, '--json'])
  return (value as { rows: unknown }).rows
}

it.each([
  ['whatever it has fetched', () => undefined],
  ['also where the other one has deleted its files', () => rmSync(spoolFolder(), { recursive: true })],
])('promotes nothing after its lease was taken, and says so, %s', async (_, more) => {
  expect((await p.svc(['run', ...prod])).code).toBe(0)
  amount = 2
  meanwhile = () => {
    takeAway()
    more()
    mkdirSync(join(spoolFolder(), 'theirs'), { recursive: true })
  }
  const { code, stderr } = await p.svc(['run', ...prod])
  expect(code).toBe(3)
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'lost the lease of prod: svc run has it now (run r2 of bob on another-host, since 2026-01-02T03:04:05.000Z) [lease-lost]',
  )
  expect(await live()).toEqual([{ id: 1, amount: 1 }])
  // What is of the other one stays as it is: its lease, its spools.
  expect(readFileSync(leasePath(), 'utf8')).toContain('theirs')
  expect(existsSync(join(spoolFolder(), 'theirs'))).toBe(true)
  rmSync(leasePath())
  meanwhile = () => undefined
  expect((await p.svc(['run', ...prod])).code).toBe(0)
  expect(await live()).toEqual([{ id: 1, amount: 2 }])
})

it('is no preview that can be promoted', async () => {
  meanwhile = () => takeAway()
  const { code, stderr } = await p.svc(['preview', ...prod])
  expect([code, stderr]).toEqual([3, expect.stringContaining('[lease-lost]')])
})

it('is no preview that can be promoted either where its lease was taken while it built', async () => {
  const project = make({ one: 'SELECT 1 AS id' })
  const workspace = await project.workspace()
  const request = { kind: 'preview', selector: undefined, noIngest: false, allTests: false } as const
  const preview = runProject(workspace, request, event => {
    if (event.type === 'stage' && event.stage === 'build') takeAway(project.root)
  })
  await expect(preview).rejects.toMatchObject({ code: 'lease-lost' })
  const [row] = await project.withSession(async ({ state }) => (await state.read('prod')).history)
  expect(row).toMatchObject({
    kind: 'preview',
    status: 'Failed',
    error: expect.stringContaining('lost the lease'),
  })
  rmSync(leasePath(project.root))
  await expect(promoteRun(workspace, row?.run_id ?? '', () => undefined)).rejects.toMatchObject({
    code: 'wrong-usage',
  })
  await workspace.close()
})

it('deletes nothing before it has the warehouse, which a sleeper may still have', async () => {
  await p.alone(['run', ...prod])
  const script = `
    const { DuckDBInstance } = require('@duckdb/node-api')
    DuckDBInstance.create('warehouse.duckdb').then(instance => {
      // One that nothing refers to is closed some time.
      globalThis.kept = instance
      console.log('open')
      setInterval(() => {}, 1000)
    })`
  const sleeper = spawn(process.execPath, ['-e', script], {
    cwd: p.root,
    env: { ...process.env, NODE_PATH: join(import.meta.dirname, '..', '..', '..', 'node_modules') },
  })
  try {
    await new Promise(isOpen => sleeper.stdout.once('data', isOpen))
    const work = join(p.root, '.svc', 'prod', 'work')
    mkdirSync(work, { recursive: true })
    const theirs = join(work, readdirSync(work)[0] ?? '', 'spool', 'theirs')
    mkdirSync(theirs, { recursive: true })
    const { code, stderr } = await p.alone(['run', ...prod])
    expect([code, stderr]).toEqual([3, expect.stringContaining('[warehouse-locked]')])
    expect(existsSync(theirs)).toBe(true)
  } finally {
    sleeper.kill()
    await new Promise(ended => sleeper.once('close', ended))
  }
}, 60_000)
