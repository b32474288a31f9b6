/** Real processes, killed or interrupted while they work: what is complete is kept, production is whole. */
import { afterAll, describe, expect, test } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import { createProject, type Result, type TestProject } from '../../support/cli.ts'
import { seededRandom } from '../../support/random.ts'

const open: TestProject[] = []
afterAll(() => {
  for (const project of open) project.dispose()
})

const model = (sql: string) => `ingest: none\ntransform: |\n  ${sql}\n`

function project(models: Record<string, string>): TestProject {
  const files = Object.entries(models).map(([name, sql]) => [
    `models/${name}.svc`,
    `name: ${name}\n${model(sql)}`,
  ])
  const made = createProject({ 'svc.yaml': 'name: crash\n', ...Object.fromEntries(files) })
  open.push(made)
  return made
}

async function query(p: TestProject, sql: string) {
  const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root: p.root, project: 'crash' })
  const session = await warehouse.open('write')
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

/** Runs `svc` and sends the signal once the output has shown `text` as often as `times`. */
function killedAt(
  p: TestProject,
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
    const slow = (n: number) => `SELECT sum(hash(range + ${n})) AS n FROM range(30000000)`
    const names = Array.from({ length: 8 }, (_, n) => `m${n}`)
    const p = project(Object.fromEntries(names.map((name, n) => [name, slow(n)])))
    const killed = await killedAt(p, ['run', ...json], 'SIGKILL', '"build-finished"', 3)
    expect(killed.code).toBeNull()
    const complete = events(killed).filter(({ type }) => type === 'build-finished').length
    expect(
      await query(p, "SELECT count(*) AS n FROM duckdb_views() WHERE schema_name = 'analytics'"),
    ).toEqual([{ n: 0 }])

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
      { status: 'Failed', error: 'stopped at "build"' },
      { status: 'deployed', error: null },
    ])
    // What the dead run built is pinned by the map that is live now; nothing else of it is left.
    const [dangling] = await query(p, 'SELECT count(*) AS n FROM analytics.m0, analytics.m7')
    expect(dangling).toEqual({ n: 1 })
  })
})

describe('Ctrl-C', () => {
  test('ends a run with 130, says so and leaves production as it was', async () => {
    const p = project({ a: 'SELECT 1 AS n' })
    expect((await p.svc(['run', '--env', 'prod'])).code).toBe(0)
    p.write('models/a.svc', `name: a\n${model('SELECT sum(hash(range)) AS n FROM range(4000000000)')}`)
    const result = await killedAt(p, ['run', ...json], 'SIGINT', '"build-started"')
    expect(result.code).toBe(130)
    expect(await query(p, 'SELECT n FROM analytics.a')).toEqual([{ n: 1 }])
    const runs = await query(p, 'SELECT status, error FROM svc.svc_state_history ORDER BY started_at DESC')
    expect(runs[0]?.['status']).toBe('Failed')
    expect(runs[0]?.['error']).toContain('interrupted')
  })
})

describe('kill -9 at any time', () => {
  test('production is always one whole generation, and the next run finishes', async () => {
    const random = seededRandom(20260301)
    const names = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5']
    const p = project(Object.fromEntries(names.map(name => [name, 'SELECT 0 AS n'])))
    // Kills fall anywhere in a run, however fast the machine is.
    const started = performance.now()
    expect((await p.svc(['run', '--env', 'prod'])).code).toBe(0)
    const runMs = performance.now() - started
    const look = `SELECT ${names.map(name => `(SELECT n FROM analytics.${name}) AS ${name}`).join(', ')}`
    let kills = 0
    for (let turn = 1; turn <= 10; turn++) {
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
    expect((await query(p, look))[0]).toMatchObject({ v0: 10, v5: 10 })
    expect(kills).toBeGreaterThan(0)
  })
})
