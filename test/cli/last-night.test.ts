/** The morning after a run that failed: every file and command that tells of it says why, where and what to do. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { CatalogFile, HistoryFile, JsonOf } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const loads = (origin: string) => `name: loads
ingest: {type: rest_api, endpoint: ${origin}, resource: loads, limits: {retries: 0}}
contract: {required_columns: [id, hours]}
transform: SELECT id, hours FROM {{ source }}
tests:
  - unique: id
`
const sums = `name: sums\ningest: none\ntransform: SELECT sum(hours) AS hours FROM {{ ref('loads') }}\n`
const good = [
  { id: 1, hours: 2 },
  { id: 2, hours: 3 },
]
const renamed = good.map(({ id, hours }) => ({ id, time_spent: hours }))
const twice = good.map(({ hours }) => ({ id: 1, hours }))
const goodDay = new Date('2026-04-29T02:00:00Z')
const night = new Date('2026-05-01T02:00:00Z')
const morning = new Date('2026-05-01T08:00:00Z')

/** What the web service of the vendor answers. */
let answer: readonly object[] = good
const service = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
let origin = ''
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
})

let ground: Ground
beforeEach(async () => {
  answer = good
  ground = createGround({
    'svc.yaml': 'name: loads\n',
    'models/loads.svc': loads(origin),
    'models/sums.svc': sums,
  })
  expect((await run(goodDay)).code).toBe(0)
})
afterEach(() => ground.dispose())

const run = (at = night) => ground.line(['run', '--env', 'prod'], { now: () => at })
const read = (path: string): unknown => JSON.parse(readFileSync(join(ground.root, path), 'utf8'))
const inCatalog = (name: string) =>
  (read('svc_catalog.json') as CatalogFile).assets.find(asset => asset.name === name)
const history = () => read('.svc/prod/history.json') as HistoryFile
const plan = async () => (await ground.line(['plan', '--env', 'prod'], { now: () => morning })).stdout

it('a source without its column: the catalogue and the history have the reason, the hint and the place', async () => {
  answer = renamed
  expect((await run()).code).toBe(1)
  const failure = {
    message: 'the source has no column "hours"',
    hint: expect.stringContaining('time_spent'),
    place: 'models/loads.svc:2:9',
  }
  expect(inCatalog('loads')?.failure).toMatchObject(failure)
  expect(inCatalog('sums')).not.toHaveProperty('failure')
  const { message: because, hint, place } = failure
  expect(history().runs[0]?.assets).toMatchObject([
    { name: 'loads', because, hint, place },
    { name: 'sums', because: '"loads" failed' },
  ])
})

it('a failed test: both have its message and its line', async () => {
  answer = twice
  expect((await run()).code).toBe(1)
  const message = expect.stringContaining('test unique_id of loads failed')
  expect(inCatalog('loads')?.failure).toMatchObject({ message, hint: null, place: 'models/loads.svc:6:5' })
  expect(history().runs[0]?.assets.find(({ name }) => name === 'loads')).toMatchObject({ because: message })
})

it('the failure is forgotten when a run did better, also one that changed nothing', async () => {
  answer = renamed
  expect((await run()).code).toBe(1)
  expect(inCatalog('loads')).toHaveProperty('failure')
  answer = good
  expect((await run(new Date(night.getTime() + 60_000))).code).toBe(0)
  expect(inCatalog('loads')).toMatchObject({ status: 'deployed' })
  expect(inCatalog('loads')).not.toHaveProperty('failure')
  expect(await plan()).not.toContain('failed')
})

it('no file tells a secret that the hint has', async () => {
  ground.write('svc.yaml', 'name: loads\nvars: {key: env:NIGHT_KEY}\n')
  answer = [{ id: 1, s3cr3tvalue9: 2 }]
  const env = { NIGHT_KEY: 's3cr3tvalue9' }
  expect((await ground.line(['run', '--env', 'prod'], { env, now: () => night })).code).toBe(1)
  expect(inCatalog('loads')?.failure?.hint).toContain('It has: id')
  expect((await ground.line(['plan', '--env', 'prod'], { env, program: 'test' })).code).toBe(1)
  const files = readdirSync(ground.root, { recursive: true, withFileTypes: true })
  const paths = files.flatMap(file => (file.isFile() ? [join(file.parentPath, file.name)] : []))
  expect(paths.length).toBeGreaterThan(6)
  expect(paths.filter(path => readFileSync(path).includes('s3cr3tvalue9'))).toEqual([])
})

it('the plan says which asset failed, when and why', async () => {
  answer = twice
  expect((await run()).code).toBe(1)
  const said = await plan()
  expect(said.replaceAll(/\s+/g, ' ')).toContain(
    '✗ loads failed in its last run, 6 hours ago: test unique_id of loads failed',
  )
  expect(said.split('\n').every(line => line.length <= 80)).toBe(true)
  const { value } = await ground.json(['plan', '--env', 'prod', '--json'], { now: () => morning })
  const [failure, ...others] = (value as JsonOf<'plan'>).last_failures ?? []
  expect(others).toEqual([])
  expect(failure).toMatchObject({ asset: 'loads', finished_at: night.toISOString() })
  expect(failure?.run_id).toBe(history().runs[0]?.run_id)
})

it('a plan of other assets says nothing of it', async () => {
  answer = twice
  expect((await run()).code).toBe(1)
  ground.write('models/other.svc', 'name: other\ningest: none\ntransform: SELECT 1 AS one\n')
  expect((await ground.line(['plan', 'other', '--env', 'prod'])).stdout).not.toContain('failed')
})

it('a reason that the source still gives is said once', async () => {
  answer = renamed
  expect((await run()).code).toBe(1)
  const said = await plan()
  expect(said.match(/the source has no column/g)).toHaveLength(1)
  expect(said).toContain('in its last run, 6 hours ago')
})
