/** Macros in SQL: how their files are read, what calls become, and where each place of the result is written. */
import {
  createMacros,
  createProject,
  type Diagnostic,
  definitionHash,
  type Engine,
  type Project,
  parseSettings,
} from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { engine } from '../../support/engine.ts'
import { hash } from '../../support/spec-project.ts'

const model = (sql: string): string =>
  `name: prices\ningest: none\ntransform: |\n${sql.replace(/^(?=.)/gm, '  ')}\n`

function projectWith(macros: string, sql: string, of: Engine = engine): Project {
  const text = `name: shop\nwarehouse: '${of.kind === 'postgres' ? 'postgres://localhost/shop' : 'duckdb:a.db'}'\n`
  const settings = parseSettings(text)
  return createProject({
    settings,
    files: [{ path: 'models/prices.svc', text: model(sql) }],
    hash,
    macros: createMacros(new Map([['macros/m.sql', macros]]), settings.engine),
  })
}

const expanded = (macros: string, sql: string): string => {
  const project = projectWith(macros, sql)
  const asset = project.byName.get('prices')
  expect([...(asset?.diagnostics ?? []), ...(project.macros.problems.get('macros/m.sql') ?? [])]).toEqual([])
  return asset?.sql?.text.trim() ?? ''
}

const inMacros = (text: string): readonly string[] =>
  (projectWith(text, 'SELECT 1').macros.problems.get('macros/m.sql') ?? []).map(each => shown(each, text))

const inModel = (macros: string, sql: string): readonly string[] =>
  (projectWith(macros, sql).byName.get('prices')?.diagnostics ?? []).map(each => shown(each, model(sql)))

function shown({ code, message, range, hint = '' }: Diagnostic, text: string): string {
  return `${code} | ${text.slice(range.start, range.end)} | ${message} | ${hint}`
}

const cents = 'CREATE MACRO cents(amount, digits := 2) AS round(amount / 100.0, digits);\n'

it('macros unfold to as much as limits.sql.length allows, also where that changes', () => {
  const calls = ['a', 'b', 'c'].map(name => `{{ cents(${name}) }} AS ${name}`).join(', ')
  const wide = projectWith(cents, `SELECT ${calls} FROM x`)
  const codes = (project: Project) =>
    project.byName.get('prices')?.diagnostics.map(({ code, message }) => `${code}: ${message}`)
  expect(codes(wide)).toEqual([])
  const settings = parseSettings("name: shop\nwarehouse: 'duckdb:a.db'\nlimits: {sql: {length: 50}}\n")
  const narrow = wide.withSettings(settings)
  expect(codes(narrow)).toEqual(['macro-too-long: the macros unfold to more than 50 characters'])
  expect(codes(narrow.withSettings(wide.settings))).toEqual([])
})

