/** Ctrl-C, SIGTERM and two commands at once, with real processes. */
import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import { createProject, type Result, type TestProject } from '../../support/cli.ts'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { freshWarehouse, removeWarehouse } from '../../support/warehouse-under-test.ts'

const records = Array.from({ length: 40 }, (_, id) => ({ id }))
let server: RestServer
let p: TestProject
let url: string

beforeEach(async () => {
  server = await startRestServer({ records, pageSize: 5 })
  url = await freshWarehouse()
  p = createProject({
    'svc.yaml': `name: interrupted\nwarehouse: ${url}\n`,
    'models/orders.svc': `name: orders
ingest: {type: rest_api, endpoint: ${server.origin}, resource: /slow, limits: {concurrency: 1}}
transform: SELECT id FROM {{ source }}
`,
  })
})

afterEach(async () => {
  p.dispose()
  await removeWarehouse(url)
  await server.close()
})

/** Pages by cursor; from page `hangsAt` on nobody answers, until it is undefined. */
let hangsAt: number | undefined
function serveSlowly(onHang: () => void): void {
  server.route('/slow', (request, response) => {
    const page = Number(request.query.get('cursor') ?? 1)
    if (hangsAt !== undefined && page >= hangsAt) return onHang()
    const next_cursor = page < 8 ? String(page + 1) : null
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: records.slice((page - 1) * 5, page * 5), next_cursor }))
  })
}

/** Starts `svc run`, and calls `meet` when it waits for page 5. */
function runUntilItHangs(meet: (child: { kill(signal: NodeJS.Signals): void }) => void): Promise<Result> {
  hangsAt = 5
  let child: { kill(signal: NodeJS.Signals): void } | undefined
  serveSlowly(() => child !== undefined && meet(child))
  return p.svc(['run', '--env', 'prod'], {
    onStart: started => {
      child = started
    },
  })
}

async function history() {
  const warehouse = await openWarehouse(url, { root: p.root, project: 'interrupted' })
  const session = await warehouse.open('write')
  try {
    return await session.query('SELECT status, error FROM svc.svc_state_history ORDER BY started_at')
  } finally {
    await session.close()
  }
}

describe('while a source is fetched', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the run with 130, and the next one goes on',
    async signal => {
      const stopped = await runUntilItHangs(child => child.kill(signal))
      expect(stopped.code).toBe(130)
      expect(stopped.stderr).toContain('Stopping; press Ctrl-C again to stop at once.')
      expect(stopped.stderr).toContain('was stopped; production is as before')
      expect(await history()).toEqual([
        { status: 'Failed', error: expect.stringContaining('was stopped') as string },
      ])
      expect(readdirSync(p.root).filter(name => name.endsWith('.lease'))).toEqual([])
      hangsAt = undefined
      server.forget()
      const next = await p.svc(['run', '--env', 'prod'])
      expect(next.code).toBe(0)
      expect(next.stderr).toContain('going on from page 5: 4 pages are kept')
      expect(server.requests.map(({ query }) => query.get('cursor'))).toEqual(['4', null, '5', '6', '7', '8'])
      expect(
        (await p.json(['sample', 'orders', '--env', 'prod', '--limit', '99', '--json'])).value,
      ).toMatchObject({
        rows: records,
      })
    },
  )

  test('twice ends it at once', async () => {
    const stopped = await runUntilItHangs(child => {
      child.kill('SIGTERM')
      setImmediate(() => child.kill('SIGINT'))
    })
    expect(stopped.code).toBe(130)
  })

  test('a second command says who is at work, and ends with 3', async () => {
    let second: Promise<Result> | undefined
    const first = runUntilItHangs(child => {
      second ??= p.svc(['run', '--env', 'prod']).finally(() => child.kill('SIGKILL'))
    })
    await first
    const { code, stderr } = (await second) as Result
    expect(code).toBe(3)
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /prod is being changed by svc run \(run \w+ of \S+ on \S+, process \d+, since \S+\)/,
    )
    expect(stderr).toContain('Wait until it is done, or end it')
  })
})

