/** A run that is killed between two windows of the cursor: production has its last load, and the next run has all records. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject } from '../support/cli.ts'

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`
let orders = [1, 2, 12].map(id => ({ id, changed_at: day(id) }))
/** Requests with this text in their address are never answered. */
let hanging = ''
let onHang: () => void = () => undefined
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    if (hanging !== '' && url.search.includes(hanging)) {
      onHang()
      return
    }
    const [since, until] = [url.searchParams.get('since') ?? '', url.searchParams.get('until') ?? '']
    const found = orders.filter(({ changed_at: at }) => at >= since && at < until)
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('has lost nothing, and the cursor is where production is', async () => {
  const { port } = server.address() as AddressInfo
  const project = createProject({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': `name: orders
ingest:
  type: rest_api
  endpoint: http://127.0.0.1:${port}
  resource: orders
  paginate: none
  params: {since: "{cursor}", until: "{cursor.end}"}
  write: merge
  primary_key: id
  incremental: {cursor: changed_at, start: 2026-01-01, window: 7d}
  limits: {concurrency: 1}
transform: SELECT id FROM {{ source }}
`,
  })
  const rows = async () => {
    const { value } = await project.json(['sample', 'orders', '--env', 'prod', '--json'])
    return (value as { rows: unknown[] }).rows.map(row => JSON.stringify(row)).sort()
  }
  try {
    expect((await project.svc(['run', '--env', 'prod'])).code).toBe(0)
    const before = await rows()
    orders = [...orders, ...[13, 14, 21, 30].map(id => ({ id, changed_at: day(id) }))]
    hanging = 'since=2026-01-26'
    const killed = await project.svc(['run', '--env', 'prod'], {
      onStart: child => {
        onHang = () => child.kill('SIGKILL')
      },
    })
    expect(killed.code).toBe(null)
    expect(await rows()).toEqual(before)
    hanging = ''
    expect(await project.svc(['run', '--env', 'prod'])).toMatchObject({ code: 0 })
    expect(await rows()).toHaveLength(7)
  } finally {
    project.dispose()
  }
})
