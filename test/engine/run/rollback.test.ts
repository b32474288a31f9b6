import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { RunReport } from '../../../cli/engine/run/events.ts'
import { promoteRun } from '../../../cli/engine/run/promote-run.ts'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { statusOf, versions } from '../../../cli/engine/run/versions.ts'
import { times } from '../../support/long.ts'
import { failing, outcomes, projectMaker, refusal, type TestProject } from './test-project.ts'

const project = projectMaker()

async function back(p: TestProject, names?: readonly string[]): Promise<RunReport> {
  p.clock = new Date(p.clock.getTime() + 1000)
  const workspace = await p.workspace()
  try {
    return await rollback(workspace, names === undefined ? {} : { names }, event => p.events.push(event))
  } finally {
    await workspace.close()
  }
}

async function backTo(p: TestProject, to: string): Promise<RunReport> {
  p.clock = new Date(p.clock.getTime() + 1000)
  const workspace = await p.workspace()
  try {
    return await rollback(workspace, { to }, event => p.events.push(event))
  } finally {
    await workspace.close()
  }
}

async function promote(p: TestProject, runId: string): Promise<RunReport> {
  p.clock = new Date(p.clock.getTime() + 1000)
  const workspace = await p.workspace()
  try {
    return await promoteRun(workspace, runId, event => p.events.push(event))
  } finally {
    await workspace.close()
  }
}

/** Two assets whose values always agree in one generation. */
const version = (n: number) => ({ x: `SELECT ${n} AS n`, y: "SELECT n FROM {{ ref('x') }}" })
const show = async (p: TestProject) =>
  Number((await p.query('SELECT x.n * 1000 + y.n AS both FROM analytics.x, analytics.y'))[0]?.['both'])

async function deployed(...numbers: number[]): Promise<TestProject> {
  const p = project({})
  for (const n of numbers) {
    p.files = version(n)
    await p.run()
  }
  return p
}

describe('rollback', () => {
  test('returns to the previous map, and a second one goes back again', async () => {
    const p = await deployed(1, 2)
    expect(await show(p)).toBe(2002)
    expect((await back(p)).generation).toBe(3)
    expect(await show(p)).toBe(1001)
    expect((await back(p)).generation).toBe(4)
    expect(await show(p)).toBe(2002)
  })

  test('its row says when it began and when it ended', async () => {
    const p = await deployed(1, 2)
    const open = p.openWarehouse
    p.openWarehouse = () => {
      p.clock = new Date(p.clock.getTime() + 2000)
      return open()
    }
    const report = await back(p)
    p.openWarehouse = open
    const [row] = await p.query(
      "SELECT extract(epoch FROM finished_at - started_at) AS seconds FROM svc.svc_state_history WHERE kind = 'rollback'",
    )
    expect(Number(row?.['seconds'])).toBe(2)
    expect(report.seconds).toBe(2)
  })

  test('does not count previews, failed runs and runs that changed nothing', async () => {
    const p = await deployed(1, 2)
    await p.run()
    p.files = version(3)
    await p.run({ kind: 'preview' })
    p.files = { ...version(4), bad: `SELECT ${failing} AS n` }
    expect((await p.run()).status).toBe('Failed')
    await back(p)
    expect(await show(p)).toBe(1001)
  })

  test('goes to the run that is named, and refuses one that deployed nothing', async () => {
    const p = project({})
    const runs: RunReport[] = []
    for (const n of [1, 2, 3]) {
      p.files = version(n)
      runs.push(await p.run())
    }
    await backTo(p, runs[0]?.runId ?? '')
    expect(await show(p)).toBe(1001)
    await back(p)
    expect(await show(p)).toBe(3003)
    expect(await refusal(backTo(p, runs[2]?.runId ?? ''))).toMatchObject({ code: 'nothing-to-roll-back' })
    expect(await refusal(backTo(p, 'nothing'))).toMatchObject({ code: 'unknown-run' })
    p.files = version(4)
    const preview = await p.run({ kind: 'preview' })
    expect(await refusal(backTo(p, preview.runId))).toMatchObject({ code: 'nothing-to-roll-back' })
    expect(await show(p)).toBe(3003)
  })

  test('finds its way past any number of runs that changed nothing', async () => {
    const p = await deployed(1, 2)
    for (let run = 0; run < 25; run++) await p.run()
    await back(p)
    expect(await show(p)).toBe(1001)
  })

  test('of one asset moves that one alone and says who rests on the newer build', async () => {
    const p = await deployed(1, 2)
    const report = await back(p, ['x'])
    expect(report.assets.map(({ name }) => name)).toEqual(['x'])
    expect(report.leftBehind).toEqual(['y'])
    expect(await show(p)).toBe(1002)
    await back(p, ['x'])
    expect(await show(p)).toBe(2002)
  })

  test('brings the view of a removed asset back', async () => {
    const p = await deployed(1)
    delete p.files['y']
    await p.run()
    await back(p)
    expect(await show(p)).toBe(1001)
    await back(p)
    const names = await p.withSession(async session =>
      (await session.relations('analytics')).map(({ name }) => name),
    )
    expect(names).toEqual(['x'])
  })

  test('the next run deploys the project again', async () => {
    const p = await deployed(1, 2)
    await back(p)
    expect(outcomes(await p.run())).toEqual(['x taken_over', 'y taken_over'])
    expect(await show(p)).toBe(2002)
  })

  test('says when there is nothing to roll back to', async () => {
    const p = await deployed(1)
    expect(await refusal(back(p))).toMatchObject({ code: 'nothing-to-roll-back' })
    expect(await refusal(back(p, ['x']))).toMatchObject({ code: 'nothing-to-roll-back' })
    expect(await refusal(back(p, ['z']))).toMatchObject({ code: 'unknown-asset' })
  })
})

