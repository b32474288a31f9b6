/** A newcomer's morning: from an empty folder to rows in another system, with five commands and no edit. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RestServer, sendJson, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let ground: Ground
let server: RestServer
beforeAll(async () => {
  server = await startRestServer()
  server.route('/v1/orders', (request, response) => {
    const page = Number(request.query.get('page') ?? 1)
    const data = Array.from({ length: 20 }, (_, index) => ({
      id: (page - 1) * 20 + index + 1,
      customer: (index % 5) + 1,
      email: `c${index % 5}@example.com`,
    }))
    sendJson(response, { data, page, total_pages: 3 })
  })
})
afterAll(() => server.close())
beforeEach(() => {
  ground = createGround({})
})
afterEach(() => ground.dispose())

async function inDuckdb(file: string, sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(join(ground.root, file))
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[]
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function green(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const said = await ground.line(words, { env })
  expect(said.code, `svc ${words.join(' ')}\n${said.stdout}${said.stderr}`).toBe(0)
}

it('init, discover a web service, discover a database, run, publish', async () => {
  await inDuckdb(
    'shop.db',
    "CREATE TABLE customers AS SELECT i AS id, 'n' || i AS name FROM range(1, 6) AS t(i)",
  )
  await green(['init'])
  await green(['discover', `${server.origin}/v1/orders`])
  await green(['discover', 'duckdb:shop.db', 'table:customers'])
  await green(['run'])
  await green(['publish', 'orders', '--to', 'crm'], { DESTINATION__CRM__CREDENTIALS: 'duckdb:crm.db' })
  expect(await inDuckdb('crm.db', 'SELECT count(*) AS n, count(DISTINCT id) AS d FROM orders')).toEqual([
    { n: '60', d: '60' },
  ])
})

describe('a target that only a variable describes', () => {
  beforeEach(async () => {
    await green(['init'])
    await green(['discover', `${server.origin}/v1/orders`])
    await green(['run'])
  })

  it('may be a JSON object with table, key and mode', async () => {
    const crm = {
      type: 'duckdb',
      endpoint: 'duckdb:crm.db',
      resource: 'sales.orders',
      key: 'id',
      mode: 'mirror',
    }
    await green(['publish', 'orders', '--to', 'crm'], { DESTINATION__CRM__CREDENTIALS: JSON.stringify(crm) })
    expect(await inDuckdb('crm.db', 'SELECT count(*) AS n FROM sales.orders')).toEqual([{ n: '60' }])
  })

  it.each([
    ['{"type": "duckdb"', 'is no JSON'],
    ['{"type": "oracle", "endpoint": "x"}', 'needs type and endpoint'],
    ['{"typ": "duckdb"}', 'has no member "typ"'],
    ['{"type": "duckdb", "endpoint": 5}', 'has a "endpoint" that is no text'],
    ['{"type": "duckdb", "endpoint": "duckdb:x.db", "mode": "everything"}', 'mode'],
    ['s3cret-word', 'is set, but holds no address'],
  ])('is told what is wrong with %s, and the secret is not', async (value, told) => {
    const said = await ground.line(['publish', 'orders', '--to', 'crm'], {
      env: { DESTINATION__CRM__CREDENTIALS: value },
    })
    expect(said.code).toBe(2)
    expect(said.stderr.replace(/\s+/g, ' ')).toContain(told)
    expect(said.stderr).not.toContain('s3cret-word')
    expect(readFileSync(join(ground.root, 'svc.yaml'), 'utf8')).not.toContain('crm')
  })
})
