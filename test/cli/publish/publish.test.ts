/** What holds for every destination: the look before, the guard, policies, the history, and what is said of mistakes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outputSchemas } from '@svc/server/contract'
import Ajv2020 from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { renewalWord } from '../../../cli/dashboard/file-renewal.ts'
import { assetWith, customer, customers, type Ground, publishGround } from './ground.ts'

let ground: Ground
afterEach(() => ground.dispose())

const table = '{type: duckdb, endpoint: "duckdb:./other.duckdb", resource: people, key: id}'

describe('a look before', () => {
  it('shows counts and samples with personal values masked, and changes nothing', async () => {
    ground = publishGround(table)
    ground.write(
      'models/customers.svc',
      assetWith(table).replace('email: varchar', 'email: {type: varchar, pii: true}'),
    )
    await ground.production(customers(3))
    const { value } = await ground.publish(['--dry-run'])
    expect(value).toMatchObject({ planned: { inserts: 3 }, masked: ['email'] })
    expect(value.samples[0]?.row).toEqual({ ...customer(1), email: '***' })
    expect(existsSync(join(ground.root, 'other.duckdb'))).toBe(false)
    const { stdout } = await ground.svc(['publish', 'customers', '--to', 'there', '--dry-run'])
    expect(stdout).toContain('3  insert')
    expect(stdout).not.toContain('@example.com')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 3 })
  })

  it('is valid by its schema, and so is a publish', async () => {
    ground = publishGround(table)
    await ground.production([...customers(2), { ...customer(3), id: '' }])
    const isValid = new Ajv2020({ strict: false }).compile(outputSchemas.publish as object)
    for (const words of [['--dry-run'], []]) {
      const { value } = await ground.publish(words)
      expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true)
    }
    const untaken = await ground.json(['rejects', 'customers', '--to', 'there', '--json'])
    const isRejects = new Ajv2020({ strict: false }).compile(outputSchemas.rejects as object)
    expect(isRejects(untaken.value), JSON.stringify(isRejects.errors)).toBe(true)
    expect(untaken.value).toMatchObject({ total: 1, rejects: [{ reason: 'its key is NULL' }] })
  })
})

it('svc rejects --to says that there is no such destination, not that everything was taken', async () => {
  ground = publishGround(table)
  await ground.production(customers(2))
  expect(await ground.svc(['rejects', 'customers', '--to', 'there'])).toMatchObject({ code: 0 })
  const { code, stderr } = await ground.svc(['rejects', 'customers', '--to', 'tere'])
  expect(code).toBe(2)
  expect(stderr).toContain('no destination is called "tere"')
  expect(stderr).toContain('Did you mean "there"?')
})

describe('the guard', () => {
  it('stops a publish that would change most of what is there, unless it is told to', async () => {
    ground = publishGround(`${table.slice(0, -1)}, mode: mirror, max_change: 20%}`)
    await ground.production(customers(10))
    await ground.publish()
    await ground.production(customers(7))
    expect(await ground.failure('customers', '--to', 'there')).toMatchObject({
      code: 'mass-change',
      message: '0 rows would be updated and 3 deleted of 10 that there has (30%): more than max_change: 20%',
    })
    expect((await ground.publish(['--dry-run'])).value.warnings).toHaveLength(1)
    expect(await ground.publish(['--allow-mass-change'])).toMatchObject({
      code: 0,
      value: { done: { deletes: 3 } },
    })
    await ground.production([...customers(6), customer(7, 'other')])
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { updates: 1 } } })
  })

  it('lets small tables change as they like when nothing is said, and no large ones', async () => {
    ground = publishGround(table)
    await ground.production(customers(300))
    await ground.publish()
    const changed = (count: number) =>
      customers(300).map(row => (Number(row.id) <= count ? { ...row, name: 'x' } : row))
    await ground.production(changed(160))
    expect(await ground.failure('customers', '--to', 'there')).toMatchObject({ code: 'mass-change' })
    await ground.production(changed(140))
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { updates: 140 } } })
  })
})

describe('a key of the target that cannot be read', () => {
  it.each([
    [', fields: [id]', '"publish.there.fields" must be a mapping, not a list'],
    [', feilds: {id: id}', 'unknown key "feilds" in "publish.there"'],
  ])('is refused, because it may be there to keep a column in: %s', async (keys, message) => {
    ground = publishGround(table)
    await ground.production(customers(2))
    ground.write('models/customers.svc', assetWith(`${table.slice(0, -1)}${keys}}`))
    for (const words of [[], ['--dry-run']])
      expect(await ground.failure('customers', '--to', 'there', ...words)).toMatchObject({
        code: 'invalid-project',
        message,
      })
    expect(existsSync(join(ground.root, 'other.duckdb'))).toBe(false)
    // What is wrong elsewhere in the file was not built, and what is sent was.
    ground.write('models/customers.svc', `${assetWith(table)}nothing: here\n`)
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 2 } } })
  })
})

describe('a strict policy', () => {
  const policy = (enforcement: string, to = 'publish.*') =>
    `policies:\n  - {name: Nobody leaves, rule: x, applies_to: ["${to}"], enforcement: ${enforcement}}\n`
  const marked = (fields = '') =>
    assetWith(`${table.slice(0, -1)}${fields}}`).replace(
      'email: varchar',
      'email: {type: varchar, pii: true}',
    )

  it('stops personal data at the door, and lets the rest through', async () => {
    ground = publishGround(table)
    ground.write('models/customers.svc', marked())
    await ground.production(customers(2))
    ground.write('glossary.yaml', policy('strict'))
    const stopped = await ground.failure('customers', '--to', 'there')
    expect(stopped).toMatchObject({ code: 'policy-breach' })
    expect(stopped.message).toContain('"email"')
    expect(existsSync(join(ground.root, 'other.duckdb'))).toBe(false)
    expect(await ground.svc(['validate'])).toMatchObject({ code: 1 })
    expect((await ground.svc(['validate'])).stdout).toContain('publish-personal')
    ground.write('models/customers.svc', marked(', fields: {who: name}'))
    expect((await ground.svc(['validate'])).code).toBe(0)
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 2 }, masked: [] } })
  })

  it('of another target, or one that warns, does not', async () => {
    ground = publishGround(table)
    ground.write('models/customers.svc', marked())
    ground.write('glossary.yaml', policy('strict', 'publish.elsewhere'))
    await ground.production(customers(1))
    expect((await ground.publish()).code).toBe(0)
    ground.write('glossary.yaml', policy('warn'))
    await ground.production(customers(2))
    const warned = await ground.publish()
    expect(warned).toMatchObject({ code: 0, value: { done: { inserts: 1 } } })
    expect(warned.value.warnings[0]).toMatchObject({
      code: 'policy-breach',
      message: expect.stringContaining('Nobody leaves'),
    })
  })
})

describe('production alone', () => {
  it('is published: not what was previewed, and nothing before the first run', async () => {
    ground = publishGround(table)
    expect(await ground.failure('customers', '--to', 'there')).toMatchObject({ code: 'not-deployed' })
    await ground.production(customers(2))
    ground.write('data/customers.csv', 'id,email,name,amount\n9,x@example.com,green,1\n')
    expect((await ground.svc(['preview', '--all'])).code).toBe(0)
    const { value } = await ground.publish()
    expect(value.done).toMatchObject({ inserts: 2 })
  })

  it('is published with a word of what speaks against it: a run that did not renew it, a test that failed', async () => {
    const tested = (severity: string) => `tests:\n  - range: {amount: {max: 5}}\n    severity: ${severity}\n`
    ground = publishGround(table)
    await ground.production(customers(2))
    expect((await ground.publish(['--dry-run'])).value.warnings).toEqual([])
    ground.write('models/customers.svc', assetWith(table, tested('warn')))
    await ground.production(customers(4))
    expect((await ground.publish(['--dry-run'])).value.warnings).toEqual([
      expect.objectContaining({
        code: 'failed-test',
        asset: 'customers',
        message: expect.stringMatching(/^test ".*" failed on what is published: /),
      }),
    ])
    ground.write('models/customers.svc', assetWith(table, tested('error')))
    ground.write('data/customers.csv', 'id,email,name,amount\n1,a@example.com,a,99\n')
    expect((await ground.svc(['run', '--all'])).code).toBe(1)
    const { code, value } = await ground.publish()
    expect(value.warnings).toContainEqual(
      expect.objectContaining({
        code: 'stale-build',
        message: expect.stringMatching(
          /^"customers" is published as it was before run \S+ \(.* UTC\), which did not renew it: /,
        ),
      }),
    )
    expect({ code, done: value.done }).toMatchObject({ code: 0, done: { inserts: 4 } })
  })

  it('has warnings that last, and with --strict new ones stop it before anything is sent', async () => {
    ground = publishGround(table)
    const tested = 'tests:\n  - range: {amount: {max: 0}}\n    severity: warn\n'
    ground.write('models/customers.svc', assetWith(table, tested))
    await ground.production(customers(2))
    expect(await ground.failure('customers', '--to', 'there', '--strict')).toMatchObject({
      code: 'new-warnings',
      message: expect.stringContaining('new warning under --strict: test "'),
    })
    // It came to no counts, and what it said lasts all the same.
    expect((await ground.svc(['status'])).stdout).toContain('customers, as published to there')
    const told = await ground.svc(['publish', 'customers', '--to', 'there'])
    expect(told.code).toBe(0)
    expect(told.stderr.replace(/\s+/g, ' ')).toContain('failed on what is published')
    expect(told.stdout).toContain('Published with 1 warning: customers to there: 2 inserted')
    const history = JSON.parse(ground.textOf('.svc/dev/history.json'))
    const [publish] = history.runs.filter((run: { kind: string }) => run.kind === 'publish')
    expect(publish.warnings).toMatchObject([{ code: 'failed-test', asset: 'customers' }])
    expect((await ground.svc(['status'])).stdout.replace(/\s+/g, ' ')).toMatch(
      /! customers, as published to there: test "[^"]+" failed on what is published/,
    )
    const catalog = JSON.parse(ground.textOf('svc_catalog.json'))
    expect(catalog.publishes[0].last.warnings).toMatchObject([{ code: 'failed-test' }])
    // What the last publish told is known from then on.
    expect((await ground.publish(['--strict'])).code).toBe(0)
  })

  it.each([
    ['as svc.yaml says', ', environments: [prod]'],
    ['of prod alone where nothing says it', ''],
  ])('of environments that the destination takes, %s', async (_, environments) => {
    ground = publishGround('{resource: people, key: id}')
    ground.write('models/customers.svc', assetWith('{resource: people, key: id}', '', ''))
    ground.write(
      'svc.yaml',
      `name: shop\ndestinations:\n  there: {type: duckdb, endpoint: "duckdb:./other.duckdb"${environments}}\n`,
    )
    await ground.production(customers(1))
    expect(await ground.failure('customers', '--to', 'there')).toMatchObject({
      code: 'wrong-usage',
      message: 'there takes nothing from dev',
    })
    expect((await ground.svc(['run', '--all', '--env', 'prod'])).code).toBe(0)
    expect(await ground.publish(['--env', 'prod'])).toMatchObject({
      code: 0,
      value: { done: { inserts: 1 } },
    })
  })
})

describe('what was acknowledged', () => {
  it('counts at its place alone: another file or table gets everything', async () => {
    ground = publishGround(table)
    await ground.production(customers(2))
    await ground.publish()
    ground.write('models/customers.svc', assetWith(table.replace('resource: people', 'resource: others')))
    expect((await ground.publish()).value).toMatchObject({ known: 0, done: { inserts: 2 } })
    expect((await ground.publish()).value).toMatchObject({ known: 2, done: { unchanged: 2 } })
  })

  it('does not count with --full-refresh, which sends every row again', async () => {
    ground = publishGround(table)
    await ground.production(customers(3))
    await ground.publish()
    expect((await ground.publish(['--full-refresh'])).value.done).toMatchObject({ inserts: 3 })
    expect((await ground.publish()).value).toMatchObject({ known: 3, done: { unchanged: 3 } })
  })

  it('survives without the folder .svc', async () => {
    ground = publishGround(table)
    await ground.production(customers(2))
    await ground.publish()
    ground.remove('.svc')
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, unchanged: 2 })
  })
})

describe('every attempt', () => {
  it('is in the logs and in the history, also one that was refused', async () => {
    ground = publishGround(`${table.slice(0, -1)}, mode: mirror, max_change: 1}`)
    await ground.production(customers(5))
    await ground.publish()
    await ground.production(customers(1))
    expect(await ground.failure('customers', '--to', 'there')).toMatchObject({ code: 'mass-change' })
    const history = JSON.parse(ground.textOf('.svc/dev/history.json')) as {
      runs: { kind: string; selector: string; status: string; error: string | null }[]
    }
    const ofPublish = history.runs.filter(({ kind }) => kind === 'publish')
    expect(ofPublish).toMatchObject([
      { selector: 'customers to there', status: 'Failed' },
      { selector: 'customers to there', status: 'deployed', error: null },
    ])
    expect(ofPublish[0]?.error).toContain('max_change: 1')
    const { stdout } = await ground.svc(['logs'])
    expect(stdout).toContain('customers to there')
    const events = await ground.svc([
      'publish',
      'customers',
      '--to',
      'there',
      '--allow-mass-change',
      '--log-format',
      'json',
    ])
    const types = events.stdout
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { type: string }).type)
    expect(types).toEqual(
      expect.arrayContaining(['run-started', 'publish-planned', 'publish-finished', 'run-finished']),
    )
  })

  it('of another machine is in what is told here of targets and runs', async () => {
    ground = publishGround(table)
    await ground.production(customers(1))
    const other = publishGround(table, {
      more: {
        'svc.yaml': `name: shop\nwarehouse: ${JSON.stringify(`duckdb:${join(ground.root, 'warehouse.duckdb')}`)}\n`,
      },
    })
    try {
      const { value } = await other.publish()
      const run_id = value.run_id ?? ''
      const told = () => ['svc_catalog.json', '.svc/dev/history.json'].map(ground.textOf)
      expect(told().filter(text => text.includes(run_id))).toEqual([])
      expect((await ground.svc([renewalWord])).code).toBe(0)
      const written = told()
      expect(written.filter(text => text.includes(run_id))).toEqual(written)
      expect((await ground.svc([renewalWord])).code).toBe(0)
      expect(told()).toEqual(written)
    } finally {
      other.dispose()
    }
  })

  it('is the only one of its kind at a time', async () => {
    ground = publishGround(table)
    await ground.production(customers(1))
    const [a, b] = await Promise.all([ground.publish(), ground.publish()])
    expect([a.code, b.code].filter(code => code === 0).length).toBeGreaterThanOrEqual(1)
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, unchanged: 1 })
  })
})

describe('mistakes', () => {
  it.each([
    [['customers'], 'wrong-usage', 'svc publish needs --to'],
    [['customers', '--to', 'ther'], 'unknown-destination', '"customers" has no target "ther"'],
    [
      ['custmers', '--to', 'there'],
      'unknown-asset',
      'no asset is called "custmers"; did you mean "customers"?',
    ],
  ])('%j: %s', async (words, code, message) => {
    ground = publishGround(table)
    expect(await ground.failure(...words)).toMatchObject({ code, message })
  })

  it('a variable that is set and holds no address is named as such, without its value', async () => {
    ground = publishGround(table)
    await ground.production(customers(1))
    const env = { DESTINATION__BAD__CREDENTIALS: 'foosecret' }
    const { code, stdout, stderr } = await ground.svc(['publish', 'customers', '--to', 'bad'], { env })
    expect(code).toBe(2)
    const said = (stdout + stderr).replaceAll(/\s+/g, ' ')
    expect(said).toContain('DESTINATION__BAD__CREDENTIALS is set, but holds no address')
    expect(said).not.toMatch(/set DESTINATION__BAD|foosecret/i)
  })

  it('a destination in other letters is the same one: it reads one variable', async () => {
    ground = publishGround(table)
    await ground.production(customers(2))
    await ground.publish()
    expect(await ground.json(['publish', 'customers', '--to', 'There', '--json'])).toMatchObject({
      value: { target: 'there', done: { inserts: 0, unchanged: 2 } },
    })
    const address = JSON.stringify({
      ...{
        type: 'duckdb',
        endpoint: `duckdb:${join(ground.root, 'hook.duckdb')}`,
        resource: 'rows',
        key: 'id',
      },
    })
    const env = { DESTINATION__MY_HOOK__CREDENTIALS: address }
    expect((await ground.svc(['run', '--all', '--env', 'prod'])).code).toBe(0)
    const counts: unknown[] = []
    for (const name of ['my_hook', 'My_Hook', 'my-hook']) {
      const sent = await ground.json(['publish', 'customers', '--to', name, '--json', '--env', 'prod'], {
        env,
      })
      counts.push(sent.value)
    }
    expect(counts).toMatchObject([
      { target: 'my_hook', done: { inserts: 2 } },
      { target: 'my_hook', done: { inserts: 0, unchanged: 2 } },
      { target: 'my_hook', done: { inserts: 0, unchanged: 2 } },
    ])
  })

  it('a column that is not there is told by validate, at its place, with the nearest one', async () => {
    ground = publishGround(table.replace('key: id', 'key: idd'))
    const { stdout, code } = await ground.svc(['validate'])
    expect(code).toBe(1)
    expect(stdout).toContain('unknown column "idd" in publish')
    expect(stdout).toContain('did you mean "id"?')
  })

  it.each([
    ['{resource: people, key: id}', 'publish-target', 'no destination is called "there"'],
    ['{type: duckdb, endpoint: "duckdb:x", key: id}', 'publish-target', 'has no "resource"'],
    ['{type: duckdb, endpoint: "duckdb:x", resource: t}', 'publish-target', 'has no "key"'],
    [
      '{type: duckdb, endpoint: "postgres://x", resource: t, key: id}',
      'publish-target',
      'the address is duckdb:file',
    ],
    [
      '{type: file, endpoint: "gs://bucket", resource: a.csv}',
      'publish-target',
      'or s3://bucket/… or sftp://user@host/…',
    ],
    [
      '{type: file, endpoint: ./out, resource: a.csv, mode: mirror}',
      'publish-target',
      'mode "mirror" does not go to a file',
    ],
    [
      '{type: file, endpoint: ./out, resource: people}',
      'publish-target',
      'does not say how the file is written',
    ],
    [
      '{type: duckdb, endpoint: "duckdb:x", resource: t, key: id, recipe: hubspot}',
      'publish-target',
      '"recipe" is no key',
    ],
    [
      '{type: http, endpoint: "https://x.example", resource: r, key: id, mode: mirror}',
      'publish-target',
      'needs "remove"',
    ],
  ])('%s', async (target, code, message) => {
    ground = publishGround(target)
    const { stdout } = await ground.svc(['validate'])
    expect(stdout).toContain(code)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(message)
  })
})