describe('preview and promote', () => {
  test('a preview leaves production alone and can be promoted whole', async () => {
    const p = await deployed(1)
    p.files = version(2)
    const preview = await p.run({ kind: 'preview' })
    expect(preview).toMatchObject({ status: 'deployed', generation: undefined, promotedViews: 0 })
    expect(await show(p)).toBe(1001)
    expect(await p.query(`SELECT n FROM svc_g_${preview.runId}.y`)).toEqual([{ n: 2 }])
    expect((await promote(p, preview.runId)).generation).toBe(2)
    expect(await show(p)).toBe(2002)
    await back(p)
    expect(await show(p)).toBe(1001)
  })

  test('a preview shows what it reused beside what it built', async () => {
    const p = await deployed(1)
    p.files = { ...p.files, z: 'SELECT 9 AS n' }
    const preview = await p.run({ kind: 'preview' })
    expect(await p.relations(`svc_g_${preview.runId}`)).toEqual(['x view', 'y view', 'z table'])
    expect(
      await p.query(`SELECT x.n, z.n AS z FROM svc_g_${preview.runId}.x, svc_g_${preview.runId}.z`),
    ).toEqual([{ n: 1, z: 9 }])
  })

  test('is refused when production has moved since', async () => {
    const p = await deployed(1)
    p.files = version(2)
    const preview = await p.run({ kind: 'preview' })
    p.files = version(3)
    await p.run()
    expect(await refusal(promote(p, preview.runId))).toMatchObject({ code: 'promotion-stale' })
    expect(await show(p)).toBe(3003)
  })

  test('says that a table was dropped which it would show, also to a rollback', async () => {
    const p = await deployed(1)
    p.files = version(2)
    const drop = ({ runId }: RunReport) =>
      p.withSession(session => session.execute([`DROP TABLE svc_g_${runId}.y`]))
    const gone = { code: 'build-gone', message: 'somebody has dropped the table or view of "y"' }
    const preview = await p.run({ kind: 'preview' })
    await drop(preview)
    expect(await refusal(promote(p, preview.runId))).toMatchObject(gone)
    expect(await show(p)).toBe(1001)
    const again = await p.run({ kind: 'preview' })
    expect((await promote(p, again.runId)).generation).toBe(2)
    p.files = version(3)
    await p.run()
    await drop(again)
    expect(await refusal(back(p))).toMatchObject(gone)
    expect(await show(p)).toBe(3003)
  })

  test('names what cannot be promoted', async () => {
    const p = await deployed(1)
    const [run] = await p.query('SELECT run_id FROM svc.svc_state_history')
    expect(await refusal(promote(p, 'nope'))).toMatchObject({ code: 'unknown-run' })
    expect(await refusal(promote(p, String(run?.['run_id'])))).toMatchObject({ code: 'wrong-usage' })
  })
})

