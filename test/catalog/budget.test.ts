/** SQL that asks for too much is named and stopped; all other files keep their answers. */
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startProcess, startWorkersBy } from '../../server/catalog/worker/worker-process.ts'
import type { AnalyzeOptions, Project } from '../../server/language/index.ts'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'
import { nastySql } from './nasty-sql.ts'

startWorkersBy(startProcess)

const limits = { timeMs: 400, memoryBytes: 200_000_000 }
const opened: ShadowCatalog[] = []
afterEach(() => {
  for (const catalog of opened.splice(0)) catalog.close()
})

async function open(): Promise<ShadowCatalog> {
  const catalog = await openCatalog(engine, { limits })
  opened.push(catalog)
  return catalog
}

const asset = (name: string, sql: string, tests = ''): string =>
  `name: ${name}\ningest: none\ntransform: |\n${sql.replace(/^/gm, '  ')}\n${tests}`

function project(sqls: Readonly<Record<string, string>>, settings = ''): Project {
  const files = Object.entries(sqls).map(
    ([name, text]) => [`models/${name}.svc`, text.startsWith('name:') ? text : asset(name, text)] as const,
  )
  return projectOf(new Map([['svc.yaml', settings], ...files]))
}

async function codes(catalog: ShadowCatalog, base: Project, options?: AnalyzeOptions) {
  const analysis = await catalog.analyze(base, new Map(), options)
  return Object.fromEntries(
    Array.from(base.byName.keys(), name => [name, analysis.of(name)?.diagnostics.map(({ code }) => code)]),
  )
}

const tooMuch = "SELECT length(repeat('x', 4000000000)) AS a"
const alsoTooMuch = `SELECT ${Array(20).fill("repeat('x', 100000000)").join(' || ')} AS a`

describe('nasty SQL', () => {
  // One for all: what a text does to the process must not be seen by the next one.
  let catalog: ShadowCatalog
  beforeAll(async () => {
    catalog = await openCatalog(engine, { limits })
  })
  afterAll(() => catalog.close())

  it.each(nastySql)('$name', { timeout: 240_000 }, async ({ sql, says }) => {
    const base = project({ good: 'SELECT 1 AS a', nasty: sql, reader: "SELECT b FROM {{ ref('good') }}" })
    const found = await codes(catalog, base)
    expect(found).toMatchObject({ good: [], reader: ['sql-unknown-column'] })
    const said = found['nasty'] ?? ['not looked at']
    const expected = {
      nothing: () => expect(said).toEqual([]),
      'too-expensive': () => expect(said).toEqual(['sql-too-expensive']),
      'another error': () => {
        expect(said.length).toBeGreaterThan(0)
        expect(said).not.toContain('sql-too-expensive')
      },
      any: () => expect(said).not.toContain('not looked at'),
    }
    expected[says]()
  })
})

