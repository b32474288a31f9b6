import { describe, expect, test } from 'vitest'
import { freshnessReport } from '../../../cli/engine/quality/freshness-report.ts'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { type SampleRequest, sampleAsset } from '../../../cli/engine/run/sample-asset.ts'
import { testAssets } from '../../../cli/engine/run/test-assets.ts'
import { statusOf, versions } from '../../../cli/engine/run/versions.ts'
import { projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

async function sample(p: TestProject, asset: string, request: Partial<SampleRequest> = {}) {
  const workspace = await p.workspace()
  try {
    return await sampleAsset(workspace, asset, { source: 'view', limit: 10, ...request })
  } finally {
    await workspace.close()
  }
}

const files = {
  src: 'ingest: {type: rows, rows: [{id: 1}, {id: 2}]}\ntransform: SELECT id * 10 AS ten FROM {{ source }}',
  eph: "ingest: none\ndeploy: {materialize: ephemeral}\ntransform: SELECT ten FROM {{ ref('src') }}",
  reader: "SELECT sum(ten) AS n FROM {{ ref('eph') }}",
}

describe('sample', () => {
  test('reads the view, the table and the raw load', async () => {
    const p = project(files)
    await p.run()
    expect((await sample(p, 'src')).rows).toEqual([{ ten: 10 }, { ten: 20 }])
    expect(await sample(p, 'src', { limit: 1, source: 'model' })).toMatchObject({
      rows: [{ ten: 10 }],
      columns: [{ name: 'ten' }],
    })
    expect((await sample(p, 'src', { source: 'raw' })).rows).toEqual([{ id: 1 }, { id: 2 }])
    expect((await sample(p, 'eph', { source: 'model' })).rows).toEqual([{ ten: 10 }, { ten: 20 }])
  })

  test('makes a sample table, replaced each time', async () => {
    const p = project(files)
    await p.run()
    const { sampleTable = '' } = await sample(p, 'src', { size: 1 })
    expect(sampleTable).toMatch(/^svc_samples_\w{8}_\w{8}\.src$/)
    expect((await sample(p, 'src', { size: 2 })).sampleTable).toBe(sampleTable)
    expect(await p.query(`SELECT count(*) AS n FROM ${sampleTable}`)).toEqual([{ n: 2 }])
    await p.run()
    expect(await p.withSession(session => session.schemas('svc_samples'))).toEqual([])
  })

  test('looks at a preview', async () => {
    const p = project(files)
    await p.run()
    p.files['src'] = files.src.replace('* 10', '* 1000')
    const { runId } = await p.run({ kind: 'preview' })
    expect((await sample(p, 'src', { runId })).rows).toEqual([{ ten: 1000 }, { ten: 2000 }])
    expect((await sample(p, 'src')).rows).toEqual([{ ten: 10 }, { ten: 20 }])
  })

  test('says what cannot be sampled', async () => {
    const p = project(files)
    await expect(sample(p, 'src')).rejects.toMatchObject({ code: 'not-deployed', exitCode: 1 })
    await p.run()
    await expect(sample(p, 'nope')).rejects.toMatchObject({ code: 'unknown-asset' })
    await expect(sample(p, 'eph')).rejects.toMatchObject({ code: 'not-deployed' })
    await expect(sample(p, 'reader', { source: 'raw' })).rejects.toMatchObject({ code: 'not-deployed' })
    await expect(sample(p, 'src', { runId: 'nope' })).rejects.toMatchObject({ code: 'unknown-run' })
  })
})

describe('test', () => {
  const tested = (n: number) => `ingest: none\ntransform: SELECT ${n} AS n\ntests: [{range: {n: {max: 5}}}]`
  const check = async (p: TestProject, request: Partial<Parameters<typeof testAssets>[1]> = {}) => {
    const workspace = await p.workspace()
    try {
      const results = await testAssets(workspace, {
        selector: undefined,
        runId: undefined,
        allTests: false,
        ...request,
      })
      return results.map(({ asset, status, ran }) => `${asset} ${status} ${ran}`)
    } finally {
      await workspace.close()
    }
  }

  test('asks what is live, and keeps results that still hold', async () => {
    const p = project({ a: tested(1), b: tested(2) })
    await p.run()
    expect(await check(p)).toEqual(['a pass false', 'b pass false'])
    expect(await check(p, { allTests: true, selector: 'b' })).toEqual(['b pass true'])
    p.files['a'] = tested(1).replace('max: 5', 'max: 0')
    expect(await check(p)).toEqual(['a fail true', 'b pass false'])
  })

  test('asks what a failed run left', async () => {
    const p = project({ a: tested(1) })
    await p.run()
    p.files['a'] = tested(9)
    const { runId } = await p.run()
    expect(await check(p, { runId })).toEqual(['a fail true'])
    expect(await check(p, { runId: undefined, allTests: true })).toEqual(['a pass true'])
  })

  test('refuses what is not there', async () => {
    const p = project({ a: tested(1), b: tested(2) })
    await expect(check(p)).rejects.toMatchObject({ code: 'not-deployed' })
    await p.run({ selector: 'a' })
    expect(await check(p)).toEqual(['a pass false'])
    await expect(check(p, { selector: 'b' })).rejects.toMatchObject({ code: 'not-deployed' })
    await expect(check(p, { runId: 'nope' })).rejects.toMatchObject({ code: 'unknown-run' })
  })
})

test('a warehouse that svc has never touched is simply empty', async () => {
  const p = project({
    a: 'ingest: none\ntransform: SELECT 1 AS n\nfreshness: {error_after: 1d}\ntests: [{not_null: n}]',
  })
  await p.withSession(session => session.execute(['CREATE TABLE mine AS SELECT 1 AS n']))
  const workspace = await p.workspace()
  const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
  expect((await planRun(workspace, request, () => {})).assets).toMatchObject([{ name: 'a', change: 'new' }])
  expect(await statusOf(workspace)).toMatchObject([{ name: 'a', activeHash: undefined }])
  expect(await versions(workspace, 'a')).toEqual([])
  expect(await freshnessReport(workspace)).toMatchObject([{ asset: 'a', status: 'ERROR' }])
  const look = { selector: undefined, runId: 'x', allTests: false }
  await expect(testAssets(workspace, look)).rejects.toMatchObject({ code: 'unknown-run' })
  const sampled = sampleAsset(workspace, 'a', { source: 'view', limit: 1, runId: 'x' })
  await expect(sampled).rejects.toMatchObject({ code: 'unknown-run' })
  await workspace.close()
})
