/** Unit tests in the catalogue: what runs again and what stands, what cannot be reached, and edits that accept. */
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import type { Project, UnitTestResult } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozenFunctions } from '../../server/catalog/duckdb/frozen-functions.ts'
import { defaultLimits } from '../../server/catalog/limits.ts'
import { openUnitDatabase } from '../../server/catalog/unit/unit-database.ts'
import { startProcess, startWorkersBy } from '../../server/catalog/worker/worker-process.ts'
import { duckdbFunctions } from '../../server/language/engines/duckdb/functions.ts'
import { engine } from '../support/engine.ts'
import { seededRandom } from '../support/random.ts'
import { applyEdits, projectOf } from '../support/spec-project.ts'

startWorkersBy(startProcess)

const catalogs: ShadowCatalog[] = []
let catalog: ShadowCatalog

async function opened(options?: Parameters<typeof openCatalog>[1]): Promise<ShadowCatalog> {
  const catalog = await openCatalog(engine, options)
  catalogs.push(catalog)
  return catalog
}

beforeAll(async () => {
  catalog = await opened()
})
afterAll(() => {
  for (const each of catalogs) each.close()
})

const orders = "name: orders\ningest: none\ntransform: SELECT 1 AS id, 'x' AS name\n"
const reader = (sql: string, tests: string) => `name: a\ningest: none\ntransform: ${sql}\ntests:\n${tests}`
const passing = '  - unit: {given: {orders: [{id: 1}]}, expect: [{id: 1}]}\n'
const copy = "SELECT id, name FROM {{ ref('orders') }}"

const project = (files: Readonly<Record<string, string>>) =>
  projectOf(
    new Map(
      Object.entries(files).map(([name, text]) => [name.includes('.') ? name : `models/${name}.svc`, text]),
    ),
  )

type Options = Parameters<ShadowCatalog['analyze']>[2]

async function unitTests(
  of: Project,
  options: Options = {},
  on = catalog,
): Promise<readonly UnitTestResult[] | undefined> {
  return (await on.analyze(of, new Map(), options)).of('a')?.unitTests
}

const outcome = (results: readonly UnitTestResult[] | undefined) =>
  results?.map(({ status, ran, message }) => [status, ran, ...(message === undefined ? [] : [message])])

it('a NUL in a given text is a NUL in the query', async () => {
  const given = '  - unit: {given: {orders: [{name: "x\\0y"}]}, expect: [{code: 0, name: "x\\0y"}]}\n'
  const sql = "SELECT unicode(name[2]) AS code, name FROM {{ ref('orders') }}"
  expect(outcome(await unitTests(project({ orders, a: reader(sql, given) })))).toEqual([['pass', true]])
})

