/**
 * The command lines that svc prints as what to do: each is printed by its cause, in an environment that is not the usual one, and
 * followed as it stands, and what it promises is there.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  commandsWithEnvironment,
  commandsWithoutMaker,
  printedCommands,
} from '../support/printed-commands.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground, type Said } from './bad-input/command-line.ts'

let p: Ground
let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
  server.route('/orders', (_request, response) => {
    response.end(
      JSON.stringify([
        { id: 1, amount: 'many', lines: [{ sku: 'a' }] },
        { id: 2, amount: 4 },
      ]),
    )
  })
})
afterAll(() => server.close())
afterEach(() => p.dispose())

const settings = 'name: shop\nenvironments: {prod: {warehouse: "duckdb:./prod.duckdb", schema: analytics}}\n'
const model = (name: string, sql: string, more = '') =>
  `name: ${name}\ningest: none\ntransform: ${sql}\n${more}`
/** orders → daily → top */
const chain = (value: number) => ({
  'models/orders.svc': model('orders', `SELECT ${value} AS value`),
  'models/daily.svc': model('daily', "SELECT value FROM {{ ref('orders') }}"),
  'models/top.svc': model('top', "SELECT value FROM {{ ref('daily') }}"),
})

function open(files: Readonly<Record<string, string>> = chain(1)): void {
  p = createGround({ 'svc.yaml': settings, ...files })
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) p.write(path, text)
}

const prod = (...words: readonly string[]) => p.line([...words, '--env', 'prod'])

async function run(...words: readonly string[]): Promise<Said> {
  const said = await prod('run', ...words)
  expect(said.code, said.stdout + said.stderr).toBe(0)
  return said
}

const textOf = ({ stdout, stderr }: Said) => `${stdout}\n${stderr}`.replace(/\s+/g, ' ')

/** Runs a line that was printed, word by word as it stands. */
async function follow(said: Said, printed: string): Promise<Said> {
  expect(textOf(said)).toContain(`svc ${printed} --env prod`)
  return p.line([...printed.split(' '), '--env', 'prod'])
}

async function followed(said: Said, printed: string): Promise<Said> {
  const outcome = await follow(said, printed)
  expect(outcome.code, textOf(outcome)).toBe(0)
  return outcome
}

const rowsOf = async (asset: string) => (await prod('sample', asset)).stdout

