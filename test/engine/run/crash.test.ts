/** Real processes, killed or interrupted while they work: what is complete is kept, production is whole. */
import { afterAll, describe, expect, test } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { createProject, type Result, type TestProject } from '../../support/cli.ts'
import { times } from '../../support/long.ts'
import { seededRandom } from '../../support/random.ts'
import { freshWarehouse, kindUnderTest, removeWarehouse } from '../../support/warehouse-under-test.ts'

const open: Crashing[] = []
afterAll(async () => {
  for (const project of open) {
    project.dispose()
    await removeWarehouse(project.warehouse)
  }
})

const model = (sql: string) => `ingest: none\ntransform: |\n  ${sql}\n`

interface Crashing extends TestProject {
  readonly warehouse: string
}

async function project(models: Record<string, string>): Promise<Crashing> {
  const files = Object.entries(models).map(([name, sql]) => [
    `models/${name}.svc`,
    `name: ${name}\n${model(sql)}`,
  ])
  const warehouse = await freshWarehouse()
  const settings = `name: crash\nwarehouse: ${warehouse}\n`
  const made = { ...createProject({ 'svc.yaml': settings, ...Object.fromEntries(files) }), warehouse }
  open.push(made)
  return made
}

async function withSession<T>(p: Crashing, work: (session: WarehouseSession) => Promise<T>): Promise<T> {
  const warehouse = await openWarehouse(p.warehouse, { root: p.root, project: 'crash' })
  const session = await warehouse.open('write')
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

const query = (p: Crashing, sql: string) => withSession(p, session => session.query(sql))

/** As many pairs of numbers; each engine takes a good part of a second for `slow`, and hours for a square of a million. */
const pairs = (first: number, second: number) =>
  `generate_series(1, ${first}) AS a(x), generate_series(1, ${second}) AS b(y)`
const slow = kindUnderTest === 'duckdb' ? pairs(8000, 3000) : pairs(1000, 3000)
const endless = `SELECT sum(sqrt(x + y)) AS n FROM ${pairs(1_000_000, 1_000_000)}`

/** Runs `svc` and sends the signal once the output has shown `text` as often as `times`. */
function killedAt(
  p: Crashing,
  words: string[],
  signal: NodeJS.Signals,
  text: string,
  times = 1,
): Promise<Result> {
  let seen = ''
  let sent = false
  return p.svc(words, {
    onStart: child =>
      child.onOutput(output => {
        seen += output
        if (sent || seen.split(text).length <= times) return
        sent = true
        child.kill(signal)
      }),
  })
}

interface Events {
  readonly type: string
  readonly asset?: string
  readonly detail?: string
  readonly stopped_at?: string
}

function events({ stdout, stderr }: Result): Events[] {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Events)
}

const json = ['--env', 'prod', '--log-format', 'json']

describe('kill -9 while building', () => {
  test('the next run says what it found, reuses what is complete and goes on', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `m${n}`)
    const p = await project(
      Object.fromEntries(names.map((name, n) => [name, `SELECT sum(sqrt(x + y + ${n})) AS n FROM ${slow}`])),
    )
    const killed = await killedAt(p, ['run', ...json], 'SIGKILL', '"build-finished"', 3)
    expect(killed.code).toBeNull()
    const complete = events(killed).filter(({ type }) => type === 'build-finished').length
    expect(await withSession(p, session => session.relations('analytics'))).toEqual([])

    const next = await p.svc(['run', ...json])
    expect(next.code).toBe(0)
    const found = events(next)
    expect(found.find(({ type }) => type === 'recovered')).toMatchObject({ stopped_at: 'build' })
    const reused = found.filter(({ type }) => type === 'asset-reused').length
    const built = found.filter(({ type }) => type === 'build-finished').length
    expect(reused).toBeGreaterThanOrEqual(complete)
    expect(reused + built).toBe(names.length)
    expect(built).toBeGreaterThan(0)
    const runs = await query(p, 'SELECT status, error FROM svc.svc_state_history ORDER BY started_at')
    expect(runs).toEqual([
      { status: 'Failed', error: 'killed at "build"' },
      { status: 'deployed', error: null },
    ])
    // What the dead run built is pinned by the map that is live now; nothing else of it is left.
    const [dangling] = await query(p, 'SELECT count(*) AS n FROM analytics.m0, analytics.m7')
    expect(dangling).toEqual({ n: 1 })
  })
})

describe('Ctrl-C', () => {
  test('ends a run with 130, says so and leaves production as it was', async () => {
    const p = await project({ a: 'SELECT 1 AS n' })
    expect((await p.svc(['run', '--env', 'prod'])).code).toBe(0)
    p.write('models/a.svc', `name: a\n${model(endless)}`)
    const result = await killedAt(p, ['run', ...json], 'SIGINT', '"build-started"')
    expect(result.code).toBe(130)
    expect(await query(p, 'SELECT n FROM analytics.a')).toEqual([{ n: 1 }])
    const runs = await query(p, 'SELECT status, error FROM svc.svc_state_history ORDER BY started_at DESC')
    expect(runs[0]?.['status']).toBe('Failed')
    expect(runs[0]?.['error']).toContain('was stopped')
  })
})

describe('kill -9 at any time', () => {
  test('production is always one whole generation, and the next run finishes', async () => {
    const random = seededRandom(20260301)
    const names = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5']
    const p = await project(Object.fromEntries(names.map(name => [name, 'SELECT 0 AS n'])))
    // Kills fall anywhere in a run, however fast the machine is.
    const started = performance.now()
    expect((await p.svc(['run', '--env', 'prod'])).code).toBe(0)
    const runMs = performance.now() - started
    const look = `SELECT ${names.map(name => `(SELECT n FROM analytics.${name}) AS ${name}`).join(', ')}`
    const turns = times(5, 25)
    let kills = 0
    for (let turn = 1; turn <= turns; turn++) {
      for (const name of names)
        p.write(`models/${name}.svc`, `name: ${name}\n${model(`SELECT ${turn} AS n`)}`)
      const command = turn % 4 === 0 ? 'rollback' : 'run'
      const delayMs = random.next() * runMs
      const result = await p.svc([command, '--env', 'prod'], {
        onStart: child => void setTimeout(() => child.kill('SIGKILL'), delayMs),
      })
      if (result.code === null) kills++
      const [row] = await query(p, look)
      expect(new Set(Object.values(row ?? {})).size).toBe(1)
    }
    expect((await p.svc(['run', '--env', 'prod'])).code).toBe(0)
    expect((await query(p, look))[0]).toMatchObject({ v0: turns, v5: turns })
    expect(kills).toBeGreaterThan(0)
  })
})