describe('files for one engine', () => {
  const projectOf = (texts: Readonly<Record<string, string>>, of: Engine, sql: string) =>
    createProject({
      settings: { ...parseSettings('name: shop\n'), engine: of },
      files: [{ path: 'models/prices.svc', text: model(sql) }],
      hash,
      macros: createMacros(new Map(Object.entries(texts)), of),
    })
  const texts = {
    'macros/days.postgres.sql': "CREATE MACRO year_of(day) AS to_char(day, 'YYYY');\n",
    'macros/days.sql':
      "CREATE MACRO year_of(day) AS strftime(day, '%Y');\nCREATE MACRO next(day) AS {{ year_of(day) }};\n",
    'macros/lists.duckdb.sql': 'CREATE MACRO firsts(rows) rows[1];\n',
  }
  const sqlOn = (of: Engine) => projectOf(texts, of, 'SELECT {{ next(day) }}').byName.get('prices')?.sql?.text

  it('lead on it, and are called on no other', () => {
    expect(sqlOn(engine)?.trim()).toBe("SELECT ((strftime(day, '%Y')))")
    expect(sqlOn(postgres)?.trim()).toBe("SELECT ((to_char(day, 'YYYY')))")
    const lists = { 'macros/lists.duckdb.sql': 'CREATE MACRO firsts(rows) AS rows[1];\n' }
    const codes = (of: Engine) =>
      projectOf(lists, of, 'SELECT {{ firsts(x) }}')
        .byName.get('prices')
        ?.diagnostics.map(({ code }) => code)
    expect([codes(engine), codes(postgres)]).toEqual([[], ['unknown-macro']])
  })

  it('stay when the engine changes, and have their own duplicates only', () => {
    const onDuckdb = projectOf(
      { ...texts, 'macros/other.postgres.sql': 'CREATE MACRO year_of(day) AS day;\n' },
      engine,
      'SELECT 1',
    )
    const onServer = onDuckdb.withSettings({ ...onDuckdb.settings, engine: postgres })
    expect([...onServer.macros.files.keys()]).toEqual([...onDuckdb.macros.files.keys()])
    const problems = ({ macros }: Project) =>
      [...macros.problems].flatMap(([path, list]) => list.map(({ code }) => `${path} ${code}`))
    const syntax = 'macros/lists.duckdb.sql macro-syntax'
    expect(problems(onDuckdb)).toEqual([syntax])
    expect(problems(onServer)).toEqual([syntax, 'macros/other.postgres.sql macro-duplicate'])
  })
})

describe('a call becomes', () => {
  it.each([
    [cents, '{{ cents(price) }}', '(round(price / 100.0, 2))'],
    [cents, '{{ cents(a + b, digits := 1) }}', '(round((a + b) / 100.0, 1))'],
    [cents, '{{CENTS( (a + b) , -1)}}', '(round((a + b) / 100.0, (-1)))'],
    [cents, "{{ cents({{ var('x') }}) }}", "(round(({{ var('x') }}) / 100.0, 2))"],
    [cents, '{{ cents({{ cents(a) }}) }}', '(round((round(a / 100.0, 2)) / 100.0, 2))'],
    [
      "CREATE MACRO f(a) AS {'k': a, 'a': 'a'}.a -- a\n",
      "{{ f({'b': {'c': 1}}) }}",
      "({'k': ({'b': {'c': 1}}), 'a': 'a'}.a)",
    ],
    [
      'create or replace macro f(a) as a.a + t.a + a(1) + "a" + "A";',
      '{{ f(x) }}',
      '(a.a + t.a + a(1) + x + x)',
    ],
    [
      'CREATE MACRO f(a, l) AS list_transform(l, a -> a + 1) || a',
      '{{ f(x, y) }}',
      '(list_transform(y, a -> a + 1) || x)',
    ],
    ['CREATE MACRO f(a) AS CAST(a AS a)', '{{ f(x) }}', '(CAST(x AS a))'],
    ["CREATE MACRO now_day() AS DATE '{{ var('x') }}'", '{{ now_day() }}', "(DATE '{{ var('x') }}')"],
    [
      `${cents}CREATE MACRO gross(x, rate := 0.2) AS {{ cents(x * 1, digits := 3) }} * (1 + rate)`,
      '{{ gross(a + 1) }}',
      '((round(((a + 1) * 1) / 100.0, 3)) * (1 + 0.2))',
    ],
  ])('%s %s', (macros, call, sql) => {
    expect(expanded(macros, `SELECT ${call}`)).toBe(`SELECT ${sql}`)
  })

  it('a table, with a name of its own where it has none', () => {
    const macros = 'CREATE MACRO big(t, n := 10) AS TABLE SELECT * FROM t AS o WHERE o.n > n;'
    const big = (table: string) => `(\nSELECT * FROM ${table} AS o WHERE o.n > 10\n)`
    const orders = "{{ ref('orders') }}"
    expect(expanded(macros, `FROM {{ big(${orders}) }}`)).toBe(`FROM ${big(orders)} AS big`)
    expect(expanded(macros, `FROM {{ big(${orders}) }} AS b`)).toBe(`FROM ${big(orders)} AS b`)
    expect(expanded(macros, `WITH x AS {{ big(${orders}) }} FROM x`)).toBe(`WITH x AS ${big(orders)} FROM x`)
    expect(expanded(macros, `FROM {{ big({{ big(${orders}) }}) }} b`)).toBe(`FROM ${big(big(orders))} b`)
  })
})

