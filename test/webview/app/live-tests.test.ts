/** Tests of a run that goes on, in the snapshot of before it. */
import { expect, it } from 'vitest'
import { markOf } from '../../../webview/graph/lens.ts'
import { makeGraphModel } from '../../../webview/graph/model.ts'
import { type TestEvent, withTests } from '../../../webview/store/live-tests.ts'
import { shopData } from './shop-data.ts'

const at = '2026-03-04T05:06:07.000Z'
const data = shopData(false)
const [asset] = data.quality.assets.filter(({ tests }) => tests.length === 2)
const name = asset?.name ?? ''
const said = (test: string, status: 'pass' | 'fail', severity: 'error' | 'warn' = 'error'): TestEvent => ({
  id: 'run:1',
  type: 'test',
  asset: name,
  test,
  kind: 'unique',
  column: 'id',
  status,
  severity,
  seconds: 0.5,
  message: status === 'fail' ? '1 row' : null,
})

it('results take the place of the last ones, new tests come after them, and all counts follow', () => {
  const before = asset?.tests.find(({ status }) => status === 'fail')
  const now = withTests(data, [said(before?.name ?? '', 'pass'), said('brand_new', 'fail')], at)
  const found = now.quality.assets.find(each => each.name === name)
  expect(found?.tests.map(({ name: test, status }) => [test, status])).toEqual([
    ...(asset?.tests ?? []).map(test => [test.name, 'pass']),
    ['brand_new', 'fail'],
  ])
  expect(found?.tests.find(test => test.name === before?.name)?.history.slice(0, 1)).toEqual([
    { at, status: 'pass', execution_time: 0.5 },
  ])
  expect(found).toMatchObject({ last_run: at, summary: { total: 3, passed: 2, failed: 1, pass_rate: 2 / 3 } })
  expect(now.quality.overall).toMatchObject({ total_tests: 3, passed: 2, failed: 1 })
  expect(now.catalog.assets.find(each => each.name === name)?.summary).toEqual({
    total: 3,
    passed: 2,
    failed: 1,
  })
  // What nobody tested is what it was.
  const others = now.catalog.assets.filter(each => each.name !== name)
  expect(others.every(each => data.catalog.assets.includes(each))).toBe(true)
})

it('an asset whose failed tests only warn is marked as a warning', () => {
  const failing = asset?.tests.map(test => said(test.name, 'fail', 'warn')) ?? []
  const { catalog } = withTests(data, failing, at)
  const marked = (warnings: ReadonlyMap<string, number>) => {
    const node = makeGraphModel(catalog, 0, { warnings, problems: new Map(), failed: new Set() }).nodes.find(
      each => each.id === name,
    )
    return node === undefined ? undefined : markOf({ ...node, status: 'deployed', freshness: null })?.word
  }
  expect(marked(new Map([[name, 2]]))).toBe('Warned')
  expect(marked(new Map([[name, 1]]))).toBe('Failed')
})