describe('what runs', () => {
  it('is what changed, and what reads something of another shape', async () => {
    const catalog = await opened()
    const base = project({
      orders,
      a: reader(copy, passing),
      other: 'name: other\ningest: none\ntransform: SELECT 1 AS x\n',
    })
    const first = await unitTests(base, {}, catalog)
    expect(outcome(first)).toEqual([['pass', true]])
    expect(await unitTests(base, {}, catalog)).toBe(first)
    const unrelated = base.with('models/other.svc', 'name: other\ningest: none\ntransform: SELECT 2 AS y\n')
    expect(await unitTests(unrelated, {}, catalog)).toBe(first)
    const sameShape = unrelated.with('models/orders.svc', orders.replace('1 AS id', '2 AS id'))
    expect(await unitTests(sameShape, {}, catalog)).toBe(first)
    const retyped = sameShape.with('models/orders.svc', orders.replace('1 AS id', "DATE '2024-01-01' AS id"))
    expect(outcome(await unitTests(retyped, {}, catalog))).toEqual([
      ['fail', true, '"1" is no value of column "id", which is DATE'],
    ])
  })

  it('is everything where all is asked for, and nothing where none is', async () => {
    const catalog = await opened()
    const base = project({ orders, a: reader(copy, passing) })
    expect(await unitTests(base, { unitTests: 'none' }, catalog)).toBeUndefined()
    const first = await unitTests(base, {}, catalog)
    const again = await unitTests(base, { unitTests: 'all' }, catalog)
    expect(again).not.toBe(first)
    expect(outcome(again)).toEqual([['pass', true]])
  })

  it('stands from one process to the next, until something changes', async () => {
    const base = project({
      orders,
      a: reader(copy, passing.replace('expect: [{id: 1}]', 'expect: [{id: 2}]')),
    })
    const first = await opened()
    const [before] = (await unitTests(base, {}, first)) ?? []
    const memory = first.remember(() => true)
    const second = await opened({ memory })
    const analysis = await second.analyze(base, new Map())
    expect(analysis.of('a')?.unitTests).toEqual([{ ...before, ran: false }])
    expect(analysis.of('a')?.diagnostics.map(({ code }) => code)).toEqual(['unit-test-failed'])
    const third = await opened({ memory })
    expect(outcome(await unitTests(base, { unitTests: 'all' }, third))).toEqual([
      ['fail', true, before?.message],
    ])
    const repaired = base.with('models/a.svc', reader(copy, passing))
    expect(outcome(await unitTests(repaired, {}, await opened({ memory })))).toEqual([['pass', true]])
  })

  it('takes other variables into account', async () => {
    const catalog = await opened()
    const files = { orders, a: reader("SELECT id + {{ var('n') }} AS id FROM {{ ref('orders') }}", passing) }
    expect(
      outcome(await unitTests(project({ ...files, 'svc.yaml': 'name: x\nvars: {n: 0}\n' }), {}, catalog)),
    ).toEqual([['pass', true]])
    const changed = project({ ...files, 'svc.yaml': 'name: x\nvars: {n: 1}\n' })
    expect(outcome(await unitTests(changed, {}, catalog))).toEqual([
      ['fail', true, 'in row 1 id is 2, not 1'],
    ])
  })

  it('is nothing of a test that an edit of its file does not touch', async () => {
    const catalog = await opened()
    const slow = 'SELECT sum(x.range % 7) AS id FROM range(60000000) AS x'
    const test = '  - unit: {expect: [{id: 179999994}]}\n'
    const base = project({ a: reader(slow, test) })
    const seconds = async (of: Project, options: Options = {}) => {
      const [result] = (await unitTests(of, options, catalog)) ?? []
      expect(result).toMatchObject({ status: 'pass', ran: true })
      return result?.seconds ?? 0
    }
    const first = await seconds(base)
    const edited = base.with('models/a.svc', reader(slow, `${test}  - not_null: id\n`))
    expect(await seconds(edited)).toBeLessThan(first / 5)
    expect(await seconds(edited, { unitTests: 'all' })).toBeGreaterThan(first / 5)
  })

  it('is left when nobody wants to know any more, and made up for later', async () => {
    const catalog = await opened()
    const slow = 'SELECT count(*) AS id FROM range(10000000000) AS x, range(1000000) AS y'
    const base = project({ orders, a: reader(slow, '  - unit: {expect: [{id: 1}]}\n') })
    const signal = { aborted: false }
    const stopper = setTimeout(() => {
      signal.aborted = true
    }, 100)
    const started = performance.now()
    expect(await unitTests(base, { signal }, catalog)).toBeUndefined()
    clearTimeout(stopper)
    expect(performance.now() - started).toBeLessThan(4000)
    const quick = base.with('models/a.svc', reader(copy, passing))
    expect(outcome(await unitTests(quick, {}, catalog))).toEqual([['pass', true]])
  })

  it('ends when it takes too long, and is not believed by the next process', async () => {
    const catalog = await opened()
    const slow = 'SELECT count(*) AS id FROM range(10000000000) AS x, range(1000000) AS y'
    const base = project({ a: reader(slow, '  - unit: {expect: [{id: 1}]}\n') })
    expect(outcome(await unitTests(base, {}, catalog))).toEqual([
      ['fail', true, 'unit test "unit" fails: it took more than 2 s and was stopped'],
    ])
    expect(catalog.remember(() => true)?.entries.get('a')?.holds).toBe('never')
  }, 20_000)
})

describe('what unit tests reach', () => {
  it.each([
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "COPY (SELECT 1) TO '/tmp/svc-unit-test.csv'",
    "ATTACH '/tmp/svc-unit-test.duckdb'",
    'INSTALL httpfs',
    'SET enable_external_access = true',
  ])('is nothing outside: %s', async sql => {
    const database = openUnitDatabase(engine, () => ({ limits: defaultLimits, isAborted: () => false }), [])
    const failed = await database.run(sql)
    database.close()
    expect(failed?.message).toMatch(/disabled by configuration|has been locked/)
  })

  it('is not the time, nor chance', () => {
    const keywords = /^(current_timestamp|current_time|localtime|localtimestamp)$/
    const names = [...duckdbFunctions.effects].flatMap(([name, effect]) =>
      effect === 'moment' ? [name.replace('/1', '')] : [],
    )
    expect(names.length).toBeGreaterThan(15)
    const left = names.filter(name => !keywords.test(name) && !frozenFunctions.includes(name))
    expect(left).toEqual([])
  })
})

