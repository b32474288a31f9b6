import { openCatalog } from '@svc/server/catalog'
import {
  type Catalog,
  createProject,
  type Project,
  type ProjectAnalysis,
  parseSettings,
  type SourceShapes,
} from '@svc/server/language'
import { afterEach, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { seeds } from '../support/long.ts'
import { seeded } from '../support/mutations.ts'
import { assetText, sha256, withRefs } from '../support/sql-lab.ts'

const open: Catalog[] = []
afterEach(() => {
  for (const catalog of open.splice(0)) catalog.close()
})

async function catalogue(): Promise<Catalog> {
  const catalog = await openCatalog(engine)
  open.push(catalog)
  return catalog
}

function projectOf(
  sqls: Readonly<Record<string, string>>,
  rest: Readonly<Record<string, string>> = {},
  settings?: string,
): Project {
  const files = Object.entries(sqls).map(([name, sql]) => ({
    path: `models/${name}.svc`,
    text: sql.startsWith('name:') ? sql : assetText(name, withRefs(sql), rest[name] ?? ''),
  }))
  return createProject({ settings: parseSettings(settings), files, hash: sha256 })
}

const noSources: SourceShapes = new Map()

function codes(analysis: ProjectAnalysis, name: string): string[] {
  return (analysis.of(name)?.diagnostics ?? []).map(each => each.code)
}

function types(analysis: ProjectAnalysis, name: string): string {
  return (analysis.of(name)?.columns ?? []).map(column => `${column.name} ${column.type ?? '?'}`).join(', ')
}

// ---------------------------------------------------------------- what is not known

const loose = `name: loose
ingest: {type: rest_api, endpoint: 'https://example.com', resource: things}
transform: |
  SELECT id, price * 2 AS twice, CAST(price AS DOUBLE) AS price, count(*) OVER () AS n, price > 3 AS dear FROM {{ source }}
`

test('columns that rest on an unknown source have no type, unless they are cast', async () => {
  const analysis = await (await catalogue()).analyze(
    projectOf({ loose, next: 'select twice + 1 as t, price, n from @loose' }),
    noSources,
  )
  expect(types(analysis, 'loose')).toBe('id ?, twice ?, price DOUBLE, n BIGINT, dear BOOLEAN')
  expect(types(analysis, 'next')).toBe('t ?, price DOUBLE, n BIGINT')
  expect([...codes(analysis, 'loose'), ...codes(analysis, 'next')]).toEqual([])
})

test('types come with the source, and errors with them', async () => {
  const column = (name: string, type: string) => ({
    name,
    type,
    path: [name],
    system: false,
    pii: false,
    nullable: true,
  })
  const catalog = await catalogue()
  const project = projectOf({ loose })
  await catalog.analyze(project, noSources)
  const known = new Map([
    [
      'loose',
      [{ child: undefined, complete: true, columns: [column('id', 'BIGINT'), column('price', 'VARCHAR')] }],
    ],
  ])
  const analysis = await catalog.analyze(project, known)
  expect(codes(analysis, 'loose')).toEqual(['sql-type', 'sql-type'])
  const text = project.byName.get('loose')?.text ?? ''
  const places = analysis.of('loose')?.diagnostics.map(each => text.slice(each.range.start, each.range.end))
  expect(places).toEqual(['*', '>'])
})

test('a broken parent raises no errors in those that read it', async () => {
  const analysis = await (await catalogue()).analyze(
    projectOf({
      flights: "select 1 as delay, 'x' as origin",
      broken: 'select dely, upper(origin) as origin, sum(origin) over () as s from @flights',
      syntax: 'select delay origin nonsense from @flights',
      child: "select delay + 1 as d, s + 1 as s, upper(origin) as o from @broken where s > 'x'",
      other: 'select a.zork, b.dely from @syntax a join @broken b on a.id = b.delay',
      lost: 'select anything, upper(more) as m from @missing',
    }),
    noSources,
  )
  expect(codes(analysis, 'broken')).toEqual(['sql-unknown-column', 'sql-no-matching-function'])
  expect(codes(analysis, 'syntax')).toEqual(['sql-syntax', 'sql-unknown-column'])
  expect([...codes(analysis, 'child'), ...codes(analysis, 'other'), ...codes(analysis, 'lost')]).toEqual([])
  expect(analysis.of('syntax')).toMatchObject({ complete: false })
  expect(types(analysis, 'child')).toContain('o ')
})

test('assets in a cycle and assets that differ in case only are looked at all the same', async () => {
  const analysis = await (await catalogue()).analyze(
    projectOf({
      a: 'select x, nope_of_b from @b',
      b: 'select x + 1 as x from @a',
      c: 'select upper(x) as u, zork(x) as z from @a',
      Orders: 'select 1 as big',
      orders: 'select 2 as small',
      reader: 'select o.big, p.small from @Orders o, @orders p',
    }),
    noSources,
  )
  expect(['a', 'b', 'reader'].flatMap(name => codes(analysis, name))).toEqual([])
  expect(codes(analysis, 'c')).toEqual(['sql-unknown-function'])
  expect(types(analysis, 'reader')).toBe('big INTEGER, small INTEGER')
})

// ---------------------------------------------------------------- tests' SQL

test("the SQL of tests is checked against the asset's output", async () => {
  const tests = `tests:
  - expression: delay > 0 and dely < 3
  - not_null: delay
    where: orign = 'x'
  - expression: "upper(origin) = 'X'"
  - name: rows
    sql: |
      SELECT nope FROM {{ this }} JOIN {{ ref('flights') }} f ON f.delay = zork
`
  const project = projectOf(
    { flights: 'select 1 as delay', late: "select 2 as delay, 'o' as origin" },
    { late: tests },
  )
  const analysis = await (await catalogue()).analyze(project, noSources)
  const text = project.byName.get('late')?.text ?? ''
  const found = analysis
    .of('late')
    ?.diagnostics.map(each =>
      `${each.code} ${text.slice(each.range.start, each.range.end)} ${each.suggestions?.[0] ?? ''}`.trim(),
    )
  expect(found?.sort()).toEqual([
    'sql-unknown-column dely delay',
    'sql-unknown-column nope',
    'sql-unknown-column orign origin',
    'sql-unknown-column zork',
  ])
})

test('an error in a condition never points before it', async () => {
  const project = projectOf(
    { a: 'select 1 as x' },
    { a: 'tests:\n  - expression: x >\n  - expression: x) or (x\n  - expression: sum(x) > 1\n' },
  )
  const analysis = await (await catalogue()).analyze(project, noSources)
  const text = project.byName.get('a')?.text ?? ''
  const diagnostics = analysis.of('a')?.diagnostics ?? []
  expect(diagnostics.length).toBeGreaterThanOrEqual(2)
  for (const { range } of diagnostics) expect(range.start).toBeGreaterThanOrEqual(text.indexOf('expression'))
})

// ---------------------------------------------------------------- incremental

function layered(count: number, random: () => number): Record<string, string> {
  const sqls: Record<string, string> = {}
  for (let index = 0; index < count; index++) sqls[`m_${index}`] = randomSql(index, random)
  return sqls
}

/** Mostly right, now and then wrong; sometimes reading what does not exist, or itself later in a circle. */
function randomSql(index: number, random: () => number): string {
  const pick = (limit: number): number => Math.floor(random() * limit)
  if (index < 5)
    return `select ${pick(9)} as id, 'a' as name, ${random() < 0.5 ? '1.5::double' : "'t'"} as amount`
  const parent = `m_${random() < 0.02 ? pick(120) : pick(index)}`
  const other = `m_${pick(index)}`
  const shapes = [
    `select id, name, amount from @${parent}`,
    `select * from @${parent}`,
    `select p.id, o.name, p.amount from @${parent} p join @${other} o using (id)`,
    `with k as (select id, upper(name) as name, amount from @${parent}) select * from k`,
    `select id, name, sum(amount) over () as amount from @${parent}`,
    `select id, name, amout as amount from @${parent}`,
    `select id, nam, amount from @${parent}`,
    `select id name amount from @${parent}`,
    `select id, name, amount, ${pick(3)} as extra_${pick(3)} from @${parent}`,
    `select max(id) as id, name, any_value(amount) as amount from @mm_${pick(index)} group by name`,
  ]
  return shapes[pick(random() < 0.7 ? 5 : shapes.length)] ?? ''
}

function stateOf(project: Project, analysis: ProjectAnalysis): unknown {
  return [...project.byName.keys()].sort().map(name => JSON.parse(JSON.stringify(analysis.of(name) ?? null)))
}

test.each(seeds(1, 8))('after any edits a catalogue knows what a fresh one would (seed %i)', async seed => {
  const random = seeded(seed)
  const catalog = await catalogue()
  let project = projectOf(layered(100, random))
  await catalog.analyze(project, noSources)
  for (let edit = 0; edit < 25; edit++) {
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      const index = Math.floor(random() * 105)
      const sql = randomSql(Math.min(index, 99), random)
      // Some name what they read without a tag.
      const text =
        random() < 0.1
          ? undefined
          : assetText(`m_${index}`, random() < 0.2 ? sql.replaceAll('@', '') : withRefs(sql))
      project = project.with(`models/m_${index}.svc`, text)
    }
    // As an editor asks for the open files first.
    if (random() < 0.5)
      await catalog.analyze(project, noSources, { names: [`m_${Math.floor(random() * 100)}`] })
    const warm = stateOf(project, await catalog.analyze(project, noSources))
    if (edit % 5 !== 4) continue
    const fresh = await openCatalog(engine)
    expect(warm).toEqual(stateOf(project, await fresh.analyze(project, noSources)))
    fresh.close()
  }
})