/** Each printed line with its promise. `…` stands for what is known only when it is printed. */
const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  init: async () => {
    open()
    await followed(await prod('doctor'), 'init')
    expect((await prod('doctor')).stdout).toMatch(/OK +state tables/)
  },
  'init --adopt …': async () => {
    open()
    await run()
    p.write('svc.yaml', settings.replace('shop', 'store'))
    await followed(await prod('run'), 'init --adopt shop')
    await run()
  },
  validate: async () => {
    open()
    await followed(await prod('init'), 'validate')
  },
  plan: async () => {
    open()
    expect((await followed(await prod('init'), 'plan')).stdout).toContain('prod')
  },
  run: async () => {
    open()
    await followed(await prod('rollback', '--dry-run'), 'run')
    expect(await rowsOf('top')).toContain('1')
  },
  'run +…': async () => {
    open()
    await followed(await prod('sample', 'daily'), 'run +daily')
    expect(await rowsOf('daily')).toContain('1')
  },
  'run --all': async () => {
    open()
    await followed(await prod('lineage', '--out', 'site'), 'run --all')
    expect((await prod('lineage', '--out', 'site')).code).toBe(0)
  },
  'run …': async () => {
    open()
    await run()
    write({ 'models/orders.svc': chain(2)['models/orders.svc'] })
    await followed(await run('orders'), 'run daily,top')
    expect(await rowsOf('top')).toContain('2')
    expect(textOf(await run())).toContain('Nothing to do')
  },
  'run … --full-refresh': async () => {
    const ingest = 'ingest: {type: file, endpoint: data, resource: "*.csv", write: append, only_new: true}'
    open({
      'models/orders.svc': `name: orders\n${ingest}\ntransform: SELECT id FROM {{ source }}\n`,
      'data/one.csv': 'id\n1\n',
    })
    await run()
    p.write('data/one.csv', 'id\n1\n2\n3\n')
    await followed(await prod('run'), 'run orders --full-refresh')
    expect((await prod('sample', 'orders')).stdout).toContain('3 rows')
  },
  'plan …': async () => {
    open()
    await run()
    write(chain(2))
    const plan = await prod('plan', 'orders')
    expect(textOf(await followed(plan, 'plan orders,daily,top'))).not.toContain('Left on their old builds')
  },
  'rollback …': async () => {
    open()
    await run()
    write({ 'models/orders.svc': chain(2)['models/orders.svc'] })
    await run()
    const back = await followed(await prod('rollback', 'orders'), 'rollback daily,top')
    expect(textOf(back)).not.toContain('Take them along')
    expect(await rowsOf('top')).toContain('1')
  },
  rollback: async () => {
    open()
    await run()
    write(chain(2))
    await followed(await run(), 'rollback')
    expect(await rowsOf('top')).toContain('1')
  },
  status: async () => {
    open()
    await run()
    expect((await followed(await prod('rollback'), 'status')).stdout).toContain('daily')
  },
  'versions …': async () => {
    open()
    await run()
    expect((await followed(await prod('rollback', 'daily'), 'versions daily')).stdout).toContain('deployed')
  },
  retry: async () => {
    open({ ...chain(1), 'svc.yaml': settings.replace('schema:', 'promotion: passed, schema:') })
    await run()
    write({ ...chain(2), 'models/other.svc': model('other', "SELECT error('no') AS value") })
    const said = await prod('run')
    write({ 'models/other.svc': model('other', 'SELECT 2 AS value') })
    await followed(said, 'retry')
    expect(await rowsOf('other')).toContain('2')
  },
  preview: async () => {
    open()
    await run()
    expect((await followed(await prod('promote', 'nothing'), 'preview')).stdout).toContain(
      'Promote: svc promote',
    )
  },
  'promote …': async () => {
    open()
    await run()
    write(chain(2))
    const said = await prod('preview')
    const id = /svc promote (\w+)/.exec(said.stdout)?.[1] ?? ''
    await followed(said, `promote ${id}`)
    expect(await rowsOf('top')).toContain('2')
  },
  'sample … --source model --run …': async () => {
    open({
      'models/orders.svc': model('orders', 'SELECT 1 AS value', 'tests: [{range: {value: {min: 5}}}]\n'),
    })
    const said = await prod('run')
    const words = /svc (sample orders --source model --run \w+) --env/.exec(textOf(said))?.[1] ?? 'none'
    expect((await followed(said, words)).stdout).toContain('1 row')
  },
  'sample … --source model': async () => {
    open()
    await run()
    expect(
      (await followed(await prod('sample', 'daily', '--source', 'raw'), 'sample daily --source model'))
        .stdout,
    ).toContain('1 row')
  },
  'sample … --source raw --child …': async () => {
    open({ 'models/orders.svc': source('id', 'nested: tables') })
    await run()
    const said = await prod('sample', 'orders', '--child', 'lines')
    expect((await followed(said, 'sample orders --source raw --child lines')).stdout).toContain('sku')
  },
  rejects: async () => {
    open({ 'models/orders.svc': source('id, amount', '', 'contract: {columns: {amount: bigint}}\n') })
    expect((await followed(await run(), 'rejects')).stdout).toContain('many')
  },
  'rejects … --replay': async () => {
    open({ 'models/orders.svc': source('id, amount', '', 'contract: {columns: {amount: bigint}}\n') })
    await run()
    await followed(await prod('rejects', 'orders', '--replay', '--run', 'x'), 'rejects orders --replay')
  },
  'publish … --to …': async () => {
    open({
      'models/orders.svc': model(
        'orders',
        'SELECT 1 AS id',
        'publish: {out: {type: file, endpoint: ./out, resource: orders.csv}}\n',
      ),
    })
    await run()
    await followed(await prod('publish', 'orders'), 'publish orders --to out')
    expect(readFileSync(join(p.root, 'out/orders.csv'), 'utf8')).toContain('1')
    expect(textOf(await prod('publish', 'orders', '--to', 'out', '--dry-run', '--full-refresh'))).toContain(
      'svc publish orders --to out --env prod',
    )
  },
  'rejects … --to …': async () => {
    server.route('/taken', (_request, response) => void response.writeHead(400).end('no'))
    open({
      'models/orders.svc': model(
        'orders',
        'SELECT 1 AS id',
        `publish: {out: {type: http, endpoint: "${server.origin}", resource: taken, key: id, limits: {retries: 0}}}\n`,
      ),
    })
    await run()
    const untaken = await followed(await prod('publish', 'orders', '--to', 'out'), 'rejects orders --to out')
    expect(untaken.stdout).toContain('1 row')
  },
  'test --unit': async () => {
    const unit = 'tests: [{name: one, unit: {given: {}, expect: [{value: 2}]}}]\n'
    open({ 'models/orders.svc': model('orders', 'SELECT 1 AS value', unit) })
    const shown = await follow(await prod('plan'), 'test --unit')
    expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining('1 wrong row')])
  },
  'test …': async () => {
    open({
      'models/orders.svc': model(
        'orders',
        'SELECT 1 AS id',
        'tests: [{range: {id: {min: 5}}, severity: warn}]\npublish: {out: {type: file, endpoint: ./out, resource: orders.csv}}\n',
      ),
    })
    await run()
    const shown = await follow(await prod('publish', 'orders', '--to', 'out'), 'test orders')
    expect(shown.stdout).toContain('1 row')
  },
  metric: async () => {
    open({ ...chain(1), 'glossary.yaml': glossary })
    expect((await followed(await prod('metric', 'nothing'), 'metric')).stdout).toContain('Total')
  },
  'metric …': async () => {
    open({ ...chain(1), 'glossary.yaml': glossary })
    await run()
    expect((await followed(await prod('metric'), 'metric metric.total')).stdout).toContain('1')
  },
  'lineage --out site': async () => {
    open()
    await run()
    p.write('other/index.html', '<html></html>')
    await followed(await prod('lineage', '--out', 'other'), 'lineage --out site')
    expect(existsSync(join(p.root, 'site/index.html'))).toBe(true)
  },
}