describe('what is wrong', () => {
  it.each([
    ['CREATE MACRO f(a) a;', ['macro-syntax | a | AS is expected here | ']],
    ['CREATE MACRO f AS 1;', ['macro-syntax | AS | the list of parameters is missing | ']],
    ['CREATE MACRO f(a) AS SELECT a;', ['macro-syntax | SELE | a query is a table | ']],
    [
      'CREATE VIEW v AS SELECT 1',
      ['macro-syntax | VIEW | only macros may stand in this folder: MACRO is expected here | '],
    ],
    ['CREATE MACRO f(a) AS a + ;', ['macro-syntax | + | a value is missing after "+" | ']],
    [
      '{% macro f(a) %}{{ a }}{% endmacro %}',
      ['macro-syntax | {% macro f(a) %} | this is a macro in Jinja, which svc does not read | '],
    ],
    ['CREATE MACRO f(a, A) AS a', ['macro-syntax | A | the parameter "A" is there twice | ']],
    [
      'CREATE MACRO f(a := 1, b) AS a + b',
      ['macro-syntax | b | the parameter "b" needs a default, because one before it has one | '],
    ],
    ['CREATE MACRO f(a) AS 1;', ['macro-unused-parameter | a | "f" does not use its parameter "a" | ']],
    [
      'CREATE MACRO f() AS 1; CREATE MACRO F() AS 2',
      ['macro-duplicate | F | there is a macro "F" already, in macros/m.sql | '],
    ],
    [
      'CREATE MACRO target() AS 1',
      [
        'macro-reserved-name | target | "target" is a name of svc\'s own tags: {{ target }} would never call this macro | ',
      ],
    ],
    [
      'CREATE MACRO _SVC_f() AS 1',
      ['macro-reserved-name | _SVC_f | the macro "_SVC_f" has a name that svc keeps for itself | '],
    ],
    [
      'CREATE MACRO f() AS {{ g() }}; CREATE MACRO g() AS {{ f() }}',
      [
        'macro-cycle | g | the macro "f" calls itself: f → g → f | ',
        'macro-cycle | f | the macro "g" calls itself: g → f → g | ',
      ],
    ],
    [
      `${cents}CREATE MACRO f() AS {{ cent(1) }}`,
      ['unknown-macro | cent | there is no macro and no tag "cent" | did you mean "cents"?'],
    ],
    [
      `${cents}CREATE MACRO f() AS {{ cents() }}`,
      [
        'macro-arguments | {{ cents() }} | "cents" needs a value for "amount" | It is cents(amount, digits := 2).',
      ],
    ],
  ])('in a file of macros: %s', (text, problems) => {
    expect(inMacros(text).map((line, index) => line.slice(0, problems[index]?.length))).toEqual(problems)
  })

  it.each([
    ['{{ cent(1) }}', 'unknown-macro | cent | there is no macro and no tag "cent" | did you mean "cents"?'],
    ["{{ reff('x') }}", 'unknown-macro | reff | there is no macro and no tag "reff" | did you mean "ref"?'],
    [
      '{{ cents(1, 2, 3) }}',
      'macro-arguments | {{ cents(1, 2, 3) }} | "cents" takes 2 arguments, not 3 | It is cents(amount, digits := 2).',
    ],
    [
      '{{ cents(1, digit := 3) }}',
      'macro-arguments | digit | "cents" has no parameter "digit" | did you mean "digits"?',
    ],
    [
      '{{ cents(digits := 3, 1) }}',
      'macro-arguments | 1 | an argument without a name cannot follow one with a name | It is cents(amount, digits := 2).',
    ],
    [
      '{{ cents(1, amount := 3) }}',
      'macro-arguments | amount | the parameter "amount" is given twice | It is cents(amount, digits := 2).',
    ],
    [
      "'{{ cents(1) }}'",
      'invalid-tag | {{ cents(1) }} | a tag inside an SQL string is not replaced by a table | Take the tag out of the quotes.',
    ],
  ])('at a call: %s', (call, problem) => {
    expect(inModel(cents, `SELECT ${call}`)).toEqual([problem])
  })

  it('of a macro that calls itself, at each call', () => {
    const loop = 'CREATE MACRO f() AS {{ g() }}; CREATE MACRO g() AS {{ f() }}'
    expect(inModel(loop, 'SELECT {{ f() }}')).toEqual([
      'macro-cycle | {{ f() }} | the macro "f" calls itself: f → g → f | Break the circle in macros/m.sql.',
    ])
  })
})