test('asked for a few names, it looks at those and what they read, and at the rest later', async () => {
  const catalog = await catalogue()
  const project = projectOf({
    a: 'select 1 as x',
    b: 'select x from @a',
    c: 'select x from @b',
    d: 'select 2 as y',
  })
  const few = await catalog.analyze(project, noSources, { names: ['b'] })
  expect([types(few, 'a'), types(few, 'b'), few.of('c'), few.of('d')]).toEqual([
    'x INTEGER',
    'x INTEGER',
    undefined,
    undefined,
  ])
  const all = await catalog.analyze(project, noSources)
  expect([types(all, 'c'), types(all, 'd')]).toEqual(['x INTEGER', 'y INTEGER'])
  expect(few.of('d')).toBeUndefined()
})

test('asked for a file that names an asset without a tag, it comes to an end while others are still to be looked at', async () => {
  const catalog = await catalogue()
  const sqls = {
    orders: 'select 1 as id',
    paid: 'select id from @orders',
    other: 'select 2 as y',
    late: 'select y from @other',
  }
  const first = await catalog.analyze(projectOf({ ...sqls, report: 'select id from paid' }), noSources, {
    names: ['report'],
  })
  expect([codes(first, 'report'), types(first, 'paid'), first.of('other')]).toEqual([
    ['sql-unknown-table'],
    'id INTEGER',
    undefined,
  ])
  const project = projectOf({ ...sqls, report: 'select id from @paid' })
  const right = await catalog.analyze(project, noSources, { names: ['report'] })
  expect([codes(right, 'report'), types(right, 'report')]).toEqual([[], 'id INTEGER'])
  expect(types(await catalog.analyze(project, noSources), 'late')).toBe('y INTEGER')
})

