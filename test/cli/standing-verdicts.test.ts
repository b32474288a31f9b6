/** Files, packs and pages tell the verdicts of the tests that there are, on the version that is live, and since when they stand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeQuality } from '../../cli/dashboard/quality.ts'
import type {
  CatalogFile,
  ContextPack,
  TestEntry,
  TestHistoryFile,
  TestResultsFile,
} from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const orders = (value: number, tests: string) =>
  `name: orders\ningest: none\ntransform: SELECT ${value} AS id, 2 AS total\ndeploy: {materialize: table}\n${tests}`
const two = 'tests:\n  - not_null: id\n  - range: {total: {max: 3}}\n'

let ground: Ground
beforeEach(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\nwarehouse: duckdb:./w.duckdb\n',
    'models/orders.svc': orders(1, two),
  })
})
afterEach(() => ground.dispose())

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(ground.root, path), 'utf8')) as T
}

async function run(line: readonly string[], code = 0): Promise<void> {
  const done = await ground.line(line)
  expect(done.code, `${line.join(' ')}\n${done.stdout}${done.stderr}`).toBe(code)
}

/** The verdicts of `orders`, after every file and the pack told the same. */
async function verdicts() {
  const results = read<TestResultsFile>('.svc/test_results.json')['orders']
  const catalog = read<CatalogFile>('svc_catalog.json')
  const tests = results?.tests ?? []
  expect(catalog.assets[0]?.tests).toEqual(tests)
  const quality = makeQuality(catalog, [], []).assets[0]
  expect(quality?.tests.map(({ name }) => name)).toEqual(tests.map(({ name }) => name))
  expect(quality?.summary.total).toBe(tests.length)
  if (tests.length > 0) expect(quality?.last_run).toBe(results?.timestamp)
  const { stdout } = await ground.line(['ai', 'context', '--include-tests', '--json'])
  expect((JSON.parse(stdout) as ContextPack).test_results?.['orders']?.tests ?? []).toEqual(tests)
  const defined = new Set(read<readonly TestEntry[]>('.svc/tests.json').map(({ name }) => name))
  const past = read<TestHistoryFile>('.svc/dev/test_history.json').tests
  expect(past.filter(({ name }) => !defined.has(name))).toEqual([])
  return tests
}

const names = (tests: readonly { readonly name: string }[]) => tests.map(({ name }) => name)

it('a test that was removed or renamed is told of no more, and an asset without tests has none', async () => {
  await run(['run'])
  expect(names(await verdicts())).toEqual(['not_null_id', 'range_total'])
  ground.write('models/orders.svc', orders(1, 'tests:\n  - not_null: id\n'))
  await run(['run'])
  expect(names(await verdicts())).toEqual(['not_null_id'])
  ground.write('models/orders.svc', orders(1, 'tests:\n  - not_null: id\n    name: has_id\n'))
  await run(['run'])
  expect(names(await verdicts())).toEqual(['has_id'])
  ground.write('models/orders.svc', orders(1, ''))
  await run(['run'])
  expect(await verdicts()).toEqual([])
})

it('a verdict that stands says since when', async () => {
  await run(['run'])
  const first = await verdicts()
  expect(first.every(({ at }) => at !== undefined)).toBe(true)
  await run(['run'])
  expect(await verdicts()).toEqual(first)
})

it('a verdict on the version that a rollback took away is none on the one that it brought back', async () => {
  await run(['run'])
  ground.write('models/orders.svc', orders(5, `${two}  - row_count: {max: 0}\n    severity: warn\n`))
  await run(['run'])
  expect(names(await verdicts())).toEqual(['not_null_id', 'range_total', 'row_count'])
  await run(['rollback'])
  expect(await verdicts()).toEqual([])
  await run(['test'])
  await run(['run'])
  expect(names(await verdicts())).toEqual(['not_null_id', 'range_total', 'row_count'])
})

it('a verdict about a version of another asset goes with that version, in all files alike', async () => {
  ground.write(
    'models/lines.svc',
    'name: lines\ningest: none\ntransform: SELECT 1 AS of\ndeploy: {materialize: table}\ntests:\n  - relationships: {of: orders.id}\n    severity: warn\n',
  )
  await run(['run'])
  ground.write('models/orders.svc', orders(5, two))
  await run(['run'])
  const told = () => read<TestResultsFile>('.svc/test_results.json')['lines']?.tests ?? []
  expect(told()).toMatchObject([{ status: 'fail' }])
  await run(['rollback', 'orders'])
  const entry = read<CatalogFile>('svc_catalog.json').assets.find(({ name }) => name === 'lines')
  expect(entry?.tests).toEqual(told())
  expect(told()).toEqual([])
})
