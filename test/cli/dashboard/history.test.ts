/** What the dashboard is told of earlier runs: `.svc/<environment>/history.json` and `test_history.json`. */

import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { historyText, makeHistory, parseHistory } from '../../../cli/engine/artifacts/history.ts'
import { makeTestHistory } from '../../../cli/engine/artifacts/test-history.ts'
import type { HistoryRecord } from '../../../cli/engine/state/state.ts'
import type { HistoryFile, TestHistoryFile, TestResult } from '../../../server/contract/index.ts'
import { createGround, type Ground } from '../bad-input/command-line.ts'
import { shop } from '../shop-project.ts'

const asIs = (text: string) => text

function record(number: number, change: Partial<HistoryRecord> = {}): HistoryRecord {
  const id = String(number).padStart(10, '0')
  return {
    run_id: id,
    environment: 'prod',
    kind: 'run',
    selector: null,
    status: 'deployed',
    started_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    finished_at: new Date(Date.UTC(2026, 0, 1) + number * 1000 + 500).toISOString(),
    generation: number,
    from_generation: number - 1,
    assets: [],
    error: null,
    trigger: 'cli',
    git_commit: null,
    refused: false,
    warnings: [],
    ...change,
  }
}

const assetOf = (name: string, status: 'built' | 'unchanged' | 'kept' | 'failed') => ({
  name,
  definition_hash: 'abc',
  build_key: 'k',
  rows: 3,
  seconds: 0.1,
  status,
})

describe('runs', () => {
  it('are kept after the tables have forgotten them, newest first, 200 at most', () => {
    const first = makeHistory(undefined, [record(1)], 'prod', asIs)
    const all = Array.from({ length: 250 }, (_, place) => record(place + 2))
    const later = all.reduce((file, each) => makeHistory(file, [each], 'prod', asIs), first)
    expect(later.runs).toHaveLength(200)
    expect(later.runs[0]?.run_id).toBe('0000000251')
    expect(later.runs.at(-1)?.run_id).toBe('0000000052')
  })

  it('tell what was built or failed, and count what was reused', () => {
    const assets = [
      assetOf('a', 'built'),
      assetOf('b', 'unchanged'),
      assetOf('c', 'kept'),
      assetOf('d', 'failed'),
    ]
    const before = record(1, { assets: [assetOf('b', 'built'), assetOf('c', 'built')] })
    const [run] = makeHistory(undefined, [record(2, { assets }), before], 'prod', asIs).runs
    expect(run?.assets.map(({ name }) => name)).toEqual(['a', 'd'])
    expect(run?.unchanged).toBe(1)
  })

  it('that were running are told anew, those that ended stay as they were told first', () => {
    const running = record(1, { status: 'running', finished_at: null })
    const done = record(2, { assets: [assetOf('a', 'built')] })
    const before = makeHistory(undefined, [done, running], 'prod', asIs)
    const after = makeHistory(before, [record(2), record(1, { status: 'Failed' })], 'prod', asIs)
    expect(after.runs.map(({ status }) => status)).toEqual(['deployed', 'Failed'])
    expect(after.runs[0]?.assets).toHaveLength(1)
    expect(makeHistory(before, [record(3)], 'prod', asIs).runs.map(({ run_id }) => run_id)).toEqual([
      '0000000003',
      '0000000002',
    ])
  })

  it('of another git branch are not mixed in', () => {
    const before = makeHistory(undefined, [record(1)], 'dev_main', asIs)
    expect(makeHistory(before, [record(2)], 'dev_other', asIs).runs).toHaveLength(1)
  })

  it('of large projects lose their lists of assets, the newest one never, small ones beside them neither', () => {
    const many = Array.from({ length: 15_000 }, (_, place) => assetOf(`a${place}`, 'built'))
    const few = [assetOf('a', 'built')]
    const records = [record(3, { assets: many }), record(2, { assets: many }), record(1, { assets: few })]
    const { runs } = makeHistory(undefined, records, 'prod', asIs)
    expect(runs.map(run => run.assets.length)).toEqual([15_000, 0, 1])
  })

  it('hold no secret, and are read back as they were written', () => {
    const failed = record(1, { status: 'Failed', error: 'no such host: hunter2.example' })
    const clean = (text: string) => text.replaceAll('hunter2', '***')
    const file = makeHistory(undefined, [failed, record(2)], 'prod', clean)
    expect(historyText(file)).not.toContain('hunter2')
    expect(parseHistory(historyText(file))).toEqual(file)
    expect(parseHistory(historyText(file).slice(0, -9))).toBeUndefined()
  })
})