test('a change of vars looks again at what uses them', async () => {
  const catalog = await catalogue()
  const settings = (value: string) => parseSettings(`name: x\nvars: {limit: ${value}}\n`)
  const project = projectOf({ a: "select {{ var('limit') }} as x" })
  expect(types(await catalog.analyze(project.withSettings(settings('3')), noSources), 'a')).toBe('x INTEGER')
  expect(types(await catalog.analyze(project.withSettings(settings("'t'")), noSources), 'a')).toBe(
    'x VARCHAR',
  )
})

// ---------------------------------------------------------------- any text

test('no text of SQL makes it throw, and every place is inside the file', async () => {
  const random = seeded(11)
  const catalog = await catalogue()
  const base = projectOf({ flights: "select 1 as delay, 'x' as origin" })
  const words = [
    'select',
    'from',
    "{{ ref('flights') }}",
    'delay',
    '(',
    ')',
    ',',
    '*',
    "'",
    '"',
    ';',
    '--',
    '/*',
    '😀',
    'ß',
    '\u0000',
    '\ud800',
    'with',
    'k',
    'as',
    'group by',
    '1',
    '=',
    '[',
    ']',
    '->',
    '::',
    'int',
    'over',
    'pivot',
    'join',
    'using',
    'order by',
    'case',
    'end',
    '{',
    '}',
    '$1',
    '#1',
    'lambda',
    'unnest',
    'values',
    'union',
    'sum',
    'nope',
    '.',
    'exclude',
    'describe',
    'insert into',
  ]
  for (let round = 0; round < 250; round++) {
    const count = 1 + Math.floor(random() * 14)
    const sql = Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
    const project = base.with('models/x.svc', assetText('x', sql))
    const analysis = await catalog.analyze(project, noSources)
    const text = project.byName.get('x')?.text ?? ''
    for (const { range } of analysis.of('x')?.diagnostics ?? []) {
      expect(range.start >= 0 && range.start <= range.end && range.end <= text.length, sql).toBe(true)
    }
  }
})