// ---------------------------------------------------------------- accepting what came

const random = seededRandom(5)
const texts = [
  'a',
  'two words',
  '007',
  'true',
  'null',
  '',
  'x: y',
  '# no',
  'say "hi"',
  "it's",
  '[1]',
  '{a}',
  '- b',
  'é😀',
  ' x ',
  '2024-01-01',
  'a,b',
]

interface Row {
  readonly id: number
  readonly name: string | null
  readonly flag: boolean
}

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, () => ({
    id: random.below(4),
    name: random.below(8) === 0 ? null : random.pick(texts),
    flag: random.below(2) === 0,
  }))
}

const quoted = (value: unknown) => JSON.stringify(value)

function flow(rows: readonly Row[]): string {
  return `[${rows.map(row => quoted(row)).join(random.pick([', ', ',\n            ']))}]`
}

function block(rows: readonly Row[], indent: string): string {
  if (rows.length === 0) return ' []'
  return rows
    .map((row, index) => {
      const entries = Object.entries(row).map(([key, value]) => `${key}: ${quoted(value)}`)
      const style = random.below(3)
      const item = style === 0 ? `{${entries.join(', ')}}` : entries.join(`\n${indent}  `)
      const comment = style === 0 && random.below(2) === 0 ? `   # row ${index}` : ''
      return `\n${indent}- ${item}${comment}${random.below(4) === 0 ? `\n${indent}# between` : ''}`
    })
    .join('')
}

function csv(rows: readonly Row[], indent: string): string {
  const value = (cell: unknown) =>
    cell === null ? '' : typeof cell === 'string' ? quoted(cell).replaceAll('\\"', '""') : String(cell)
  const lines = ['id, name, flag', ...rows.map(row => Object.values(row).map(value).join(', '))]
  return ` |\n${lines.map(line => indent + line).join('\n')}`
}

describe('accepting what came', () => {
  it('gives a file whose test passes, with its comments, however it is written', async () => {
    let edited = 0
    for (let round = 0; round < 150; round++) {
      const given = rowsOf(random.below(4))
      const kept = given
        .filter(() => random.below(3) > 0)
        .map(row => (random.below(3) === 0 ? { ...row, flag: !row.flag } : row))
      const expected = [...kept, ...rowsOf(random.below(2))]
      const written = random.pick([
        () => ` ${flow(expected)}`,
        () => block(expected, '          '),
        () => csv(expected, '          '),
      ])()
      const ordered = random.below(2) === 0
      const tests = `  - unit:
        given: {orders: ${flow(given)}}
        ordered: ${ordered}
        # in front
        expect:${written}
  - not_null: id   # behind
`
      const newline = random.below(4) === 0 ? '\r\n' : '\n'
      const source = "name: orders\ningest: none\ntransform: SELECT 1 AS id, 'x' AS name, true AS flag\n"
      const text = reader("SELECT * FROM {{ ref('orders') }}", tests).replaceAll('\n', newline)
      const base = project({ orders: source, a: text })
      const analysis = await catalog.analyze(base, new Map())
      const [failed] = analysis.of('a')?.diagnostics ?? []
      if (failed === undefined) continue
      expect(failed.code, text).toBe('unit-test-failed')
      const edits = failed.fixes?.[0]?.edits
      expect(edits, text).toBeDefined()
      const after = applyEdits(new Map([['models/a.svc', text]]), edits ?? []).get('models/a.svc') ?? ''
      const repaired = base.with('models/a.svc', after)
      expect(repaired.assets.get('models/a.svc')?.diagnostics, after).toEqual([])
      expect(outcome(await unitTests(repaired)), `${text}\n=>\n${after}`).toEqual([['pass', true]])
      expect(after.includes('# in front') && after.includes('# behind'), after).toBe(true)
      expect(newline === '\n' || !/[^\r]\n/.test(after), after).toBe(true)
      edited++
    }
    expect(edited).toBeGreaterThan(80)
  }, 240_000)
})
