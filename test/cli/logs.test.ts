/** What a run leaves behind to read: events on stdout, `--debug`, and the log under .svc/logs. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listLogs, logsFolder, pruneLogs } from '../../cli/engine/log/log-files.ts'
import { createRunLog } from '../../cli/engine/log/run-log.ts'
import { outputSchemas } from '../../server/contract/index.ts'
import { deadPid } from '../support/dead-pid.ts'
import { sendJson, startRestServer } from '../support/rest-server.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

interface Line {
  readonly at: string
  readonly run_id: string | null
  readonly type: string
  readonly [fact: string]: unknown
}

let ground: Ground

beforeEach(() => {
  ground = createGround(shop)
})

afterEach(() => ground.dispose())

const ajv = new Ajv2020({ allowUnionTypes: true })

function linesOf(text: string): Line[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
  for (const line of lines) {
    const schemas = (outputSchemas['events'] as { anyOf: { properties: { type: { enum: string[] } } }[] })
      .anyOf
    const schema = schemas.find(each => each.properties.type.enum.includes(line.type))
    expect(ajv.validate(schema ?? false, line), `${JSON.stringify(line)} ${ajv.errorsText()}`).toBe(true)
  }
  return lines
}

const oneTest = `name: one
ingest: none
transform: SELECT count(*) AS n FROM {{ ref('orders') }}
tests:
  - not_null: n
  - {name: is one, unit: {given: {orders: [{id: 1}]}, expect: [{n: 1}]}}
`

function typesOf(lines: readonly Line[]): Set<string> {
  return new Set(lines.map(({ type }) => type))
}

function logNames(): string[] {
  return readdirSync(join(ground.root, '.svc', 'logs')).sort()
}

describe('events', () => {
  it('stdout is pure NDJSON with time and run id, for every command that runs something', async () => {
    for (const words of [['run'], ['preview', '--all-tests'], ['run', '--debug'], ['test', '--all-tests']]) {
      const said = await ground.line([...words, '--log-format', 'json'])
      expect(said.code, said.stderr).toBe(0)
      const lines = linesOf(said.stdout)
      expect(lines.length).toBeGreaterThan(1)
      expect(typesOf(lines).has('statement')).toBe(words.includes('--debug'))
      if (words[0] !== 'test') expect(new Set(lines.map(line => line.run_id)).size).toBeLessThanOrEqual(2)
    }
    ground.write(
      'models/orders.svc',
      shop['models/orders.svc']?.replace('amount, day', 'amount, day, 1 AS x') ?? '',
    )
    await ground.line(['run'])
    const back = linesOf((await ground.line(['rollback', '--log-format=json'])).stdout)
    expect(typesOf(back)).toContain('promoted')
  })

  it('the last event says how it ended, of tests their counts, whatever kinds of tests there are', async () => {
    ground.write('models/one.svc', oneTest)
    const last = async (...words: string[]) =>
      linesOf((await ground.line([...words, '--log-format', 'json'])).stdout).at(-1)
    expect(await last('run')).toMatchObject({ type: 'run-finished', status: 'deployed' })
    for (const words of [['test'], ['test', 'one', '--all-tests'], ['test', 'one', '--unit', '--all-tests']])
      expect(await last(...words), words.join(' ')).toMatchObject({ type: 'tests-finished', failed: 0 })
    expect(await last('test', 'one', '--all-tests')).toMatchObject({ passed: 2, failed: 0, unchanged: 0 })
    ground.write('models/one.svc', oneTest.replace('expect: [{n: 1}]', 'expect: [{n: 2}]'))
    expect(await last('test', 'one', '--unit')).toMatchObject({ type: 'tests-finished', failed: 1 })
    expect(await last('test', 'nothing')).toMatchObject({ type: 'error', code: 'unknown-asset' })
  })

  it('what failed is told on stderr too, where the log of a job is all that is read', async () => {
    const fails = shop['models/orders.svc']?.replace('amount, day', "amount, day, error('boom') AS x") ?? ''
    ground.write('models/orders.svc', fails)
    const said = await ground.line(['run', '--log-format', 'json'])
    expect(linesOf(said.stdout).at(-1)).toMatchObject({ type: 'run-finished', status: 'Failed' })
    expect(said.stderr).toMatch(/✗ orders +.*boom\n +models\/orders\.svc:\d+:\d+\n/)
    expect(said.stderr).toMatch(/^Failed run \w+ after .*: orders failed\.$/m)
    expect(said.stderr).toContain('Nothing was promoted: dev is as before.')
    ground.write('models/one.svc', oneTest.replace('expect: [{n: 1}]', 'expect: [{n: 2}]'))
    const tested = await ground.line(['test', 'one', '--unit', '--log-format', 'json'])
    expect(tested).toMatchObject({ code: 1, stderr: expect.stringContaining('one') })
  })

  it('a dry run is one event, and so is what stops a command', async () => {
    const plan = linesOf((await ground.line(['run', '--dry-run', '--log-format', 'json'])).stdout)
    expect(plan).toMatchObject([{ type: 'plan', run_id: null, plan: { environment: 'dev' } }])
    const said = await ground.line(['rollback', '--log-format', 'json'])
    expect(linesOf(said.stdout)).toMatchObject([{ type: 'error', code: 'nothing-to-roll-back' }])
    expect(said.stderr).toContain('[nothing-to-roll-back]')
  })
})

describe('--debug', () => {
  it('shows statements with rows, decisions, and the stack of an error', async () => {
    const said = await ground.line(['run', '--debug'])
    expect(said.stderr).toMatch(/^-- daily_sales: new, nothing of it is live$/m)
    expect(said.stderr).toMatch(/^-- \d.*, 2 rows\n-- table svc_g_\w+\.daily_sales\nSELECT day, sum/m)
    expect(said.stderr).toMatch(/^-- flip dev from generation 0 to 1: /m)
    const failed = await ground.line(['promote', 'nothing', '--debug'])
    expect(failed.stderr).toMatch(/^ +at .+promote-run/m)
    expect((await ground.line(['promote', 'nothing'])).stderr).not.toMatch(/^ +at /m)
  })

  it('shows requests without their secrets', async () => {
    const server = await startRestServer()
    server.route('/items', (_request, response) => sendJson(response, [{ id: 1 }]))
    try {
      ground.write(
        'models/web.svc',
        `name: web\ningest:\n  type: rest_api\n  endpoint: ${server.origin}\n  resource: /items\n  auth: {type: api_key, in: query, name: code, value: "env:WEB_KEY"}\ntransform: SELECT id FROM {{ source }}\n`,
      )
      const env = { WEB_KEY: 'very-secret-words' }
      const said = await ground.line(['run', 'web', '--debug'], { env })
      expect(said.code, said.stderr).toBe(0)
      expect(said.stderr).toMatch(/^-- GET http:\/\/127\.0\.0\.1:\d+\/items 200 [\d.]+ m?s$/m)
      const log = readFileSync(join(logsFolder(ground.root), logNames().at(-1) ?? ''), 'utf8')
      expect(typesOf(linesOf(log))).toContain('request')
      expect(said.stderr + said.stdout + log).not.toContain('very-secret-words')
    } finally {
      await server.close()
    }
  })
})

describe('the log of a run', () => {
  it('holds everything, for its owner only, and svc logs prints it', async () => {
    await ground.line(['run'])
    const [name = ''] = logNames()
    const path = join(logsFolder(ground.root), name)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect([...typesOf(linesOf(readFileSync(path, 'utf8')))]).toEqual(
      expect.arrayContaining([
        'run-started',
        'decision',
        'statement',
        'build-finished',
        'promoted',
        'run-finished',
      ]),
    )
    const runId = name.replace('.ndjson', '')
    const short = (await ground.line(['logs'])).stdout
    expect(short).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}run-started {7}kind=run {2}environment=dev/m)
    expect(short).not.toContain('SELECT')
    expect((await ground.line(['logs', runId, '--debug'])).stdout).toContain(
      '    SELECT day, sum(amount) AS total',
    )
    expect((await ground.line(['logs', '--list'])).stdout).toMatch(
      new RegExp(`^${runId} +run +dev +all +Deployed with 1 warning +just now +\\d.* kB$`, 'm'),
    )
    ground.write('models/orders.svc', "name: orders\ningest: none\ntransform: SELECT error('no') AS id\n")
    await ground.line(['run', 'orders'])
    const listed = JSON.parse((await ground.line(['logs', '--list', '--json'])).stdout) as {
      readonly logs: readonly unknown[]
    }
    expect(listed.logs).toMatchObject([
      { kind: 'run', environment: 'dev', selector: 'orders', status: 'Failed', failure: { asset: 'orders' } },
      { run_id: runId, selector: null, status: 'deployed', promoted: true, failure: null },
    ])
    ground.write(
      'models/orders.svc',
      'name: orders\ningest: none\ntransform: SELECT 1 AS id, 1 AS amount, 1 AS day, 1 AS customer_id\n',
    )
    await ground.line(['preview', 'orders'])
    // A preview that came through is deployed by nobody yet.
    expect((await ground.line(['logs', '--list'])).stdout).toMatch(/^\w+ +preview .* Previewed /m)
    for (const words of [['logs'], ['logs', '--list'], ['logs', runId, '--debug']]) {
      const value: unknown = JSON.parse((await ground.line([...words, '--json'])).stdout)
      expect(ajv.validate(outputSchemas['logs'] ?? {}, value), ajv.errorsText()).toBe(true)
    }
  })

  it('is named when a run fails, and only then', async () => {
    expect((await ground.line(['run'])).stdout).not.toContain('.svc/logs')
    ground.write('data/orders.csv', 'id,customer_id,amount,day\n1,1,-5,2026-01-01\n')
    const said = await ground.line(['run'])
    expect(said.code).toBe(1)
    expect(said.stdout).toMatch(/^Nothing was promoted: dev is as before \(run \w+, just now\)\.$/m)
    const named = /^Log: (\.svc\/logs\/\w+\.ndjson)\. svc logs \w+ --debug$/m.exec(said.stdout)?.[1]
    expect(existsSync(join(ground.root, named ?? 'nothing'))).toBe(true)
  })

  it('is begun by every run that was asked for, a refused one too, and by nothing else', async () => {
    await ground.line(['plan'])
    expect(existsSync(logsFolder(ground.root))).toBe(false)
    expectRefusal(await ground.line(['logs']), 2, 'no run has left a log here yet')
    await ground.line(['run', 'ordres'])
    const { code, stdout } = await ground.line(['logs', '--list'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/\bordres\b.*\bFailed\b/)
    expect((await ground.line(['logs'])).stdout).toContain('unknown-asset')
    await ground.line(['run'])
    expectRefusal(await ground.line(['logs', '../../svc.yaml']), 2, 'there is no log of a run')
  })

  it('a folder that cannot be written stops no run', async () => {
    ground.write('.svc/logs', 'a file where the folder should be')
    expect((await ground.line(['run'])).code).toBe(0)
  })

  it('keeps the newest 50 and no more than 100 MB', () => {
    mkdirSync(logsFolder(ground.root), { recursive: true })
    for (let index = 0; index < 60; index++)
      writeFileSync(join(logsFolder(ground.root), `run${String(index).padStart(3, '0')}.ndjson`), '{}\n')
    pruneLogs(ground.root)
    expect(listLogs(ground.root)).toHaveLength(49)
    expect(listLogs(ground.root)[0]?.runId).toBe('run059')
    writeFileSync(join(logsFolder(ground.root), 'run058.ndjson'), Buffer.alloc(100_000_001))
    pruneLogs(ground.root)
    expect(listLogs(ground.root).map(({ runId }) => runId)).toEqual(['run059'])
  })

  it('says Killed of a run whose process is gone, and not running for ever', async () => {
    const writer = { pid: deadPid(), host: hostname() }
    const about = { kind: 'run', environment: 'dev', selector: null, assets: 1, to_fetch: 0, to_build: 1 }
    const start = { at: '2026-01-02T03:04:05.000Z', run_id: 'abc', type: 'run-started', ...about, ...writer }
    const last = { at: '2026-01-02T03:04:09.000Z', run_id: 'abc', type: 'stage', stage: 'build', items: 1 }
    ground.write('.svc/logs/abc.ndjson', `${JSON.stringify(start)}\n${JSON.stringify(last)}\n{"at": "2026`)
    expect((await ground.line(['logs', '--list'])).stdout).toMatch(/^abc +run +dev +all +Killed /m)
    const { stdout } = await ground.line(['logs', '--list', '--json'])
    const value: unknown = JSON.parse(stdout)
    expect(ajv.validate(outputSchemas['logs'] ?? {}, value), ajv.errorsText()).toBe(true)
    const facts = { status: 'Failed', ending: 'killed', verdict: 'Killed', in_future: false }
    expect(value).toMatchObject({ logs: [{ ...facts, finished_at: last.at, seconds: 4 }] })
    // A long step has no lines, and the process said all the same that it was alive.
    ground.write('.svc/logs/abc.alive', '')
    const touched = new Date('2026-01-02T03:04:13.000Z')
    utimesSync(join(logsFolder(ground.root), 'abc.alive'), touched, touched)
    const lasted = JSON.parse((await ground.line(['logs', '--list', '--json'])).stdout)
    expect(lasted).toMatchObject({ logs: [{ ...facts, finished_at: touched.toISOString(), seconds: 8 }] })
  })

  it('stands in the order of the runs, also after one whose clock was ahead, which is told', async () => {
    const ahead = new Date(Date.now() + 400 * 86_400_000)
    await ground.line(['run'], { now: () => ahead })
    await ground.line(['run', 'orders'])
    expect((await ground.line(['logs'])).stdout).toContain('selector=orders')
    const { stdout } = await ground.line(['logs', '--list'])
    expect(stdout.search(/ orders +Deployed/)).toBeLessThan(stdout.search(/ all +Deployed/))
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /! Begun later than it is now: \w+ \(20\d\d-.*The clock of that machine/,
    )
    const listed = JSON.parse((await ground.line(['logs', '--list', '--json'])).stdout) as {
      readonly logs: readonly { readonly run_id: string; readonly in_future: boolean }[]
    }
    expect(listed.logs.map(({ in_future }) => in_future)).toEqual([false, true])
    // The oldest go when there are too many, not those with the smallest times.
    const today = listed.logs[0]?.run_id
    ground.write(`.svc/logs/${listed.logs[1]?.run_id}.ndjson`, `${' '.repeat(100_000_001)}\n`)
    pruneLogs(ground.root)
    expect(listLogs(ground.root).map(({ runId }) => runId)).toEqual([today])
  })

  it('says what the run is about as soon as there is one, for who looks after the process was killed', async () => {
    let first = ''
    // The clock is asked for the time of each event: this looks at the log between two of them.
    const now = () => {
      const folder = logsFolder(ground.root)
      if (first === '' && existsSync(folder))
        first = logNames()
          .map(name => readFileSync(join(folder, name), 'utf8'))
          .join('')
      return new Date()
    }
    expect((await ground.line(['run'], { now })).code).toBe(0)
    expect(first).toContain('"type":"run-started"')
  })

  it('is readable up to where the process died', async () => {
    const log = createRunLog({ redact: text => text, nowMs: () => 0 })
    log.write('{"at": "2026-01-02T03:04:05.000Z", "run_id": null, "type": "waiting", "reason": "x"}')
    log.begin(ground.root, 'abc')
    log.write('{"at": "2026-01-02T03:04:05.0')
    log.close()
    expect((await ground.line(['logs', 'abc'])).stdout).toBe('03:04:05.000  waiting           reason=x\n')
  })
})