it('keeps the place of each character: arguments where they are written, what a macro wrote at its call', () => {
  const sql = `SELECT a, {{ cents(b + 1) }} AS p,\n  {{ cents(digits := d, amount := e) }} FROM {{ ref('x') }}`
  const asset = projectWith(cents, sql).byName.get('prices')
  const { text = '', toFile } = asset?.sql ?? {}
  const at = (word: string) => {
    const start = text.indexOf(word)
    const range = toFile?.rangeToOriginal({ start, end: start + word.length })
    return asset?.text.slice(range?.start, range?.end)
  }
  expect(at('SELECT a')).toBe('SELECT a')
  expect(at('b + 1')).toBe('b + 1')
  expect(at('round')).toBe('{{ cents(b + 1) }}')
  expect(at(', 2)')).toBe('{{ cents(b + 1) }}')
  expect(at('e /')).toBe('{{ cents(digits := d, amount := e) }}')
  expect(at('d))')).toBe('{{ cents(digits := d, amount := e) }}')
  expect(at('FROM')).toBe('FROM')
  expect(at("{{ ref('x') }}")).toBe("{{ ref('x') }}")
})

describe('a changed macro', () => {
  const other = { path: 'models/other.svc', text: 'name: other\ningest: none\ntransform: SELECT 1 AS id\n' }
  const before = projectWith(cents, 'SELECT {{ cents(a) }}').with(other.path, other.text)
  const identity = (project: Project): string => {
    const asset = project.byName.get('prices')
    return asset === undefined ? '' : definitionHash(asset, engine, {}, hash)
  }
  const changed = (text: string): Project =>
    before.withMacros(createMacros(new Map([['macros/m.sql', text]]), engine))

  it('changes the assets that use it, and no others', () => {
    const now = changed(cents.replace('100.0', '1000.0'))
    expect(now.byName.get('other')).toBe(before.byName.get('other'))
    expect(now.byName.get('prices')).not.toBe(before.byName.get('prices'))
    expect(identity(now)).not.toBe(identity(before))
    expect(changed(`${cents}CREATE MACRO more() AS 1;\n`).byName.get('prices')).toBe(
      before.byName.get('prices'),
    )
  })

  it('builds nothing anew where its SQL stays the same', () => {
    const renamed = '-- In cents.\nCREATE MACRO cents(value, places := 2) AS round(value / 100.0,\n  places);'
    expect(identity(changed(renamed))).toBe(identity(before))
  })

  it('brings the assets that it reads', () => {
    const reading = "CREATE MACRO cents(a) AS (SELECT max(id) FROM {{ ref('other') }}) + a;\n"
    const now = changed(reading)
    expect(now.parents('prices')).toEqual(['other'])
    expect(
      now.withMacros(createMacros(new Map([['macros/m.sql', cents]]), engine)).parents('prices'),
    ).toEqual([])
  })
})
