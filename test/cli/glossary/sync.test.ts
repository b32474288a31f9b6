/** `svc glossary pull | push` against a real store: three-way, nothing overwritten in silence. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openGlossaryStore } from '../../../cli/engine/glossary/sync/glossary-store.ts'
import { outputSchemas } from '../../../server/contract/index.ts'
import { bootstrapToken, describeEngines, useHosted } from '../../hosted/support/engines.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

let projects: ProjectHere[] = []
afterEach(() => {
  for (const each of projects) each.dispose()
  projects = []
})

const glossary = `terms:
  # who pays
  - name: Customer
    description: Somebody who buys.
    owner: a@b.co
  - name: Order
metrics:
  - name: Revenue
    sql_definition: SELECT sum(amount) FROM {{ ref('orders') }}
dimensions:
  - {name: Status, values: [open, paid]}
policies:
  - {name: No people, rule: Nobody is shown., applies_to: [orders]}
links:
  - {term: Order, asset: orders, column: id, role: primary_key}
`

function shop(text: string | undefined): ProjectHere {
  const project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 9.5 AS amount\n',
    'models/customers.svc':
      'name: customers\ningest: none\ntransform: SELECT 1 AS id\ncolumns: {id: {term: Customer}}\n',
    ...(text !== undefined && { 'glossary.yaml': text }),
  })
  projects.push(project)
  return project
}

const path = (of: ProjectHere) => join(of.root, 'glossary.yaml')
const lock = (of: ProjectHere) => join(of.root, 'glossary.lock.json')
const written = (of: ProjectHere) => readFileSync(path(of), 'utf8')
const edit = (of: ProjectHere, from: string, to: string, name = 'glossary.yaml') => {
  const file = join(of.root, name)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

interface Said {
  readonly success: boolean
  readonly done: readonly { readonly action: string; readonly id: string }[]
  readonly waiting: Said['done']
  readonly conflicts: readonly object[]
  readonly skipped: readonly object[]
}

describeEngines('svc glossary pull and push on $name', engine => {
  const hosted = useHosted(engine)
  let project = 0
  const env = () => ({
    SVC_HOSTED_URL: hosted.service.url,
    SVC_HOSTED_TOKEN: bootstrapToken,
    SVC_HOSTED_PROJECT: String(project),
  })
  const fresh = async () => {
    const made = await hosted.admin.post('/api/svc/projects', { name: 'shop' })
    project = made.body.project.id
  }
  const sync = async (of: ProjectHere, ...words: readonly string[]) => {
    const { code, value } = await of.json(['glossary', ...words, '--json'], { env: env() })
    const ajv = new Ajv2020({ strict: false })
    const schema = outputSchemas[`glossary-${words[0]}`] ?? false
    expect(ajv.validate(schema, value), JSON.stringify(value) + ajv.errorsText()).toBe(true)
    const said = value as Said
    const told = (list: Said['done']) => list.map(each => `${each.action} ${each.id}`)
    return { code, ...said, done: told(said.done), waiting: told(said.waiting) }
  }
  const stored = async () => (await hosted.admin.get(`/api/svc/glossary/projects/${project}/export`)).body
  const recordOf = async (plural: string, identifier: string) =>
    (await stored())[plural].find((each: { identifier: string }) => each.identifier === identifier)
  const there = async (plural: string, identifier: string, change: object) => {
    const { id } = await recordOf(plural, identifier)
    expect((await hosted.admin.patch(`/api/svc/glossary/${plural}/${id}`, change)).status).toBe(200)
  }
  const text = (of: ProjectHere, ...words: readonly string[]) =>
    of.svc(['glossary', ...words], { env: env() })

  it('sends everything once, and a second clone gets it as it was', async () => {
    await fresh()
    const one = shop(glossary)
    expect((await one.svc(['upload'], { env: env() })).code).toBe(0)
    // The upload brought the glossary too.
    expect(await sync(one, 'push')).toMatchObject({ code: 0, done: [], waiting: [] })
    expect(written(one)).toBe(glossary)
    expect(existsSync(lock(one))).toBe(true)
    const two = shop(undefined)
    const pulled = await sync(two, 'pull')
    expect([pulled.code, pulled.done]).toEqual([
      0,
      [
        'add term.customer',
        'add term.order',
        'add metric.revenue',
        'add dim.status',
        'add policy.no_people',
        'add term.order orders.id',
      ],
    ])
    const plain = (of: ProjectHere) => parse(written(of)) as { metrics: object[]; links: object[] }
    expect(plain(two).links).toEqual([
      { term: 'term.order', asset: 'orders', column: 'id', role: 'primary_key' },
    ])
    expect((await two.svc(['validate'])).code).toBe(0)
    expect(await sync(two, 'push')).toMatchObject({ code: 0, done: [], waiting: [] })
    expect(await sync(one, 'pull')).toMatchObject({ code: 0, done: [], waiting: [] })
    expect(written(one)).toBe(glossary)
  })

  it('leaves nothing for an upload to say, which names what was edited in the store', async () => {
    await fresh()
    const of = shop(glossary)
    const upload = async () => (await of.svc(['upload'], { env: env() })).stdout.replace(/\s+/g, ' ')
    await of.svc(['upload'], { env: env() })
    await sync(of, 'push')
    await there('metrics', 'metric.revenue', { time_grain: 'month' })
    await there('terms', 'term.customer', { tags: ['core'] })
    edit(of, 'Somebody who buys.', 'Somebody who pays.')
    const kept = await upload()
    expect(kept).toContain('warning term.customer: It was edited in the hosted glossary')
    expect(kept).toContain('warning metric.revenue: It was edited in the hosted glossary')
    await sync(of, 'push')
    await sync(of, 'pull')
    edit(of, '9.5 AS amount', '9.75 AS amount', 'models/orders.svc')
    expect(await upload()).not.toContain('warning')
  })

  it('brings changes of both sides together, key by key, also deletions', async () => {
    await fresh()
    const of = shop(glossary)
    await of.svc(['upload'], { env: env() })
    await sync(of, 'push')
    await there('terms', 'term.customer', { owner: 'c@d.co', tags: ['core'] })
    const { id } = await recordOf('dimensions', 'dim.status')
    await hosted.admin.delete(`/api/svc/glossary/dimensions/${id}`)
    await hosted.admin.post('/api/svc/glossary/terms', { project, name: 'Churn' })
    edit(of, 'Somebody who buys.', 'Somebody who pays.')
    edit(of, 'policies:\n  - {name: No people, rule: Nobody is shown., applies_to: [orders]}\n', '')
    const dry = await text(of, 'pull', '--dry-run')
    expect(
      dry.stdout,
    ).toBe(`Would pull from project ${project} at ${hosted.service.url.slice(7)}: 1 added, 1 changed, 1 removed
  changed term Customer (term.customer)
    owner: a@b.co -> c@d.co
  removed dimension Status (dim.status)
  added term Churn (term.churn)

2 changed here: svc glossary push
`)
    expect((await sync(of, 'push')).done).toEqual(['change term.customer', 'remove policy.no_people'])
    expect(await recordOf('terms', 'term.customer')).toMatchObject({
      description: 'Somebody who pays.',
      owner: 'c@d.co',
      tags: ['core'],
    })
    const pulled = await sync(of, 'pull')
    expect([pulled.code, pulled.done, pulled.waiting]).toEqual([
      0,
      ['change term.customer', 'remove dim.status', 'add term.churn'],
      [],
    ])
    expect(written(of)).toContain(
      '  # who pays\n  - name: Customer\n    description: Somebody who pays.\n    owner: "c@d.co"\n',
    )
    expect(written(of)).not.toContain('Status')
    for (const direction of ['pull', 'push'])
      expect(await sync(of, direction)).toMatchObject({ code: 0, done: [], waiting: [] })
  })

  it('shows conflicts with both values, changes nothing, and takes the side that it is told', async () => {
    await fresh()
    const of = shop(glossary)
    await of.svc(['upload'], { env: env() })
    await sync(of, 'pull')
    await there('terms', 'term.customer', { description: 'Theirs.' })
    await there('metrics', 'metric.revenue', { time_grain: 'month' })
    edit(of, 'Somebody who buys.', 'Ours.')
    edit(
      of,
      "metrics:\n  - name: Revenue\n    sql_definition: SELECT sum(amount) FROM {{ ref('orders') }}\n",
      '',
    )
    const before = [written(of), await stored()]
    for (const direction of ['pull', 'push']) {
      const said = await text(of, direction)
      expect(said.code).toBe(1)
      expect(said.stdout).toContain(`Both sides changed the same; nothing was written:
  conflict term term.customer, description
    before:        Somebody who buys.
    glossary.yaml: Ours.
    the store:     Theirs.
  conflict metric metric.revenue, (entry)
`)
    }
    expect([written(of), await stored()]).toEqual(before)
    const wrong = await text(of, 'pull', '--take', 'term.custmer=ours')
    expect([wrong.code, wrong.stderr.replace(/\s+/g, ' ').includes('did you mean "term.customer"?')]).toEqual(
      [2, true],
    )
    const pulled = await sync(of, 'pull', '--take', 'theirs', '--take', 'term.customer=ours')
    expect([pulled.code, pulled.done, pulled.waiting]).toEqual([
      0,
      ['add metric.revenue'],
      ['change term.customer'],
    ])
    expect((await sync(of, 'push')).done).toEqual(['change term.customer'])
    expect((await recordOf('terms', 'term.customer')).description).toBe('Ours.')
  })

  it('never deletes what it does not know the past of: without its lock differences are conflicts', async () => {
    await fresh()
    const of = shop(glossary)
    await of.svc(['upload'], { env: env() })
    await sync(of, 'pull')
    rmSync(lock(of))
    await hosted.admin.post('/api/svc/glossary/terms', { project, name: 'Churn' })
    edit(of, 'Somebody who buys.', 'Ours.')
    expect(await sync(of, 'push')).toMatchObject({
      code: 1,
      done: [],
      conflicts: [{ id: 'term.customer', key: 'description', base: null }],
    })
    const pushed = await sync(of, 'push', '--take', 'ours')
    expect([pushed.done, pushed.waiting]).toEqual([['change term.customer'], ['add term.churn']])
    writeFileSync(lock(of), '<<<<<<< HEAD\n')
    const broken = await text(of, 'pull')
    expect([broken.code, broken.stderr.includes('conflict markers')]).toEqual([1, true])
  })

  it('says of each entry that the store does not take why, and does all others', async () => {
    await fresh()
    const of = shop(`terms: [{name: A}]
metrics: [{name: Empty}]
links: [{term: A, asset: orders}]
`)
    const said = await sync(of, 'push')
    expect([said.code, said.done, said.skipped]).toMatchObject([
      1,
      ['add term.a'],
      [
        { id: 'metric.empty', reason: expect.stringContaining('sql_definition') },
        { id: 'term.a orders', reason: 'the store has no asset "orders": svc upload sends it' },
      ],
    ])
    expect((await sync(of, 'push')).done).toEqual([])
  })

  it('notices what is changed between reading and writing', async () => {
    await fresh()
    const target = { url: hosted.service.url, token: bootstrapToken, project }
    const store = openGlossaryStore(target, { env: {}, signal: new AbortController().signal })
    const made = await store.create('term', 'term.a', { id: 'term.a', name: 'A' })
    await there('terms', 'term.a', { description: 'meanwhile' })
    const place = { kind: 'term' as const, id: 'term.a', record: made.id, version: made.version }
    const refusal = { code: 'glossary-conflict', message: 'somebody changed term.a in the store meanwhile' }
    await expect(store.change(place, { name: 'B' })).rejects.toMatchObject(refusal)
    await expect(store.remove(place)).rejects.toMatchObject(refusal)
    await expect(store.create('term', 'term.a', { id: 'term.a', name: 'A' })).rejects.toMatchObject(refusal)
    expect((await recordOf('terms', 'term.a')).name).toBe('A')
    await store.close()
  })
})

describe('without a store', () => {
  it('says what is missing', async () => {
    const of = shop(glossary)
    const said = await of.svc(['glossary', 'pull'])
    expect([said.code, said.stderr.includes('SVC_HOSTED_URL')]).toEqual([2, true])
    const gone = await of.svc(['glossary', 'push', '--url', 'http://127.0.0.1:9', '--take', 'mine'], {
      env: { SVC_HOSTED_TOKEN: 'x' },
    })
    expect(gone.code).toBe(3)
  })
})