describe('after kill -9', () => {
  test('status and plan say it in a line, and a run goes on from it', async () => {
    await runUntilItHangs(child => child.kill('SIGKILL'))
    const sentence = /The last run \(\w+\) was killed at "fetch", just now; prod was not\s+touched\./
    expect((await p.svc(['status', '--env', 'prod'])).stderr).toMatch(sentence)
    expect((await p.svc(['plan', '--env', 'prod'])).stderr).toMatch(sentence)
    hangsAt = undefined
    server.forget()
    const next = await p.svc(['run', '--env', 'prod'])
    expect(next.code).toBe(0)
    expect(next.stderr).toMatch(sentence)
    expect(next.stderr).toMatch(/going on from page \d: \d pages? (is|are) kept/)
    expect(await history()).toEqual([
      { status: 'Failed', error: 'killed at "fetch"' },
      { status: 'deployed', error: null },
    ])
    expect((await p.svc(['status', '--env', 'prod'])).stderr).toBe('')
  })

  test('tables that are complete are taken by a retry, with their sources', async () => {
    p.write(
      'models/slow.svc',
      'name: slow\ningest: none\ntransform: SELECT sum(sqrt(x + y)) AS n FROM generate_series(1, 1000000) AS a(x), generate_series(1, 1000000) AS b(y)\n',
    )
    hangsAt = undefined
    serveSlowly(() => {})
    let seen = ''
    await p.svc(['run', '--env', 'prod', '--log-format', 'json'], {
      onStart: child =>
        child.onOutput(text => {
          seen += text
          if (/"build-finished","asset":"orders"/.test(seen)) child.kill('SIGKILL')
        }),
    })
    p.write('models/slow.svc', 'name: slow\ningest: none\ntransform: SELECT 1 AS n\n')
    server.forget()
    const next = await p.svc(['retry', '--env', 'prod'])
    expect(next.stderr.replace(/\s+/g, ' ')).toContain(
      'Going on from it: 1 of 1 source and 1 of 2 tables are complete.',
    )
    expect(server.requests).toEqual([])
    expect(next.code).toBe(0)
  })
  test('a source that is complete counts for the retry only: a run fetches it again', async () => {
    const stock = 'ingest: {type: rest_api, endpoint: ORIGIN, resource: /stock, limits: {concurrency: 1}}'
    p.write(
      'models/stock.svc',
      `name: stock\n${stock.replace('ORIGIN', server.origin)}\ntransform: SELECT id FROM {{ source }}\n`,
    )
    let child: { kill(signal: NodeJS.Signals): void } | undefined
    const dieInStock = async (...command: string[]) => {
      hangsAt = undefined
      serveSlowly(() => {})
      server.route('/stock', () => void setTimeout(() => child?.kill('SIGKILL'), 500))
      await p.svc([...command, '--env', 'prod'], {
        onStart: started => {
          child = started
        },
      })
      server.forget()
    }
    const asked = () => server.requests.filter(({ path }) => path === '/slow').length
    const heal = () => server.route('/stock', (_request, response) => sendJson(response, [{ id: 1 }]))

    await dieInStock('run')
    await dieInStock('retry')
    heal()
    expect((await p.svc(['retry', '--env', 'prod'])).code).toBe(0)
    expect(asked()).toBe(0)

    const said = async (command: string) =>
      (await p.svc([command, '--env', 'prod'])).stderr.replace(/\s+/g, ' ')
    await dieInStock('run')
    expect(await said('status')).toContain(
      'svc retry --env prod goes on from it: 1 of 2 sources is complete. svc run --env prod fetches every source again.',
    )
    // A run of one source takes nothing of the run of two, and none of it counts any more.
    await dieInStock('run', 'stock')
    expect(await said('status')).toMatch(/was killed at "fetch".* svc run --env prod starts over\. $/)
    await dieInStock('run')
    heal()
    const again = await p.svc(['run', '--env', 'prod'])
    expect(again.code).toBe(0)
    expect(again.stderr).toContain('Starting over: every source is fetched.')
    expect(asked()).toBe(8)
  })
})
