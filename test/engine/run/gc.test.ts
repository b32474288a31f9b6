/** What collection drops and what it keeps, beyond the builds that no map needs. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gc } from '../../../cli/engine/run/gc.ts'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { statusOf, versions } from '../../../cli/engine/run/versions.ts'
import { projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()
const dayMs = 24 * 3_600_000

function later(p: TestProject, days: number): void {
  p.clock = new Date(p.clock.getTime() + days * dayMs)
}

async function collect(p: TestProject, dryRun = false) {
  const workspace = await p.workspace()
  try {
    return await gc(workspace, dryRun, () => {})
  } finally {
    await workspace.close()
  }
}

async function schemas(p: TestProject): Promise<string[]> {
  return p.withSession(async session => (await session.schemas('')).toSorted())
}

describe('the schema of a branch', () => {
  test('goes 30 days after its last run, with its builds and records', async () => {
    const p = project({ a: 'SELECT 1 AS n' })
    await p.run({}, 'dev_old')
    await p.run()
    later(p, 29)
    expect((await collect(p)).environments).toEqual([])
    expect(await schemas(p)).toContain('analytics_dev_old')
    later(p, 2)
    expect((await collect(p)).environments).toMatchObject([{ name: 'dev_old', unusedDays: 31 }])
    expect(await schemas(p)).not.toContain('analytics_dev_old')
    expect(await p.query("SELECT * FROM svc.svc_catalog WHERE environment = 'dev_old'")).toEqual([])
    expect(await p.query('SELECT n FROM analytics.a')).toEqual([{ n: 1 }])
    expect((await schemas(p)).filter(name => name.startsWith('svc_g_'))).toHaveLength(1)
    const state = () => p.withSession(session => session.state.read('dev_old'))
    expect(await state()).toMatchObject({ isForgotten: true, generation: 0 })
    // The branch may be taken up again.
    await p.run({}, 'dev_old')
    expect(await state()).toMatchObject({ isForgotten: false, generation: 1 })
    expect(await p.query('SELECT n FROM analytics_dev_old.a')).toEqual([{ n: 1 }])
  })

  test('goes at the end of a run too', async () => {
    const p = project({ a: 'SELECT 1 AS n' })
    await p.run({}, 'dev_old')
    later(p, 31)
    await p.run()
    expect(await schemas(p)).not.toContain('analytics_dev_old')
  })

  test('stays when it is declared, is no branch, or is this one', async () => {
    const p = project({ a: 'SELECT 1 AS n' })
    p.settings = 'environments: {dev_team: {}}\n'
    for (const name of ['dev_team', 'staging', 'prod']) await p.run({}, name)
    later(p, 90)
    expect((await collect(p)).environments).toEqual([])
  })

  test('keeps what somebody else put there', async () => {
    const p = project({ a: 'SELECT 1 AS n', b: 'SELECT 2 AS n' })
    await p.run({}, 'dev_old')
    await p.query('CREATE TABLE analytics_dev_old.mine AS SELECT 7 AS n')
    await p.query('CREATE OR REPLACE VIEW analytics_dev_old.b AS SELECT 8 AS n')
    later(p, 31)
    await collect(p)
    expect(await p.query('SELECT n FROM analytics_dev_old.mine')).toEqual([{ n: 7 }])
    expect(await p.query('SELECT n FROM analytics_dev_old.b')).toEqual([{ n: 8 }])
    expect(await p.relations('analytics_dev_old')).toEqual(['b view', 'mine table'])
  })
})

test('a preview stays for seven days', async () => {
  const p = project({ a: 'SELECT 1 AS n' })
  await p.run()
  p.files['a'] = 'SELECT 2 AS n'
  const { runId } = await p.run({ kind: 'preview' })
  later(p, 6)
  await collect(p)
  expect(await schemas(p)).toContain(`svc_g_${runId}`)
  later(p, 2)
  await collect(p)
  expect(await schemas(p)).not.toContain(`svc_g_${runId}`)
})

test('a clock that was turned back costs no archive: the generation before the live one is what rollback returns to', async () => {
  const p = project({ a: 'SELECT 0 AS n' })
  const deployed = async (n: number) => {
    p.files['a'] = `SELECT ${n} AS n`
    await p.run()
  }
  for (let n = 1; n <= 7; n++) await deployed(n)
  later(p, -20)
  for (let n = 8; n <= 14; n++) await deployed(n)
  await collect(p)
  const workspace = await p.workspace()
  try {
    const [newest, ...earlier] = await versions(workspace, 'a')
    expect(newest).toMatchObject({ active: true })
    expect(earlier.every(({ active }) => !active)).toBe(true)
    await rollback(workspace, {}, () => {})
  } finally {
    await workspace.close()
  }
  expect(await p.query('SELECT n FROM analytics.a')).toEqual([{ n: 13 }])
})

test('a dry run says what would go and changes nothing', async () => {
  const p = project({ a: 'SELECT n FROM generate_series(1, 100000) AS t(n)' })
  await p.run()
  await p.query('CREATE SCHEMA svc_g_dead')
  await p.query('CREATE TABLE svc_g_dead.x AS SELECT n FROM generate_series(1, 300000) AS t(n)')
  const before = await schemas(p)
  const found = await collect(p, true)
  expect(found.schemas).toEqual(['svc_g_dead'])
  expect(found.sizes.get('svc_g_dead.x')).toBeGreaterThan(100_000)
  expect(await schemas(p)).toEqual(before)
  expect((await collect(p)).schemas).toEqual(['svc_g_dead'])
  expect(await schemas(p)).toEqual(before.filter(name => name !== 'svc_g_dead'))
  expect((await collect(p)).schemas).toEqual([])
})

test('a run of another environment whose process died is ended, and what it left goes', async () => {
  const p = project({ a: 'SELECT 1 AS n' })
  await p.run({}, 'staging')
  await p.run()
  await p.query(
    "UPDATE svc.svc_state_history SET status = 'running', finished_at = NULL WHERE environment = 'staging'",
  )
  await collect(p)
  expect(
    await p.query("SELECT status, error FROM svc.svc_state_history WHERE environment = 'staging'"),
  ).toEqual([{ status: 'Failed', error: 'killed at "unknown"' }])
})

test('drafts and spools of dead processes go, those of the living stay', async () => {
  const p = project({ a: 'SELECT 1 AS n' })
  await p.run()
  const work = join(p.root, '.svc', 'dev', 'work', 'dev_gone-12345678', 'spool', 'orders')
  mkdirSync(work, { recursive: true })
  writeFileSync(join(work, 'records-00001.ndjson'), '{}\n')
  writeFileSync(join(p.root, '.svc', '.manifest.json.999999999.tmp'), 'half')
  writeFileSync(join(p.root, '.svc', `.tests.json.${process.pid}.tmp`), 'half')
  const { files } = await collect(p)
  expect(files.map(({ path }) => path).sort()).toEqual([
    '.svc/.manifest.json.999999999.tmp',
    '.svc/dev/work/dev_gone-12345678',
  ])
  expect(existsSync(work)).toBe(false)
  expect(readdirSync(join(p.root, '.svc')).filter(name => name.endsWith('.tmp'))).toEqual([
    `.tests.json.${process.pid}.tmp`,
  ])
})

test('results of tests go with their asset', async () => {
  const tested = 'ingest: none\ntransform: SELECT 1 AS n\ntests:\n  - unique: n'
  const p = project({ a: tested, b: tested })
  await p.run()
  delete p.files['b']
  await p.run()
  await collect(p)
  expect(await p.query('SELECT DISTINCT asset FROM svc.svc_test_results')).toEqual([{ asset: 'a' }])
})

test('maps behind the archives are shortened, and versions stay as they were', async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [
      `asset_${n}`,
      'ingest: none\ntransform: SELECT 1 AS n\ndeploy: {materialize: view}',
    ]),
  )
  const p = project({ ...wide, a: 'SELECT 0 AS n' })
  const told = async () => {
    const workspace = await p.workspace()
    const found = [
      await versions(workspace, 'a'),
      await versions(workspace, 'asset_7'),
      await statusOf(workspace),
    ]
    await workspace.close()
    return found
  }
  for (let n = 1; n <= 12; n++) {
    p.files['a'] = `SELECT ${n} AS n`
    await p.run()
  }
  // All of the first run was built in it, and that stays.
  const lengths = await p.query(
    'SELECT length(assets::VARCHAR) AS n FROM svc.svc_state_history ORDER BY started_at',
  )
  expect(lengths.map(({ n }) => Number(n) < 2000)).toEqual([false, true, ...Array(10).fill(false)])
  const [ofA, ofWide] = await told()
  expect(ofA).toHaveLength(12)
  expect(ofWide).toHaveLength(1)
})
