import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { freshnessReport } from '../../../cli/engine/quality/freshness-report.ts'
import { promoteRun } from '../../../cli/engine/run/promote-run.ts'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import type { Workspace } from '../../../cli/engine/workspace/workspace.ts'
import { freshnessVerdict } from '../../../server/language/index.ts'
import { type TestProject, testProject } from '../run/test-project.ts'

const open: TestProject[] = []
afterEach(async () => {
  for (const project of open.splice(0)) await project.remove()
})

const hour = 3_600_000

async function report(p: TestProject) {
  const workspace = await p.workspace()
  try {
    return await freshnessReport(workspace)
  } finally {
    await workspace.close()
  }
}

function project(files: Record<string, string>): TestProject {
  const made = testProject(files)
  open.push(made)
  return made
}

test.each([
  [1, 'OK'],
  [12, 'OK'],
  [12.1, 'WARN'],
  [24, 'WARN'],
  [25, 'ERROR'],
  [undefined, 'ERROR'],
])('%s hours old with limits of 12 and 24: %s', (hours, status) => {
  const limits = { warnAfterMs: 12 * hour, errorAfterMs: 24 * hour }
  expect(freshnessVerdict([hours === undefined ? undefined : hours * hour], limits)).toBe(status)
})

test('the last run that built or verified an asset counts, one that did not select it does not', async () => {
  const limits = 'freshness: {warn_after: 12h, error_after: 24h}'
  const p = project({
    a: `ingest: none\ntransform: SELECT 1 AS n\n${limits}`,
    b: `ingest: none\ntransform: SELECT 2 AS n\n${limits}`,
    c: 'SELECT 3 AS n',
  })
  expect(await report(p)).toMatchObject([
    { asset: 'a', status: 'ERROR', ageMs: undefined, message: 'never deployed to prod' },
    { asset: 'b', status: 'ERROR' },
  ])
  await p.run()
  expect(await report(p)).toMatchObject([{ status: 'OK' }, { status: 'OK' }])
  p.clock = new Date(p.clock.getTime() + 13 * hour)
  await p.run({ selector: 'a' })
  await p.run({ kind: 'preview' })
  expect(await report(p)).toMatchObject([
    { asset: 'a', status: 'OK' },
    { asset: 'b', status: 'WARN' },
  ])
})

test('a column says how old the data is', async () => {
  const p = project({
    a: `ingest: none
transform: SELECT TIMESTAMP '2026-02-28 12:00:00' AS at_time, NULL::TIMESTAMP AS never
freshness: {warn_after: 1d, error_after: 7d, column: at_time}`,
    b: `ingest: none
transform: SELECT NULL::TIMESTAMP AS at_time
freshness: {error_after: 7d, column: at_time}`,
  })
  await p.run()
  const [a, b] = await report(p)
  expect(a).toMatchObject({ status: 'WARN', column: 'at_time', last: '2026-02-28T12:00:00.000Z' })
  expect(b).toMatchObject({ status: 'ERROR', message: 'no row has a at_time' })
})

test('the clock that says it is older counts, and both are told', async () => {
  const p = project({
    a: `ingest: none
transform: SELECT TIMESTAMP '2026-02-28 12:00:00' AS at_time
freshness: {warn_after: 3d, column: at_time}`,
    b: `ingest: none
transform: SELECT TIMESTAMP '2999-01-01 00:00:00' AS at_time
freshness: {warn_after: 3d, column: at_time}`,
  })
  const loadedAt = (await p.run()).finishedAt
  expect(await report(p)).toMatchObject([
    { asset: 'a', clock: 'newest_row', loadedAt, newestRow: '2026-02-28T12:00:00.000Z' },
    {
      ...{ asset: 'b', clock: 'loaded', loadedAt, newestRow: '2999-01-01T00:00:00.000Z', status: 'WARN' },
      message: 'the newest at_time is in the future: 2999-01-01 00:00 UTC',
    },
  ])
  p.clock = new Date(p.clock.getTime() + 100 * hour)
  const [, b] = await report(p)
  expect(b).toMatchObject({ status: 'WARN', last: loadedAt })
})

const source = (limits: string) => `ingest: {type: file, endpoint: data, resource: a.csv}
transform: SELECT id FROM {{ source }}
freshness: {${limits}}`

describe('the last fetch of the rows that are live counts', () => {
  const withRows = (p: TestProject, ...ids: readonly number[]) => {
    mkdirSync(join(p.root, 'data'), { recursive: true })
    writeFileSync(join(p.root, 'data/a.csv'), `id\n${ids.join('\n')}\n`)
  }
  const later = (p: TestProject, hours: number) => {
    p.clock = new Date(p.clock.getTime() + hours * hour)
  }
  const loaded = async (p: TestProject) => (await report(p)).map(({ loadedAt }) => loadedAt)
  const fetchedBy = async (p: TestProject, request: Parameters<TestProject['run']>[0] = {}) => {
    const { runId, failure } = await p.run(request)
    expect(failure).toBeUndefined()
    return { runId, at: p.clock.toISOString() }
  }
  const within = async (p: TestProject, work: (workspace: Workspace) => Promise<unknown>) => {
    const workspace = await p.workspace()
    await work(workspace).finally(() => workspace.close())
  }

  test('whichever command deployed them: a promotion, and a rollback to older ones', async () => {
    const p = project({ a: source('warn_after: 12h') })
    withRows(p, 1)
    const preview = await fetchedBy(p, { kind: 'preview' })
    later(p, 1)
    await within(p, workspace => promoteRun(workspace, preview.runId, () => {}))
    expect(await loaded(p)).toEqual([preview.at])
    withRows(p, 1, 2)
    const second = await fetchedBy(p)
    expect(await loaded(p)).toEqual([second.at])
    await within(p, workspace => rollback(workspace, {}, () => {}))
    expect(await loaded(p)).toEqual([preview.at])
  })

  test('a run that fetches nothing makes nothing fresh, one that finds the same content does', async () => {
    const p = project({
      a: source('warn_after: 12h'),
      b: "ingest: none\ntransform: SELECT id FROM {{ ref('a') }}\nfreshness: {warn_after: 12h}",
    })
    withRows(p, 1)
    const first = await fetchedBy(p)
    later(p, 13)
    await fetchedBy(p, { noIngest: true })
    expect(await loaded(p)).toEqual([first.at, first.at])
    expect((await report(p)).map(({ status }) => status)).toEqual(['WARN', 'WARN'])
    const second = await fetchedBy(p)
    expect(await loaded(p)).toEqual([second.at, second.at])
  })

  test('a clock that was ahead is told, and forgotten with the next fetch', async () => {
    const p = project({ a: source('error_after: 12h') })
    withRows(p, 1)
    const now = p.clock
    later(p, 10_000)
    await fetchedBy(p)
    p.clock = now
    expect(await report(p)).toMatchObject([
      { status: 'WARN', ageMs: 0, message: expect.stringContaining('it was loaded in the future') },
    ])
    const { at } = await fetchedBy(p)
    expect(await report(p)).toMatchObject([{ status: 'OK', loadedAt: at }])
  })
})
