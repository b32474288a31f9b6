/** Notifiers of the web against a real server: what is told, what is not told again, and what a server may do. */
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RestServer, startRestServer } from '../../support/rest-server.ts'
import { freshAsset, type Ground, notifyGround, orders } from './ground.ts'

interface Told {
  readonly id: string
  readonly environment: string
  readonly run: string | null
  readonly headline: string
  readonly items: readonly { readonly event: string; readonly asset: string | null; readonly text: string }[]
}

let server: RestServer

beforeEach(async () => {
  server = await startRestServer()
  server.route('/hook', (_, response) => void response.end('ok'))
})
afterEach(() => server.close())

function made(keys: string, more: Readonly<Record<string, string>> = {}): Ground {
  return notifyGround(`{team: {type: webhook, endpoint: "${server.origin}/hook", ${keys}}}`, more)
}

const told = () => server.requests.map(({ body }) => JSON.parse(body) as Told)
const events = () => told().map(({ items }) => items.map(({ event, asset }) => `${event} ${asset}`))

describe('a notifier', () => {
  it('is told of a failure once, and of its end, without the values of persons', async () => {
    const { run } = made('limits: {retries: 0}')
    expect((await run(true)).code).toBe(0)
    expect(told()).toEqual([])
    expect((await run(false)).code).toBe(1)
    expect((await run(false)).code).toBe(1)
    expect((await run(true)).code).toBe(0)
    expect((await run(true)).code).toBe(0)
    expect(events()).toEqual([['failed orders'], ['recovered orders']])
    expect(told()[0]).toMatchObject({ environment: 'prod', headline: 'shop prod: 1 failed' })
    expect(server.requests.map(({ body }) => body).join()).not.toContain('ada@')
  })

  it('is told of what a replay of rejected records found, which is a run', async () => {
    const { svc, write } = made('repeat: 1ms')
    write('models/orders.svc', orders(false))
    const replay = await svc(['rejects', 'orders', '--replay', '--env', 'prod'])
    expect(replay.code).toBe(1)
    expect(events()).toEqual([['failed orders']])
  })

  it('is told again after "repeat", and of a problem that came back', async () => {
    const { run } = made('repeat: 1ms')
    await run(false)
    await run(false)
    await run(true)
    await run(false)
    expect(events()).toEqual([['failed orders'], ['failed orders'], ['recovered orders'], ['failed orders']])
  })

  it('is told what it asks for: events, environments, assets', async () => {
    const { run, write } = made('on: recovered')
    await run(false)
    const config = (keys: string) =>
      write(
        'svc.yaml',
        `name: shop\nnotify: {team: {type: webhook, endpoint: "${server.origin}/hook", ${keys}}}\n`,
      )
    config('environments: [dev]')
    await run(false)
    config('select: tag:nobody')
    const { stderr } = await run(false)
    expect(told()).toEqual([])
    expect(stderr).toContain('"select" names no asset')
    config('select: "tag:finance"')
    await run(false)
    expect(events()).toEqual([['failed orders']])
  })

  it('is told of no more than its limit, and of the rest later', async () => {
    const { run, root } = made('repeat: 1ms, limits: {per_hour: 1}')
    await run(false)
    expect((await run(false)).stderr).toContain('told 1 times in this hour')
    expect(told()).toHaveLength(1)
    const path = join(root, '.svc/prod/notify.json')
    const old = readFileSync(path, 'utf8').replace(/("sent": \[\s*")[^"]*/, '$12020-01-01T00:00:00.000Z')
    writeFileSync(path, old)
    await run(false)
    expect(told()).toHaveLength(2)
  })

  it('is told once more, under the same id, when the process died before it was noted', async () => {
    const { run, root } = made('')
    const path = join(root, '.svc/prod/notify.json')
    await run(false)
    const noted = JSON.parse(readFileSync(path, 'utf8'))
    const [entry] = Object.values(noted.team.open) as { told: string | null; claimed: string | null }[]
    if (entry === undefined) throw new Error('nothing was noted')
    const died = (at: string) => {
      entry.told = null
      entry.claimed = at
      writeFileSync(path, JSON.stringify(noted))
    }
    died(new Date().toISOString())
    await run(false)
    // For so long the other process may be alive.
    expect(told()).toHaveLength(1)
    died('2020-01-01T00:00:00.000Z')
    await run(false)
    expect(told()).toHaveLength(2)
    expect(told()[1]?.id).toBe(told()[0]?.id)
    expect(server.requests[1]?.headers['idempotency-key']).toBe(told()[0]?.id)
  })

  it('is told of a run that was refused, of stale assets, and once they are fresh', async () => {
    const { svc, write } = made('', { 'models/visits.svc': freshAsset })
    await svc(['run', '--env', 'prod'])
    await svc(['freshness', '--env', 'prod'])
    await svc(['freshness', '--env', 'prod'])
    write('models/visits.svc', freshAsset.replace('1ms', '20d'))
    await svc(['freshness', '--env', 'prod'])
    expect(events()).toEqual([['stale visits'], ['recovered visits']])
    write('models/visits.svc', 'name: [')
    await svc(['run', '--env', 'prod'])
    expect(told()[2]?.items[0]).toMatchObject({ event: 'failed' })
  })

  it('is told what was held back while the others were promoted', async () => {
    const { run, svc, write } = made('', {
      'models/reader.svc': 'name: reader\ningest: none\ntransform: SELECT id FROM {{ ref("orders") }}\n',
    })
    const settings = `notify: {team: {type: webhook, endpoint: "${server.origin}/hook"}}`
    write('svc.yaml', `name: shop\nenvironments: {prod: {promotion: passed}}\n${settings}\n`)
    write('models/other.svc', 'name: other\ningest: none\ntransform: SELECT 1 AS id\n')
    await svc(['run', '--env', 'prod'])
    write('models/other.svc', 'name: other\ningest: none\ntransform: SELECT 2 AS id\n')
    await run(false)
    expect(events()).toEqual([['failed orders', 'held_back reader']])
    await run(true)
    expect(events()[1]).toEqual(['recovered orders', 'recovered reader'])
  })

  it('is told of a run that died, with its end where the next run has put it right', async () => {
    const rest = `name: slow
ingest: {type: rest_api, endpoint: "${server.origin}", resource: /slow, paginate: none}
transform: SELECT id FROM {{ source }}
`
    const { svc } = made('', { 'models/slow.svc': rest })
    let onAsked: (() => void) | undefined
    server.route('/slow', (_, response) => {
      if (onAsked === undefined) response.end('[{"id": 1}]')
      else onAsked()
    })
    const killed = await svc(['run', '--env', 'prod'], {
      onStart: child => {
        onAsked = () => child.kill('SIGKILL')
      },
    })
    expect(killed.code).toBe(null)
    onAsked = undefined
    for (let run = 0; run < 2; run++) expect((await svc(['run', '--env', 'prod'])).code).toBe(0)
    const messages = server.requests.filter(({ path }) => path === '/hook')
    expect(messages).toHaveLength(1)
    const { items } = JSON.parse(messages[0]?.body ?? '') as Told & { items: { since: string }[] }
    expect(items.map(({ event }) => event)).toEqual(['failed', 'recovered'])
    expect(items[0]?.text).toContain('was killed; production is as before')
    expect(items[1]?.text).toContain(items[0]?.since)
  })

  it('is told that an asset is as deployed again, also by a run that failed for another one', async () => {
    const other = (sql: string) => `name: other\ningest: none\ntransform: SELECT ${sql} AS id\n`
    const { run, write } = made('', { 'models/other.svc': other('1') })
    await run(true)
    await run(false)
    write('models/other.svc', other("error('no')"))
    expect((await run(true)).code).toBe(1)
    expect(events()).toEqual([['failed orders'], ['failed other', 'recovered orders']])
  })

  it('is told what drifted', async () => {
    const file = `name: files
ingest: {type: file, endpoint: ./data, resource: files.csv}
transform: SELECT * FROM {{ source }}
`
    const { svc, write } = made('', {
      'models/files.svc': file,
      'data/files.csv': 'a\n1\n',
    })
    for (const environment of ['test', 'prod']) await svc(['run', '--env', environment])
    write('data/files.csv', 'a,b\n1,2\n')
    // That another environment has seen it before is no reason not to tell it here.
    for (const environment of ['test', 'prod']) await svc(['run', '--env', environment])
    expect(told().map(({ environment }) => environment)).toEqual(['test', 'prod'])
    expect(told()[1]?.items).toMatchObject([{ event: 'drifted', asset: 'files' }])
    expect(told()[1]?.items[0]?.text).toContain('b is new')
    await svc(['run', '--env', 'prod'])
    expect(told()).toHaveLength(2)
  })
})

describe('a server that is not well', () => {
  it('is tried again as often as it may, and the run ends as it would', async () => {
    const statuses = [500, 429]
    server.refuse(() => statuses.shift())
    expect((await made('limits: {retries: 2}').run(false)).code).toBe(1)
    expect(server.requests).toHaveLength(3)
  })

  it('is said, without its address, and told by the next run', async () => {
    let isDown = true
    server.refuse(() => (isDown ? 503 : undefined))
    const { run } = made('limits: {retries: 1}')
    const { code, stderr } = await run(false)
    expect(code).toBe(1)
    expect(stderr.replace(/\s+/g, ' ')).toContain('Notifier team was not told: status 503 (2 tries).')
    expect(stderr).not.toContain('/hook')
    isDown = false
    await run(false)
    expect(events().at(-1)).toEqual(['failed orders'])
  })

  it('is not asked twice where that cannot help', async () => {
    server.refuse(() => 404)
    expect((await made('').run(false)).stderr).toContain('status 404')
    expect(server.requests).toHaveLength(1)
  })

  it('may not answer at all, or not be there', async () => {
    server.route('/hook', () => new Promise(() => {}))
    const { svc, write } = made('limits: {timeout: 100ms, retries: 0}')
    const slow = await svc(['notify', 'test'])
    expect(slow.code).toBe(3)
    expect(slow.stdout).toContain('no answer in time')
    write(
      'svc.yaml',
      'notify: {team: {type: webhook, endpoint: "http://127.0.0.1:9", limits: {retries: 0}}}\n',
    )
    expect((await svc(['notify', 'test'])).stdout).toContain('ECONNREFUSED')
  })

  it('does not lead elsewhere', async () => {
    server.route('/hook', (_, response) => {
      response.writeHead(302, { location: `${server.origin}/other` }).end()
    })
    expect((await made('').svc(['notify', 'test'])).stdout).toContain('status 302')
    expect(server.requests).toHaveLength(1)
  })
})

describe('svc notify test', () => {
  it('sends headers and a signature from variables, and shows neither', async () => {
    const { svc } = made('headers: {Authorization: env:HOOK_TOKEN}, secret: env:HOOK_SECRET')
    const env = { HOOK_TOKEN: 'Bearer sesame-sesame', HOOK_SECRET: 'a-long-secret' }
    const { code, stdout } = await svc(['notify', 'test', 'team'], { env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'OK   team (webhook)\n' })
    const [request] = server.requests
    expect(request?.headers['authorization']).toBe('Bearer sesame-sesame')
    const hmac = createHmac('sha256', env.HOOK_SECRET)
      .update(request?.body ?? '')
      .digest('hex')
    expect(request?.headers['x-svc-signature']).toBe(`sha256=${hmac}`)
    const missing = await svc(['notify', 'test'], { env: { HOOK_TOKEN: 'x' } })
    expect(missing.code).toBe(3)
    expect(missing.stdout).toContain('HOOK_SECRET is not set')
  })

  it('speaks Slack and Teams', async () => {
    const { svc, write } = made('')
    write(
      'svc.yaml',
      'notify: {s: {type: slack, endpoint: env:SLACK_HOOK}, t: {type: teams, endpoint: env:TEAMS_HOOK}}\n',
    )
    const env = { SLACK_HOOK: `${server.origin}/hook?s`, TEAMS_HOOK: `${server.origin}/hook?t` }
    const { code, stdout } = await svc(['notify', 'test', '--json'], { env })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      environment: 'dev',
      notifiers: [
        { notifier: 's', type: 'slack', problem: null },
        { notifier: 't', type: 'teams', problem: null },
      ],
    })
    const body = (key: string) =>
      JSON.parse(server.requests.find(({ query }) => query.has(key))?.body ?? 'null')
    expect(body('s').blocks.map(({ type }: { type: string }) => type)).toEqual([
      'header',
      'section',
      'context',
    ])
    expect(body('s').text).toContain('1 test')
    expect(body('t')).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4' },
        },
      ],
    })
  })

  it('says what is wrong with a name or an address', async () => {
    const { svc, write } = made('')
    const near = await svc(['notify', 'test', 'taem'])
    expect(near.code).toBe(2)
    expect(near.stderr).toContain('Did you mean "team"?')
    write('svc.yaml', 'notify: {s: {type: slack, endpoint: "https://hooks.slack.com/services/T/B/x"}}\n')
    const literal = await svc(['notify', 'test'])
    expect(literal.code).toBe(2)
    expect(literal.stderr).toContain('write env:NAME')
    write('svc.yaml', 'name: shop\n')
    expect((await svc(['notify', 'test'])).stderr).toContain('svc.yaml has no notifier')
  })
})
