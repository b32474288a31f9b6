/** Every run that was asked for is in the history, also one that was refused before its first step (decisions 8). */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planRetry } from '../../../cli/engine/run/retry.ts'
import { insertHistory } from '../../../cli/engine/state/changes.ts'
import { history } from '../state/records.ts'
import { failing, projectMaker } from './test-project.ts'

const project = projectMaker()
const total = 'SELECT count(*) AS n FROM {{ ref("orders") }}'
const good = { orders: 'SELECT 1 AS id UNION ALL SELECT 2', total }

async function historyOf(shop: ReturnType<typeof project>) {
  return shop.withSession(async session => (await session.state.read('prod')).history)
}

describe('a run that is refused', () => {
  it('has a row with its reason, its times, its trigger and its commit, and no assets', async () => {
    const shop = project(good)
    await shop.run()
    mkdirSync(join(shop.root, '.git', 'refs', 'heads'), { recursive: true })
    writeFileSync(join(shop.root, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(shop.root, '.git', 'packed-refs'), `# pack-refs\n${'ab'.repeat(20)} refs/heads/main\n`)
    await expect(shop.run({ selector: 'nothing' })).rejects.toMatchObject({ code: 'unknown-asset' })
    const [refused, before] = await historyOf(shop)
    expect(refused).toMatchObject({
      status: 'Failed',
      refused: true,
      kind: 'run',
      assets: [],
      generation: null,
      from_generation: 1,
      trigger: 'cli',
      git_commit: 'ab'.repeat(20),
      started_at: shop.clock.toISOString(),
      finished_at: shop.clock.toISOString(),
    })
    expect(refused?.error).toContain('nothing')
    expect(before).toMatchObject({ status: 'deployed', refused: false, git_commit: null })
  })

  it('says so as its last event, so that its log has an end', async () => {
    const shop = project(good)
    await expect(shop.run({ selector: 'nothing' })).rejects.toThrow()
    expect(shop.events.at(-1)).toMatchObject({
      type: 'run-finished',
      status: 'Failed',
      promoted: false,
      failure: { code: 'unknown-asset' },
    })
    expect(await historyOf(shop)).toMatchObject([{ status: 'Failed', refused: true, selector: 'nothing' }])
  })

  it('changes nothing that a later run decides: what failed before is still selected, and kept for inspection', async () => {
    const shop = project(good)
    await shop.run()
    const tests = "tests:\n  - {name: small, sql: 'SELECT * FROM {{ this }}'}"
    shop.files['check'] = `ingest: none\ntransform: |\n  ${total}\n${tests}`
    const failed = await shop.run()
    expect(failed.status).toBe('Failed')
    await expect(shop.run({ selector: 'nothing' })).rejects.toThrow()
    const again = await shop.run({ selector: 'result:failed', kind: 'preview' })
    expect(again).toMatchObject({ status: 'Failed', assets: [{ name: 'check' }] })
    await expect(shop.run({ selector: 'nothing' })).rejects.toThrow()
    shop.files['total'] = 'SELECT count(*) + 1 AS n FROM {{ ref("orders") }}'
    expect((await shop.run({ selector: 'total' })).status).toBe('deployed')
    expect(await shop.withSession(session => session.schemas(''))).toContain(`svc_g_${failed.runId}`)
  })
})

describe('a run that is refused before it has the warehouse', () => {
  it('is in the history as soon as a command has it: beside a run at work, or after settings were broken', async () => {
    const shop = project(good)
    await shop.run()
    const workspace = await shop.workspace()
    const warehouse = await workspace.warehouse()
    const holder = { runId: 'r9', command: 'run', user: 'ada', host: hostname(), pid: process.pid, since: '' }
    const lease = await warehouse.acquireLease('prod', holder)
    await expect(shop.run({ selector: 'total' })).rejects.toMatchObject({ code: 'lease-held' })
    expect((await historyOf(shop))[0]).toMatchObject({
      status: 'Failed',
      refused: true,
      selector: 'total',
      generation: null,
      from_generation: 1,
      error: expect.stringContaining('being changed by'),
    })
    await expect(shop.run({ selector: 'orders' })).rejects.toMatchObject({ code: 'lease-held' })
    await lease.release()
    await workspace.close()
    shop.settings = 'environments: {prod: {promotion: passt}}'
    await expect(shop.run()).rejects.toMatchObject({ code: 'invalid-settings' })
    shop.settings = ''
    await shop.run()
    const all = await historyOf(shop)
    expect(all.filter(({ refused }) => refused).map(({ selector }) => selector)).toEqual([
      null,
      'orders',
      'total',
    ])
    expect(all[0]).toMatchObject({ status: 'deployed', refused: false })
    await shop.run()
    expect(await historyOf(shop)).toHaveLength(all.length + 1)
  })

  it('is there once, also where several are refused at the same moment, and a line before them was cut off', async () => {
    const shop = project(good)
    const folder = join(shop.root, '.svc', 'prod')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'refused.ndjson'), '{"run_id": "r')
    await shop.run()
    const workspace = await shop.workspace()
    const warehouse = await workspace.warehouse()
    const holder = { runId: 'r9', command: 'run', user: 'ada', host: hostname(), pid: process.pid, since: '' }
    const lease = await warehouse.acquireLease('prod', holder)
    const selectors = ['+total', 'orders', 'orders+', 'total']
    await Promise.allSettled(selectors.map(selector => shop.run({ selector })))
    await lease.release()
    await workspace.close()
    await shop.run()
    const refused = (await historyOf(shop)).filter(row => row.refused)
    expect(refused.map(({ selector }) => selector).sort()).toEqual(selectors)
    // A folder that is left empty goes.
    const left = existsSync(folder) ? readdirSync(folder) : []
    expect(left.filter(name => name.startsWith('refused'))).toEqual([])
  })

  it('hides nothing that a run did, however many are refused, and is not what a retry repeats', async () => {
    const shop = project(good)
    shop.files['orders'] = `SELECT ${failing} AS id`
    const failed = await shop.run()
    for (let count = 0; count < 25; count++)
      await expect(shop.run({ selector: 'nothing' })).rejects.toMatchObject({ code: 'unknown-asset' })
    const rows = await historyOf(shop)
    expect(rows.some(({ run_id }) => run_id === failed.runId)).toBe(true)
    const workspace = await shop.workspace()
    expect(await planRetry(workspace)).toMatchObject({ run: { run_id: failed.runId } })
    await workspace.close()
  })
})

