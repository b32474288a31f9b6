/** Guards at the doors that no other test has: test/contract/doors.ts says which test holds which cell. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { assetWith, customer, customers, publishGround } from './publish/ground.ts'
import { startService } from './publish/service.ts'

const person = /zelda/i
const strict =
  'policies: [{name: Nobody, rule: x, pii_columns: [people.who], applies_to: ["*"], enforcement: strict}]\n'

/** `note` is a number in one of three records. */
const people = (contract: string, note = 'integer') => `name: people
ingest: {type: file, endpoint: ./data, resource: people.csv}
contract: {enforce_types: true, ${contract}, columns: {who: varchar, note: ${note}}}
transform: SELECT id, who, note FROM {{ source }}
`
const bad = "name: bad\ningest: none\ntransform: SELECT CAST('x' AS INTEGER) AS n\n"

let ground: Ground
let server: Server
let heard: string[] = []
beforeEach(async () => {
  heard = []
  server = createServer((request, response) => {
    let body = request.url ?? ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      heard.push(body)
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"success":true}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'data/people.csv': 'id,who,note\n1,zelda@example.com,1\n2,zelda@example.com,x\n3,zelda@example.com,y\n',
    'models/people.svc': people('max_rejects: 90%'),
  })
})
afterEach(async () => {
  ground.dispose()
  await new Promise(resolve => server.close(resolve))
})

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function ends(code: number, ...words: string[]): Promise<string> {
  const said = await ground.line(words)
  expect(said.code, said.stdout + said.stderr).toBe(code)
  return said.stdout + said.stderr
}

async function isNotDeployed(): Promise<void> {
  expect((await ground.line(['sample', 'people'])).code).toBe(1)
}

describe('svc retry', () => {
  beforeEach(() => ground.write('models/bad.svc', bad))

  it('is stopped by a strict policy that was added after the run', async () => {
    await ends(1, 'run')
    ground.remove('models/bad.svc')
    ground.write('glossary.yaml', strict)
    expect(await ends(1, 'retry')).toContain('Nobody')
    await isNotDeployed()
  })

  it('takes no run of another environment', async () => {
    await ends(1, 'run', '--env', 'prod')
    ground.remove('models/bad.svc')
    expect(await ends(0, 'retry')).toContain('Nothing to retry')
    await isNotDeployed()
  })

  it('keeps to a budget of rejects that was made smaller after the run', async () => {
    await ends(1, 'run')
    ground.remove('models/bad.svc')
    ground.write('models/people.svc', people('max_rejects: 1'))
    expect(await ends(1, 'retry')).toContain('2 records')
    await isNotDeployed()
  })
})

describe('svc rejects --replay', () => {
  it('is stopped by a strict policy that was added after the run', async () => {
    await ends(0, 'run')
    ground.write('models/people.svc', people('max_rejects: 90%', 'varchar'))
    ground.write('glossary.yaml', strict)
    const said = await ends(1, 'rejects', 'people', '--replay')
    expect(said).toContain('Nobody')
    expect(said).not.toMatch(person)
  })

  it('keeps to a budget of rejects that was made smaller after the run', async () => {
    await ends(0, 'run')
    ground.write('models/people.svc', people('max_rejects: 1'))
    expect(await ends(1, 'rejects', 'people', '--replay')).toContain('2 records')
  })

  it('brings nothing back in another environment', async () => {
    await ends(0, 'run')
    const before = await ends(0, 'sample', 'people', '--json')
    ground.write('models/people.svc', people('max_rejects: 90%', 'varchar'))
    await ends(0, 'rejects', 'people', '--replay', '--env', 'prod')
    expect(await ends(0, 'sample', 'people', '--json')).toBe(before)
  })
})

describe('a strict policy', () => {
  beforeEach(() => ground.write('glossary.yaml', strict))

  it('that refuses a run is told to notifiers, without what it protects', async () => {
    ground.write(
      'svc.yaml',
      `name: shop\nnotify: {team: {type: webhook, endpoint: "${address()}", environments: [dev]}}\n`,
    )
    await ends(1, 'run')
    expect(heard).toHaveLength(1)
    expect(heard[0]).toContain('failed')
    expect(heard[0]).not.toMatch(person)
  })

  it('that is broken lets no pack leave', async () => {
    const env = { SVC_HOSTED_URL: address(), SVC_HOSTED_TOKEN: `svc_test_${'0123456789abcdef'.repeat(2)}` }
    const said = await ground.line(['upload'], { env })
    expect(said.code, said.stderr).toBe(1)
    expect(heard).toEqual([])
  })
})

describe('rows in doubt', () => {
  it('go nowhere where they are more than max_change allows by now', async () => {
    const service = await startService()
    const target = (most: string) =>
      `{type: http, endpoint: "${service.address}/api", resource: people, key: id, batch: 10, max_change: ${most}, limits: {retries: 0}}`
    const publishing = publishGround(target('100%'))
    try {
      await publishing.production(customers(10))
      await publishing.publish()
      await publishing.production(Array.from({ length: 10 }, (_, nth) => customer(nth + 1, 'changed')))
      service.behave(() => ({ status: 500, body: 'it fell' }))
      expect((await publishing.publish()).code).toBe(3)
      service.behave(() => undefined)
      const before = service.requests.length
      publishing.write('models/customers.svc', assetWith(target('10%')))
      expect(await publishing.publish()).toMatchObject({ code: 1, value: { error: { code: 'mass-change' } } })
      expect(service.requests.slice(before)).toEqual([])
    } finally {
      publishing.dispose()
      await service.close()
    }
  })
})
