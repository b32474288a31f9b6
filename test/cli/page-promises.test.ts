/** Sentences of the pages that no other test holds. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProject } from '../support/cli.ts'
import { type RestServer, sendJson, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let server: RestServer
let ground: Ground

beforeEach(async () => {
  server = await startRestServer()
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': ordersOf(''),
  })
})

afterEach(async () => {
  ground.dispose()
  await server.close()
})

const ordersOf = (more: string) => `name: orders
ingest: {type: rest_api, endpoint: ${server.origin}, resource: /orders}
${more}transform: SELECT * FROM {{ source }}
`

async function succeeds(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await ground.line(words)
  expect(code, stdout + stderr).toBe(0)
  return stdout + stderr
}

it('a folder .svc that is deleted costs a fetch and nothing else', async () => {
  let amount = 1
  server.route('/orders', (_, response) => sendJson(response, [{ id: 1, amount }]))
  await succeeds('run', '--env', 'prod')
  amount = 2
  await succeeds('run', '--env', 'prod')
  const live = () => succeeds('status', '--env', 'prod', '--format', 'json')
  const before = await live()
  rmSync(join(ground.root, '.svc'), { recursive: true })
  expect(await live()).toBe(before)
  server.forget()
  expect(await succeeds('run', '--env', 'prod')).toMatch(/orders +(unchanged|reused)/)
  expect(server.requests).toHaveLength(1)
  await succeeds('rollback', '--env', 'prod')
  const { stdout } = await ground.line(['sample', 'orders', '--env', 'prod', '--json'])
  expect(JSON.parse(stdout).rows).toEqual([{ id: 1, amount: 1 }])
})

it.skipIf(process.platform === 'win32')(
  'while a source is fetched the warehouse is open to others, and what has come to its owner alone',
  async () => {
    const project = createProject({ 'svc.yaml': 'name: shop\n', 'models/orders.svc': ordersOf('') })
    const seen: unknown[] = []
    server.route('/orders', async (_, response) => {
      const instance = await DuckDBInstance.create(join(project.root, 'warehouse.duckdb'))
      instance.closeSync()
      const work = join(project.root, '.svc', 'prod', 'work')
      const modes = ['', ...readdirSync(work)].map(name => statSync(join(work, name)).mode & 0o077)
      seen.push(modes.length > 1, ...new Set(modes))
      sendJson(response, [{ id: 1 }])
    })
    try {
      const { code, stderr } = await project.svc(['run', '--env', 'prod'])
      expect([code, seen], stderr).toEqual([0, [true, 0]])
    } finally {
      project.dispose()
    }
  },
)

it('one page that lacks a column of a contract is not taken for a source without it', async () => {
  const contract = 'contract: {columns: {id: bigint}}\n'
  ground.write('models/orders.svc', ordersOf(contract))
  const pages = (note: object) => {
    server.route('/orders', ({ query }, response) => {
      const isLast = query.get('cursor') === '2'
      sendJson(
        response,
        isLast ? { data: [{ id: 2, note: 'x' }] } : { data: [{ id: 1, ...note }], next_cursor: '2' },
      )
    })
  }
  pages({ note: 'x' })
  await succeeds('run', '--env', 'prod')
  pages({})
  server.forget()
  expect(await succeeds('plan', '--env', 'prod')).not.toMatch(/note/)
  expect(server.requests).toHaveLength(1)
})

it('rows are told apart at a target by the columns that are called the primary key', async () => {
  const target = 'publish: {crm: {type: duckdb, endpoint: "duckdb:crm.db", resource: orders}}\n'
  const orders = (amount: number) =>
    `name: orders\ningest: none\ntransform: SELECT 1 AS id, ${amount} AS amount\ncolumns: {id: {role: primary_key}}\n${target}`
  for (const amount of [1, 2]) {
    ground.write('models/orders.svc', orders(amount))
    await succeeds('run', '--env', 'prod')
    await succeeds('publish', 'orders', '--to', 'crm', '--env', 'prod')
  }
  const instance = await DuckDBInstance.create(join(ground.root, 'crm.db'), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const rows = await connection.runAndReadAll('SELECT id, amount FROM orders')
  expect(rows.getRows()).toEqual([[1, 2]])
  connection.closeSync()
  instance.closeSync()
})

it('tables of a glossary may have semicolons and tabs between their cells', async () => {
  for (const [name, cell] of [
    ['semicolons.csv', ';'],
    ['tabs.csv', '\t'],
  ] as const) {
    const term = name.replace('.csv', '')
    ground.write(name, `name${cell}description\n${term}${cell}What it is.\n`)
    await succeeds('glossary', 'import', name)
    expect(await succeeds('glossary', 'search', term)).toContain('What it is.')
  }
})

it('a source that is asked for rows of another asset is passed over by plan and doctor', async () => {
  ground.write(
    'models/orders.svc',
    'name: orders\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\n',
  )
  ground.write(
    'models/lines.svc',
    `name: lines
ingest: {type: rest_api, endpoint: ${server.origin}, resource: "orders/{{ parent.id }}/lines", for_each: orders}
contract: {columns: {sku: varchar}}
transform: SELECT sku FROM {{ source }}
`,
  )
  await succeeds('plan')
  const { stdout } = await ground.line(['doctor'])
  expect(stdout).toMatch(/source orders/)
  expect(server.requests).toEqual([])
})

it('validate and fmt need neither the warehouse nor a source', async () => {
  ground.write('svc.yaml', 'name: shop\nwarehouse: env:NO_SUCH_WAREHOUSE\n')
  await succeeds('fmt')
  await succeeds('fmt', '--check')
  await succeeds('validate')
  expect(server.requests).toEqual([])
  expect(readdirSync(ground.root).filter(name => name.includes('duckdb'))).toEqual([])
})

it.each(['mysql', 'postgres'])(
  'a database that takes a connection and says nothing is given up after limits.timeout: %s',
  async scheme => {
    const sockets: Socket[] = []
    const silent = createServer(socket => void sockets.push(socket))
    await new Promise<void>(listening => silent.listen(0, '127.0.0.1', listening))
    const { port } = silent.address() as AddressInfo
    ground.write(
      'models/orders.svc',
      `name: orders
ingest:
  type: sql
  endpoint: ${scheme}://svc@127.0.0.1:${port}/shop
  resource: orders
  limits: {timeout: 1s, retries: 0}
transform: SELECT 1 AS id FROM {{ source }}
`,
    )
    const { code, stdout, stderr } = await ground.line(['run'])
    for (const socket of sockets) socket.destroy()
    silent.close()
    const said = `${stdout}${stderr}`.replace(/\s+/g, ' ')
    expect([code, said]).toEqual([3, expect.stringContaining(`:${port}/shop cannot be reached`)])
  },
)
