/** A source that had records and has none now fails its asset, unless its contract allows that. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGround, type Ground } from '../../cli/bad-input/command-line.ts'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { freshWarehouse, removeWarehouse } from '../../support/warehouse-under-test.ts'

let server: RestServer
beforeAll(async () => {
  server = await startRestServer()
})
afterAll(() => server.close())

let url: string
beforeEach(async () => {
  url = await freshWarehouse()
})
afterEach(() => removeWarehouse(url))

const settings = () => `name: empty\nwarehouse: ${url}\n`

const rest = (more = '') => `name: orders
ingest: {type: rest_api, endpoint: ${server.origin}, resource: /orders}
${more}transform: SELECT id FROM {{ source }}
`
const file = (resource: string, more = '') => `name: orders
ingest: {type: file, endpoint: ./data, resource: ${resource}}
${more}transform: SELECT id FROM {{ source }}
`
const records = [{ id: 1 }, { id: 2 }]

async function liveRows(p: Ground): Promise<number> {
  const { value } = await p.json(['sample', 'orders', '--json'])
  return (value as { rows: readonly unknown[] }).rows.length
}

async function failsEmpty(p: Ground, now = 'now'): Promise<void> {
  const run = await p.line(['run'])
  expect((run.stderr + run.stdout).replace(/\s+/g, ' ')).toContain(
    `the source has no records ${now}, and had 2 at its last load`,
  )
  expect(run.code).toBe(1)
  expect(await liveRows(p)).toBe(2)
}

describe('a web service', () => {
  it.each([
    ['an empty list', '[]', 200],
    ['an empty list inside', '{"data": []}', 200],
    ['null', 'null', 200],
    ['no content', '', 204],
  ])('that answers with %s', async (_what, body, status) => {
    const isInside = body.startsWith('{')
    server.route('/orders', (_request, response) =>
      sendJson(response, isInside ? { data: records } : records),
    )
    const p = createGround({ 'svc.yaml': settings(), 'models/orders.svc': rest() })
    try {
      expect((await p.line(['run'])).code).toBe(0)
      server.route('/orders', (_request, response) => sendJson(response, body, status))
      await failsEmpty(p)
      p.write('models/orders.svc', rest('contract: {allow_empty: true}\n'))
      expect((await p.line(['run'])).code).toBe(0)
      expect(await liveRows(p)).toBe(0)
      // What was empty may stay so.
      p.write('models/orders.svc', rest())
      expect((await p.line(['run'])).code).toBe(0)
    } finally {
      p.dispose()
    }
  })
})

describe('files', () => {
  it.each([
    ['orders.csv', 'id\n1\n2\n', 'id\n'],
    ['orders.json', JSON.stringify(records), '[]'],
    ['orders.ndjson', '{"id":1}\n{"id":2}\n', ''],
    ['null.json', JSON.stringify(records), '[null,null]'],
  ])('%s without records', async (name, full, empty) => {
    const p = createGround({
      'svc.yaml': settings(),
      'models/orders.svc': file(name),
      [`data/${name}`]: full,
    })
    try {
      expect((await p.line(['run'])).code).toBe(0)
      p.write(`data/${name}`, empty)
      await failsEmpty(p, empty.startsWith('[null') ? 'but null now' : 'now')
    } finally {
      p.dispose()
    }
  })
})