describe('tests', () => {
  const result = (change: Partial<TestResult> = {}): TestResult => ({
    asset: 'a',
    name: 'unique_id',
    kind: 'unique',
    column: 'id',
    severity: 'error',
    status: 'pass',
    failures: 0,
    message: null,
    sample: [],
    seconds: 0.25,
    ran: true,
    place: 'a.svc:1:1',
    ...change,
  })
  const known = new Set(['a\nunique_id'])
  const next = (
    before: TestHistoryFile | undefined,
    results: readonly TestResult[],
    at: number,
    names = known,
  ) =>
    makeTestHistory(before, {
      results,
      at: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
      known: names,
      clean: asIs,
    })

  it('go newest first, 30 at most, with the message of the newest', () => {
    let file = next(undefined, [result({ status: 'fail', message: '2 rows' })], 0)
    expect(file?.tests[0]).toMatchObject({ message: '2 rows', history: [{ status: 'fail' }] })
    for (let at = 1; at <= 40; at++) file = next(file, [result()], at)
    expect(file?.tests[0]?.history).toHaveLength(30)
    expect(file?.tests[0]?.history[0]).toEqual({
      at: '2026-01-01T00:00:40.000Z',
      status: 'pass',
      execution_time: 0.25,
    })
    expect(file?.tests[0]?.message).toBeNull()
  })

  it('that did not run are no news, those that are gone are forgotten', () => {
    const file = next(undefined, [result()], 0)
    expect(next(file, [result({ ran: false })], 1)).toBeUndefined()
    expect(next(file, [], 1, new Set(['b\nother']))?.tests).toEqual([])
  })

  it('are shortened in a project of thousands', () => {
    const names = new Set(Array.from({ length: 12_000 }, (_, place) => `a${place}\nt`))
    let file: TestHistoryFile | undefined
    for (let at = 0; at < 8; at++) file = next(file, [result({ asset: 'a7', name: 't' })], at, names)
    expect(file?.tests[0]?.history).toHaveLength(5)
  })
})

describe('files', () => {
  let ground: Ground
  beforeEach(() => {
    ground = createGround(shop)
  })
  afterEach(() => ground.dispose())
  const path = (name: string) => join(ground.root, '.svc', 'dev', name)
  const read = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'))
  const history = () => read('history.json') as HistoryFile
  const svc = async (...words: readonly string[]) => (await ground.line(words)).code

  it('are written by run, preview, promote and rollback, and by a run that failed', async () => {
    expect(await svc('run')).toBe(0)
    const sales = shop['models/marts/daily_sales.svc'] ?? ''
    ground.write('models/marts/daily_sales.svc', sales.replace('min: 1', 'min: 100'))
    expect(await svc('run')).toBe(1)
    ground.write('models/marts/daily_sales.svc', sales.replace('>=', '>'))
    expect(await svc('preview')).toBe(0)
    expect(await svc('promote', history().runs[0]?.run_id ?? '')).toBe(0)
    expect(await svc('rollback')).toBe(0)
    const { runs } = history()
    expect(runs.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'rollback deployed',
      'promote deployed',
      'preview deployed',
      'run Failed',
      'run deployed',
    ])
    expect(runs[3]?.assets).toMatchObject([{ name: 'daily_sales', status: 'test_failed' }])
    expect(runs.at(-1)?.assets.find(({ name }) => name === 'daily_sales')).toMatchObject({
      rows: 2,
      status: 'built',
    })
  })

  it('of tests stay as they are when no test ran', async () => {
    await svc('run')
    const { tests } = read('test_history.json') as TestHistoryFile
    expect(tests.map(({ asset }) => asset)).toContain('daily_sales')
    const before = statSync(path('test_history.json')).ino
    await svc('run')
    expect(statSync(path('test_history.json')).ino).toBe(before)
    expect(history().runs).toHaveLength(2)
    expect(history().runs[0]).toMatchObject({ status: 'deployed', assets: [], unchanged: 4 })
  })

  it('come back from the tables when they are deleted', async () => {
    for (let run = 0; run < 12; run++) await svc('run')
    rmSync(path('history.json'))
    await svc('run')
    expect(history().runs).toHaveLength(13)
  })
})
