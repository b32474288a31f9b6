/** Warnings of runs last: in the report, in the record of the run, beside what is live; and they fail a strict run. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { promoteRun } from '../../../cli/engine/run/promote-run.ts'
import type { RunRequest } from '../../../cli/engine/run/run.ts'
import { statusOf } from '../../../cli/engine/run/versions.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const make = projectMaker()

/** A key that comes twice with the same values is a record that is loaded once, with a warning. */
const orders =
  'ingest: {type: file, endpoint: data, resource: orders.ndjson, primary_key: id}\ntransform: SELECT id, n FROM {{ source }}'
const report = "ingest: none\ntransform: SELECT id FROM {{ ref('orders') }}"

function shop(
  files: Record<string, string> = { orders },
): TestProject & { deliver(ids: readonly number[]): void } {
  const project = make(files)
  return Object.assign(project, {
    deliver(ids: readonly number[]) {
      mkdirSync(join(project.root, 'data'), { recursive: true })
      writeFileSync(
        join(project.root, 'data', 'orders.ndjson'),
        ids.map(id => `${JSON.stringify({ id, n: id * 10 })}\n`).join(''),
      )
    },
  })
}

const codes = (warnings: readonly { readonly code: string; readonly count?: number | undefined }[] | null) =>
  (warnings ?? []).map(({ code, count }) => `${code} ${count}`)

async function standing(project: TestProject) {
  const workspace = await project.workspace()
  try {
    const assets = await statusOf(workspace)
    return assets.map(({ name, warnings }) => [name, codes(warnings)])
  } finally {
    await workspace.close()
  }
}

async function recorded(project: TestProject) {
  return project.withSession(async ({ state }) =>
    codes((await state.history('prod', 1))[0]?.warnings ?? null),
  )
}

async function live(project: TestProject) {
  const rows = await project.query('SELECT id FROM analytics.orders ORDER BY id')
  return rows.map(({ id }) => Number(id))
}

describe('a warning', () => {
  it('stands in the report, in the record of its run and beside what is live', async () => {
    const p = shop({ orders, report })
    p.deliver([1, 2, 2])
    const first = await p.run()
    expect(outcomes(first)).toEqual(['orders built', 'report built'])
    expect(first.warnings).toMatchObject([{ code: 'equal-records', asset: 'orders', count: 1 }])
    expect(await recorded(p)).toEqual(['equal-records 1'])
    expect(await standing(p)).toEqual([
      ['orders', ['equal-records 1']],
      ['report', []],
    ])
    expect(p.events.at(-1)).toMatchObject({ type: 'run-finished', warnings: 1 })
  })

  it('is told by each run that meets it, and ends with its cause', async () => {
    const p = shop()
    p.deliver([1, 2, 2])
    await p.run()
    const again = await p.run()
    expect(outcomes(again)).toEqual(['orders unchanged'])
    expect(codes(again.warnings)).toEqual(['equal-records 1'])
    p.deliver([1, 2])
    expect((await p.run()).warnings).toEqual([])
    expect(await standing(p)).toEqual([['orders', []]])
  })

  it('stays with what is live while other assets run', async () => {
    const p = shop({ orders, report })
    p.deliver([1, 2, 2])
    await p.run()
    await p.run({ selector: 'report' })
    expect(await standing(p)).toEqual([
      ['orders', ['equal-records 1']],
      ['report', []],
    ])
  })

  it('of a preview is one of its promotion, and stands from then on', async () => {
    const p = shop()
    p.deliver([1, 2, 2])
    const preview = await p.run({ kind: 'preview' })
    expect(await standing(p)).toEqual([['orders', []]])
    const workspace = await p.workspace()
    const promoted = await promoteRun(workspace, preview.runId, () => undefined).finally(() =>
      workspace.close(),
    )
    expect(codes(promoted.warnings)).toEqual(['equal-records 1'])
    expect(await standing(p)).toEqual([['orders', ['equal-records 1']]])
  })

  it('counts what a contract leaves out', async () => {
    const p = shop({
      orders: orders.replace(
        '\n',
        '\ncontract: {columns: {n: {type: bigint}}, evolution: {types: discard_row}}\n',
      ),
    })
    mkdirSync(join(p.root, 'data'))
    writeFileSync(join(p.root, 'data', 'orders.ndjson'), '{"id": 1, "n": 1}\n{"id": 2, "n": "many"}\n')
    expect(codes((await p.run()).warnings)).toEqual(['rejected-records 1'])
  })
})

describe('a strict run', () => {
  const strict: Partial<RunRequest> = { strict: true }

  it('fails by a new warning before its promotion', async () => {
    const p = shop()
    p.deliver([1])
    await p.run()
    p.deliver([1, 2, 2])
    const refused = await p.run(strict)
    expect(outcomes(refused)).toEqual(['orders failed'])
    expect(refused.failure).toMatchObject({ code: 'new-warnings', asset: 'orders', exitCode: 1 })
    expect(await live(p)).toEqual([1])
  })

  it('passes with warnings that its last run had, but not with more of them', async () => {
    const p = shop()
    p.deliver([1, 2, 2])
    await p.run()
    expect((await p.run(strict)).failure).toBeUndefined()
    p.deliver([1, 2, 2, 2])
    expect((await p.run(strict)).failure).toMatchObject({ code: 'new-warnings' })
    expect(await live(p)).toEqual([1, 2])
  })

  it('is what an environment says, for its previews too', async () => {
    const p = shop()
    p.settings = 'environments: {prod: {warnings: fail}}'
    p.deliver([1, 1])
    expect((await p.run()).failure).toMatchObject({ code: 'new-warnings' })
    expect((await p.run({ kind: 'preview' })).failure).toMatchObject({ code: 'new-warnings' })
  })

  it('promotes what has none where that is wanted', async () => {
    const p = shop({ orders, other: 'ingest: none\ntransform: SELECT 1 AS id' })
    p.deliver([1, 1])
    const part = await p.run({ ...strict, promotion: 'passed' })
    expect(part.kept).toMatchObject([{ asset: 'orders' }])
    expect(part.failure).toMatchObject({ code: 'new-warnings', exitCode: 1 })
    expect(await p.relations('analytics')).toEqual(['other view'])
  })

  it('fails by a test that warns and did not before', async () => {
    const tested =
      'ingest: none\ntransform: SELECT 1 AS id\ntests: [{accepted_values: {id: [2]}, severity: warn}]'
    const p = make({ tested })
    expect((await p.run(strict)).failure).toMatchObject({ code: 'new-warnings', asset: 'tested' })
    expect((await p.run()).failure).toBeUndefined()
    expect((await p.run(strict)).failure).toBeUndefined()
  })
})