test('a transform that reads {{ this }} is told so', async () => {
  const analysis = await (await catalogue()).analyze(projectOf({ a: 'select x from {{ this }}' }), noSources)
  expect(codes(analysis, 'a')).toEqual(['sql-unknown-table'])
})

test('a long chain of assets is bound from its beginning to its end', async () => {
  const sqls: Record<string, string> = { m_0: 'select 1 as x' }
  for (let index = 1; index < 300; index++) sqls[`m_${index}`] = `select x + 1 as x from @m_${index - 1}`
  const catalog = await catalogue()
  const project = projectOf(sqls)
  expect(types(await catalog.analyze(project, noSources), 'm_299')).toBe('x INTEGER')
  const edited = project.with('models/m_0.svc', assetText('m_0', 'select 1.5::double as x'))
  expect(types(await catalog.analyze(edited, noSources), 'm_299')).toBe('x DOUBLE')
})

test('names of functions and words of messages do not confuse it: fatal, internal', async () => {
  const analysis = await (await catalogue()).analyze(
    projectOf({ a: 'select fatal, internal(1) as i' }),
    noSources,
  )
  expect(codes(analysis, 'a')).toEqual(['sql-unknown-column', 'sql-unknown-function'])
})

test('work that is called off stops in the middle of many, and goes on where it stopped', async () => {
  const sqls: Record<string, string> = {}
  for (let index = 0; index < 200; index++) sqls[`m_${index}`] = `select ${index} as x, nope as y`
  const catalog = await catalogue()
  const project = projectOf(sqls)
  let asked = 0
  const signal = {
    get aborted() {
      asked += 1
      return asked > 4
    },
  }
  const part = await catalog.analyze(project, noSources, { signal })
  const known = Object.keys(sqls).filter(name => part.of(name) !== undefined)
  expect(known.length).toBeGreaterThan(0)
  expect(known.length).toBeLessThan(200)
  const whole = await catalog.analyze(project, noSources)
  for (const name of Object.keys(sqls)) expect(codes(whole, name)).toEqual(['sql-unknown-column'])
})

// ---------------------------------------------------------------- too much

test('SQL of half a million characters, or a thousand tests with SQL, are refused in a word and bound no more', async () => {
  const large = `select 1 as x -- ${'x'.repeat(500_000)}`
  const tests = Array.from({ length: 1200 }, (_, index) => `  - expression: x + ${index} > y`).join('\n')
  const project = projectOf(
    { large, reader: 'select x, nope from @large', many: 'select 1 as x' },
    { many: `tests:\n${tests}\n` },
    'name: large\nlimits: {sql: {tests: 1000}}\n',
  )
  const analysis = await (await catalogue()).analyze(project, noSources)
  expect(analysis.of('large')?.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['sql-too-large', 'the SQL has 500,018 characters, 500,000 are allowed'],
  ])
  // Nothing is known of it, so nothing is wrong with who reads it.
  expect(codes(analysis, 'reader')).toEqual([])
  const found = analysis.of('many')?.diagnostics ?? []
  expect(found.filter(({ code }) => code === 'sql-unknown-column')).toHaveLength(1000)
  expect(found.filter(({ code }) => code !== 'sql-unknown-column').map(({ message }) => message)).toEqual([
    'the asset has 1,200 tests with SQL, 1,000 are allowed',
  ])
})
