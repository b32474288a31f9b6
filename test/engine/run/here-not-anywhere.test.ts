/**
 * What is told is compared with what is live in the environment at hand (decisions 9, "Here, not anywhere"): loads, builds and
 * verdicts are shared, and what another environment has seen before counts as nothing here.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { driftText } from '../../../cli/engine/ingest/source-drift.ts'
import { readRejects } from '../../../cli/engine/run/read-rejects.ts'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { typeUnderTest } from '../../support/warehouse-under-test.ts'
import { failing, outcomes, projectMaker, type TestProject } from './test-project.ts'

const make = projectMaker()
const text = typeUnderTest('VARCHAR')

const fromFile = (contract = '') =>
  `ingest: {type: file, endpoint: data, resource: orders.ndjson}\n${contract === '' ? '' : `contract: {${contract}}\n`}transform: SELECT * FROM {{ source }}`

function shop(contract = ''): TestProject {
  return make({ orders: fromFile(contract) })
}

function deliver({ root }: TestProject, ...records: readonly object[]): void {
  mkdirSync(join(root, 'data'), { recursive: true })
  const lines = records.map(record => `${JSON.stringify(record)}\n`)
  writeFileSync(join(root, 'data', 'orders.ndjson'), lines.join(''))
}

const drift = ({ events }: TestProject) =>
  events.flatMap(event => (event.type === 'source-drift' ? event.changes.map(driftText) : []))
const replayed = ({ events }: TestProject) =>
  events.flatMap(event => (event.type === 'records-replayed' ? [event.records] : []))
const takenOver = ({ events }: TestProject) =>
  events.flatMap(event => (event.type === 'asset-reused' && event.made_by ? [event] : []))

describe('drift of a source', () => {
  it('is told in each environment, whichever has seen it first', async () => {
    const project = shop()
    deliver(project, { id: 1 })
    await project.run({}, 'dev')
    await project.run()
    expect(drift(project)).toEqual([])
    deliver(project, { id: 1, city: 'Ulm' })
    await project.run({}, 'dev')
    expect(drift(project)).toEqual([`column city ${text} is new`])
    await project.run()
    expect(drift(project)).toEqual([`column city ${text} is new`])
    await project.run()
    expect(drift(project)).toEqual([])
  })

  it('is told on the way back to a file that was loaded before', async () => {
    const project = shop()
    const before = { id: 1, note: 'x' }
    const after = { id: 1, city: 'Ulm' }
    for (const record of [before, after, before, after]) {
      deliver(project, record)
      await project.run()
    }
    expect(drift(project)).toEqual([`column city ${text} is new`, 'column note is gone'])
    deliver(project, before)
    await project.run()
    expect(drift(project)).toEqual([`column note ${text} is new`, 'column city is gone'])
  })
})

describe('rejected records that are in again', () => {
  const strict = 'enforce_types: true, columns: {amount: bigint}, evolution: discard_row, max_rejects: 2'
  const loose = 'enforce_types: true, columns: {amount: varchar}'

  async function rejected(): Promise<TestProject> {
    const project = shop(strict)
    deliver(project, { id: 1, amount: 1 }, { id: 2, amount: 'many' })
    await project.run({}, 'dev')
    await project.run()
    project.files['orders'] = fromFile(loose)
    await project.run({}, 'dev')
    expect(replayed(project)).toEqual([1])
    return project
  }

  it('are told in each environment that lacked them, once', async () => {
    const project = await rejected()
    await project.run()
    expect(replayed(project)).toEqual([1])
    await project.run()
    expect(replayed(project)).toEqual([])
  })

  it('are none where the rejects were never live', async () => {
    const project = await rejected()
    await project.run({}, 'test')
    expect(replayed(project)).toEqual([])
  })

  it('are away again after a rollback, and told again after it', async () => {
    const project = await rejected()
    const workspace = await project.workspace('dev')
    await rollback(workspace, {}, () => undefined)
    const wanted = { asset: undefined, runId: undefined, limit: 20 }
    const { rejects } = await readRejects(workspace, wanted, () => undefined)
    await workspace.close()
    expect(rejects).toMatchObject([{ record_number: 2, replayed_run_id: null }])
    await project.run({}, 'dev')
    expect(replayed(project)).toEqual([1])
  })
})

describe('an environment that shows a build of another one', () => {
  it('says that it was taken over, with its rows and the run that made it', async () => {
    const project = shop()
    project.files['total'] = 'SELECT count(*) AS n FROM {{ ref("orders") }}'
    deliver(project, { id: 1 })
    await project.run({}, 'dev')
    const first = await project.run()
    expect(outcomes(first)).toEqual(['orders taken_over', 'total taken_over'])
    deliver(project, { id: 1 }, { id: 2 })
    const dev = await project.run({}, 'dev')
    const report = await project.run()
    expect(outcomes(report)).toEqual(['orders taken_over', 'total taken_over'])
    expect(takenOver(project)).toMatchObject([
      { asset: 'orders', made_by: dev.runId, rows: 2 },
      { asset: 'total', made_by: dev.runId, rows: 1 },
    ])
    expect(outcomes(await project.run())).toEqual(['orders unchanged', 'total unchanged'])
    expect(takenOver(project)).toEqual([])
  })
})

describe('a kept verdict', () => {
  const known = `ingest: none
transform: SELECT 1 AS id
tests:
  - relationships: {id: other.id}`

  it('of another environment says nothing of a test that reads what has no build here', async () => {
    const project = make({ known, other: 'SELECT 1 AS id' })
    project.settings = 'environments: {prod: {promotion: passed}}'
    await project.run({}, 'dev')
    // The same build of the tested asset, and no build of the one that its test reads.
    project.files['other'] = `SELECT ${failing} AS id`
    const report = await project.run()
    expect(await project.relations('analytics')).toEqual([])
    expect(outcomes(report)).toEqual(['known test_failed', 'other failed'])
  })

  it('of another environment says nothing of a change against what is live here', async () => {
    const rows = (count: number) =>
      `ingest: none
transform: SELECT * FROM generate_series(1, ${count}) AS s(id)
tests:
  - row_count: {change: 50%}`
    const project = make({ known: rows(10) })
    await project.run({}, 'dev')
    await project.run()
    for (const count of [14, 20]) {
      project.files['known'] = rows(count)
      expect((await project.run({}, 'dev')).failure).toBeUndefined()
    }
    const report = await project.run()
    expect(report.failure?.message).toContain('20 rows after 10: 100 % more')
    expect(await project.query('SELECT count(*)::INTEGER AS n FROM analytics.known')).toEqual([{ n: 10 }])
  })

  it('of this environment neither, once what the test reads is gone', async () => {
    const project = make({ known, other: 'SELECT 1 AS id' })
    project.settings = 'environments: {prod: {promotion: passed}}'
    await project.run()
    project.files['other'] = `SELECT ${failing} AS id`
    const report = await project.run()
    expect(outcomes(report)).toEqual(['known unchanged', 'other failed'])
    expect(await project.relations('analytics')).toEqual(['known view', 'other view'])
  })
})