/** Lines that another test shows, because their cause takes more than a project. */
const elsewhere: Readonly<Record<string, string>> = {
  // A process that is killed between its commit and its end.
  'backup <file>': 'test/cli/backup.test.ts',
  // A role of a server that may not do something.
  doctor: 'test/engine/warehouse/around.test.ts',
  // A database of a server that has functions of its own.
  'doctor --write': 'test/cli/postgres-declared.test.ts',
  // A view that somebody replaces beside svc.
  'promote … --replace-views': 'test/cli/refresh-and-vars.test.ts',
}

const glossary =
  'metrics:\n  - {name: Total, sql_definition: "SELECT sum(value) FROM {{ ref(\'orders\') }}"}\n'

function source(columns: string, ingest: string, more = ''): string {
  const keys = ingest === '' ? '' : `, ${ingest}`
  return `name: orders\ningest: {type: rest_api, endpoint: ${server.origin}, resource: /orders${keys}}\n${more}transform: SELECT ${columns} FROM {{ source }}\n`
}

describe('a command line that svc prints', () => {
  test.each(Object.keys(scenarios))('svc %s: leads to what it promises', async words => {
    await scenarios[words]?.()
  })
})

test('doctor tells errors of sources with commands of the environment that it looks at', async () => {
  open({
    'models/orders.svc':
      'name: orders\ningest: {type: warehouse, resource: raw.orders}\ntransform: SELECT id FROM {{ source }}\n',
  })
  expect(textOf(await prod('doctor'))).toContain('Run svc init --env prod; what writes the table')
})

describe('the command lines in the code', () => {
  const printed = printedCommands()
  beforeAll(() => open())

  test('are each followed by a test', () => {
    const words = [...new Set(printed.map(each => each.words))].sort()
    expect(words).toEqual([...Object.keys(scenarios), ...Object.keys(elsewhere)].sort())
  })

  test('are of commands that have --env', () => {
    const others = printed.filter(
      ({ words }) => !commandsWithEnvironment.some(name => words === name || words.startsWith(`${name} `)),
    )
    expect(others).toEqual([])
  })

  test('are written by their maker wherever the environment matters', () => {
    expect(commandsWithoutMaker()).toEqual([])
  })
})