describe('who started a run', () => {
  it.each([
    [{ SVC_TRIGGER: 'airflow:daily' }, 'airflow:daily'],
    [{ SVC_TRIGGER: '\u001b[31m' }, 'cli'],
    [{ CI: 'true' }, 'ci'],
    [{ CI: 'true', SVC_TRIGGER: 'dashboard' }, 'dashboard'],
  ])('%o is told as %s', async (env, trigger) => {
    const shop = project(good)
    shop.env = env
    await shop.run()
    expect(await historyOf(shop)).toMatchObject([{ trigger }])
  })
})

describe('a run whose process died', () => {
  it('ends with the last line of its log, not when somebody noticed', async () => {
    const shop = project(good)
    await shop.run()
    const started = shop.clock
    const seen = new Date(started.getTime() + 90_000)
    const dead = history('dead1', { status: 'running', started_at: started.toISOString(), finished_at: null })
    await shop.withSession(session =>
      session.state.commit(insertHistory({ ...dead, from_generation: 1, generation: null })),
    )
    mkdirSync(join(shop.root, '.svc', 'logs'), { recursive: true })
    const log = join(shop.root, '.svc', 'logs', 'dead1.ndjson')
    writeFileSync(log, '{}\n')
    utimesSync(log, seen, seen)
    shop.clock = new Date(started.getTime() + 3 * 3_600_000)
    await shop.run()
    const found = (await historyOf(shop)).find(({ run_id }) => run_id === 'dead1')
    expect(found).toMatchObject({ status: 'Failed', finished_at: seen.toISOString() })
  })

  it('ends with its start where nothing else is known', async () => {
    const shop = project(good)
    await shop.run()
    const started_at = shop.clock.toISOString()
    const dead = history('dead2', { status: 'running', started_at, finished_at: null, generation: null })
    await shop.withSession(session => session.state.commit(insertHistory({ ...dead, from_generation: 1 })))
    shop.clock = new Date(shop.clock.getTime() + 60_000)
    await shop.run()
    const found = (await historyOf(shop)).find(({ run_id }) => run_id === 'dead2')
    expect(found).toMatchObject({ status: 'Failed', finished_at: started_at })
  })
})