describe('production is never seen half-promoted', () => {
  test('a reader during runs and rollbacks sees whole generations only', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `v${i}`)
    const files = (n: number) => Object.fromEntries(names.map(name => [name, `SELECT ${n} AS n`]))
    const p = project(files(0))
    await p.run()
    const warehouse = await p.openWarehouse()
    const reader = await warehouse.open('write')
    // One statement sees one moment; a join of eight views would take most of this test's time to plan.
    const sql = names.map(name => `SELECT n FROM analytics.${name}`).join(' UNION ALL ')
    const turns = times(12, 50)
    let reads = 0
    const seen = new Set<string>()
    let stop = false
    const reading = (async () => {
      while (!stop) {
        const rows = await reader.query(sql)
        expect(rows).toHaveLength(names.length)
        const values = new Set(rows.map(row => row['n']))
        expect(values.size).toBe(1)
        seen.add(String([...values][0]))
        reads++
        await setTimeout(2)
      }
    })()
    for (let turn = 1; turn <= turns; turn++) {
      if (turn % 3 === 0) await back(p)
      else {
        p.files = files(turn)
        await p.run()
      }
    }
    stop = true
    await reading
    await reader.close()
    expect(reads).toBeGreaterThan(turns)
    expect(seen.size).toBeGreaterThan(turns / 5)
  }, 240_000)
})

describe('collection', () => {
  const relations = (p: TestProject) =>
    p.withSession(async session => {
      const found: string[] = []
      for (const schema of await session.schemas('svc_g_')) {
        for (const { name, kind } of await session.relations(schema)) found.push(`${name} ${kind}`)
      }
      return found.sort()
    })

  test('keeps what archives pin and drops the rest', async () => {
    const p = await deployed(1, 2, 3, 4, 5, 6, 7, 8)
    // Live and five archives, x and y each.
    expect((await relations(p)).length).toBe(12)
    for (let step = 0; step < 1; step++) await back(p)
    expect(await show(p)).toBe(7007)
    const records = await p.query('SELECT count(*) AS n FROM svc.svc_builds')
    expect(records).toEqual([{ n: 12 }])
  })

  test('keeps a parent that only a live child pins', async () => {
    const p = project({
      ...version(1),
      v: "ingest: none\ndeploy: {materialize: view}\ntransform: SELECT n FROM {{ ref('x') }}",
    })
    await p.run()
    for (let n = 2; n < 12; n++) {
      p.files['x'] = `SELECT ${n} AS n`
      await p.run({ selector: 'x' })
    }
    expect(await p.query('SELECT n FROM analytics.v')).toEqual([{ n: 1 }])
    expect(await p.query('SELECT n FROM analytics.x')).toEqual([{ n: 11 }])
  })

  test('keeps what another environment shows, its preview and the last failed run', async () => {
    const p = await deployed(1)
    await p.run({}, 'dev')
    p.files = version(2)
    const preview = await p.run({ kind: 'preview' }, 'dev')
    p.files = { ...version(3), bad: `SELECT ${failing} AS n` }
    const failed = await p.run({}, 'dev')
    for (const n of [4, 5, 6, 7, 8, 9, 10, 11]) {
      p.files = version(n)
      await p.run()
    }
    expect(await p.query('SELECT n FROM analytics_dev.y')).toEqual([{ n: 1 }])
    expect(await p.query(`SELECT n FROM svc_g_${preview.runId}.y`)).toEqual([{ n: 2 }])
    expect(await p.query(`SELECT n FROM svc_g_${failed.runId}.y`)).toEqual([{ n: 3 }])
  })

  test('leaves no view dangling and no empty schema', async () => {
    const p = await deployed(1, 2, 3, 4, 5, 6, 7, 8, 9)
    await p.withSession(async session => {
      for (const schema of await session.schemas('svc_g_')) {
        const found = await session.relations(schema)
        expect(found.length).toBeGreaterThan(0)
        for (const { name } of found) await session.query(`SELECT * FROM ${schema}.${name}`)
      }
    })
  })
})

describe('versions and status', () => {
  test('a version is a run that gave the asset another build, or failed at it', async () => {
    const p = await deployed(1, 1, 2)
    p.files['x'] = `SELECT ${failing} AS n`
    await p.run()
    const workspace = await p.workspace()
    const found = await versions(workspace, 'x')
    expect(found.map(({ status, kind, active }) => `${status} ${kind} ${active}`)).toEqual([
      'Failed run false',
      'deployed run true',
      'deployed run false',
    ])
    const [x] = await statusOf(workspace)
    expect(x).toMatchObject({ name: 'x', activeHash: found[1]?.hash, status: 'Failed', rows: 1 })
    await workspace.close()
  })

  test('without a warehouse nothing is deployed', async () => {
    const p = project(version(1))
    const workspace = await p.workspace()
    expect(await statusOf(workspace)).toMatchObject([{ name: 'x', activeHash: undefined }, { name: 'y' }])
    expect(await versions(workspace, 'x')).toEqual([])
    await workspace.close()
  })
})