describe('who goes over a limit', () => {
  it('is named with the limit, and what to do', async () => {
    const base = project({ nasty: tooMuch })
    const [found] = (await (await open()).analyze(base, new Map())).of('nasty')?.diagnostics ?? []
    expect(found).toMatchObject({
      code: 'sql-too-expensive',
      severity: 'error',
      message: expect.stringMatching(/^to check this SQL took more than (0\.4 s|200 MB of memory)$/),
      hint: expect.stringMatching(/limits\.sql\.(time|memory) in svc\.yaml/),
    })
    const text = base.byName.get('nasty')?.text ?? ''
    expect(text.slice(found?.range.start, found?.range.end)).toBe(tooMuch)
  })

  it('takes no other answer away, many in one batch, over several levels', async () => {
    const others = Array.from({ length: 120 }, (_, index) => [
      `a${index}`,
      index < 60 ? `SELECT ${index} AS n` : `SELECT n AS m FROM {{ ref('a${index - 60}') }}`,
    ])
    const base = project({
      ...Object.fromEntries(others),
      x: tooMuch,
      y: alsoTooMuch,
      z: "SELECT q FROM {{ ref('x') }}",
    })
    const catalog = await open()
    const found = await codes(catalog, base)
    expect(found).toMatchObject({ x: ['sql-too-expensive'], y: ['sql-too-expensive'], z: [] })
    expect(
      Object.entries(found).filter(([name, list]) => name.startsWith('a') && list?.length !== 0),
    ).toEqual([])
    const analysis = await catalog.analyze(base, new Map())
    expect(analysis.of('a119')?.columns).toEqual([{ name: 'm', type: 'INTEGER' }])
  }, 240_000)

  it('is not tried again until it or what it reads is another', async () => {
    const catalog = await open()
    const sql = `SELECT a FROM {{ ref('base') }} WHERE length(repeat('x', 4000000000)) > 1`
    const base = project({ base: 'SELECT 1 AS a', nasty: sql, other: 'SELECT 1 AS b' })
    expect(await codes(catalog, base)).toMatchObject({ nasty: ['sql-too-expensive'] })
    const timed = async (next: Project) => {
      const started = performance.now()
      const found = await codes(catalog, next)
      return { found, seconds: (performance.now() - started) / 1000 }
    }
    const text = base.byName.get('nasty')?.text ?? ''
    const described = base.with('models/nasty.svc', `description: x\n${text}`)
    const again = await timed(described)
    expect(again.found).toMatchObject({ nasty: ['sql-too-expensive'], other: [] })
    const columns = await timed(described.with('models/base.svc', asset('base', 'SELECT 1 AS a, 2 AS b')))
    expect(columns.found).toMatchObject({ nasty: ['sql-too-expensive'] })
    // The second one was tried, the first was not.
    expect(again.seconds).toBeLessThan(columns.seconds)
    const better = described.with('models/nasty.svc', asset('nasty', "SELECT a FROM {{ ref('base') }}"))
    expect((await timed(better)).found).toEqual({ base: [], nasty: [], other: [] })
  }, 240_000)

  it('is forgotten by the next process, which keeps all else', async () => {
    const catalog = await open()
    await codes(catalog, project({ nasty: tooMuch, good: 'SELECT 1 AS a' }))
    const kept = catalog.remember(() => true)?.entries
    expect([kept?.get('nasty')?.holds, kept?.get('good')?.holds]).toEqual(['never', 'always'])
  })

  it('may do so by svc.yaml, from one keystroke to the next', async () => {
    const catalog = await openCatalog(engine)
    opened.push(catalog)
    const sql = `SELECT ${'/*'.repeat(4000)}${'*/'.repeat(4000)} 1 AS a`
    const settings = (time: string) => `limits: {sql: {time: ${time}}}\n`
    const before = project({ a: sql, b: "SELECT a FROM {{ ref('a') }}" }, settings('20ms'))
    expect(await codes(catalog, before)).toMatchObject({ a: ['sql-too-expensive'] })
    const after = project({ a: sql, b: "SELECT a FROM {{ ref('a') }}" }, settings('60s'))
    expect(await codes(catalog, after)).toEqual({ a: [], b: [] })
  }, 240_000)

  it('may be a test', async () => {
    const tests = `tests:\n  - expression: "length(repeat('x', 4000000000)) > 1"\n  - expression: b > 1\n  - expression: a > 1\n`
    const base = project({ a: asset('a', 'SELECT 1 AS a', tests), b: 'SELECT 1 AS b' })
    expect(await codes(await open(), base)).toEqual({
      a: ['sql-too-expensive', 'sql-unknown-column'],
      b: [],
    })
  }, 240_000)
})

describe('unit tests', () => {
  const unit = (name: string) => `  - name: ${name}\n    unit: {given: {o: [{id: 1}]}, expect: [{a: 1}]}\n`
  const reader = (select: string, ...names: string[]) =>
    asset('t', `SELECT ${select} AS a FROM {{ ref('o') }}`, `tests:\n${names.map(unit).join('')}`)

  it.each([
    [
      'joins a billion rows with a billion',
      '(SELECT count(*) FROM range(1000000000) x, range(1000000000) y)',
    ],
    [
      'never ends',
      '(WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r)',
    ],
    ['fills the memory', '(SELECT list(x.range) FROM range(1000000000) x)'],
    ['asks for a gigabyte', "length(repeat('x' || id, 1000000000))"],
    ['sums a billion numbers', 'list_sum(range(1000000000 + id))'],
  ])('one that %s', async (_, select) => {
    const catalog = await open()
    const base = project({
      o: 'SELECT 1 AS id',
      t: reader(select, 'first'),
      u: asset('u', "SELECT id AS a FROM {{ ref('o') }}", `tests:\n${unit('second')}`),
    })
    expect(await codes(catalog, base)).toEqual({ o: [], t: ['sql-too-expensive'], u: [] })
    const analysis = await catalog.analyze(base, new Map())
    expect(analysis.of('t')?.unitTests).toMatchObject([
      { name: 'first', status: 'fail', stopped: true, message: expect.stringContaining('it took more than') },
    ])
    expect(analysis.of('u')?.unitTests).toMatchObject([{ name: 'second', status: 'pass' }])
  })
})
