/** The one description of every key: what it makes of a file, and that the published schema says the same. */
import { join } from 'node:path'
import {
  assetJsonSchema,
  type Diagnostic,
  parseAsset,
  parseSettings,
  parseYaml,
  referencePage,
  settingsJsonSchema,
} from '@svc/server/language'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { assetShape } from '../../../server/language/schema/asset-schema.ts'
import { parseDuration, parseRate, parseThreshold } from '../../../server/language/schema/formats.ts'
import { fallbackOf, plainValue } from '../../../server/language/schema/read-value.ts'
import { settingsShape } from '../../../server/language/schema/settings-schema.ts'
import { isBuilt, type Key, type Shape } from '../../../server/language/schema/shape.ts'
import { fuzzSeeds } from '../../support/fuzz-seeds.ts'
import { hash } from '../../support/spec-project.ts'

const root = join(import.meta.dirname, '../../..')

function parse(text: string) {
  return parseAsset('models/a.svc', text, hash)
}

function shown(text: string, diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(
    each => `${each.code} [${text.slice(each.range.start, each.range.end)}] ${each.message}`,
  )
}

const model = (more: string) => `name: a\ningest: none\ntransform: SELECT 1\n${more}`

describe('definition', () => {
  it('of the smallest file has every default', () => {
    expect(parse('name: a\ningest: none\ntransform: SELECT 1').definition).toEqual({
      name: 'a',
      tags: [],
      ingest: { type: 'none' },
      transform: { kind: 'sql' },
      columns: {},
      tests: [],
      deploy: { materialize: 'table', keep: 5, enabled: true },
      exposures: [],
    })
  })

  it('of a REST source has every default', () => {
    const text =
      'name: shop\ningest: {type: rest_api, endpoint: "https://a.example/v1", resource: r}\ntransform: SELECT 1'
    expect(parse(text).definition.ingest).toEqual({
      type: 'rest_api',
      endpoint: 'https://a.example/v1',
      resource: 'r',
      credentials: 'env:SOURCE__SHOP__CREDENTIALS',
      method: 'GET',
      params: {},
      headers: {},
      auth: { type: 'none' },
      paginate: { type: 'auto', in: 'query' },
      onStatus: {},
      allowHosts: [],
      write: 'replace',
      primaryKey: [],
      include: [],
      exclude: [],
      naming: 'snake',
      nested: { mode: 'tables', depth: 2 },
      limits: { concurrency: 4, timeoutMs: 60_000, retries: 5 },
    })
  })

  it('expands short forms and units', () => {
    const { definition, diagnostics } = parse(`name: a
ingest:
  type: rest_api
  endpoint: env:SHOP_URL
  resource: 2024
  auth: {type: api_key, name: X-Key}
  paginate: link_header
  nested: json
  primary_key: id
  limits: {rate: 120/m, timeout: 1.5s, max_rows: 10}
  on_status: {404: skip}
contract:
  evolution: evolve
  columns: {id: bigint, name: {nullable: false, from: full name}}
transform: SELECT 1
freshness: {warn_after: 90s, error_after: 2w}
tags: daily
`)
    expect(diagnostics).toEqual([])
    expect(definition.ingest).toMatchObject({
      resource: '2024',
      auth: { type: 'api_key', name: 'X-Key', in: 'header' },
      paginate: { type: 'link_header', in: 'query' },
      nested: { mode: 'json', depth: 2 },
      primaryKey: ['id'],
      limits: { ratePerSecond: 2, timeoutMs: 1500, maxRows: 10, retries: 5 },
      onStatus: { '404': 'skip' },
    })
    expect(definition.contract).toEqual({
      evolution: { tables: 'evolve', columns: 'evolve', types: 'evolve' },
      enforceTypes: false,
      requiredColumns: [],
      columns: {
        id: { type: 'bigint', nullable: true, pii: false },
        name: { nullable: false, pii: false, from: 'full name' },
      },
    })
    expect(definition.freshness).toEqual({ warnAfterMs: 90_000, errorAfterMs: 1_209_600_000 })
    expect(definition.tags).toEqual(['daily'])
  })

  it('makes one test a column, each with a name of its own', () => {
    const { definition, diagnostics } = parse(
      model(`tests:
  - unique: [a, b]
  - not_null: [a, b]
  - not_null: a
  - accepted_values: {a: [1, x, null]}
  - relationships: {a: other.id, b: other.id}
    severity: warn
  - range: {a: {min: 0}, b: {max: 2024-01-01, strict: true}}
    name: bounds
    where: b > 1
    warn_if: "> 10"
    error_if: ">= 20"
  - matches: {a: ".+"}
  - row_count: {min: 1, change: 50%}
  - fresh: {a: 12h}
  - expression: a > b
  - sql: SELECT * FROM {{ this }}
    tags: slow
`),
    )
    expect(diagnostics).toEqual([])
    const plain = { severity: 'error', tags: [] }
    const bounds = {
      ...plain,
      where: 'b > 1',
      warnIf: { operator: '>', value: 10 },
      errorIf: { operator: '>=', value: 20 },
    }
    const link = {
      kind: 'relationships',
      toAsset: 'other',
      toColumn: 'id',
      severity: 'warn',
      tags: [],
      index: 4,
    }
    expect(definition.tests).toEqual([
      { kind: 'unique', columns: ['a', 'b'], name: 'unique_a_b', index: 0, ...plain },
      { kind: 'not_null', column: 'a', name: 'not_null_a', index: 1, ...plain },
      { kind: 'not_null', column: 'b', name: 'not_null_b', index: 1, ...plain },
      { kind: 'not_null', column: 'a', name: 'not_null_a_2', index: 2, ...plain },
      {
        kind: 'accepted_values',
        column: 'a',
        values: [1, 'x', null],
        name: 'accepted_values_a',
        index: 3,
        ...plain,
      },
      { ...link, column: 'a', name: 'relationships_a' },
      { ...link, column: 'b', name: 'relationships_b' },
      { kind: 'range', column: 'a', min: 0, strict: false, name: 'bounds_a', index: 5, ...bounds },
      { kind: 'range', column: 'b', max: '2024-01-01', strict: true, name: 'bounds_b', index: 5, ...bounds },
      { kind: 'matches', column: 'a', pattern: '.+', name: 'matches_a', index: 6, ...plain },
      { kind: 'row_count', min: 1, changePercent: 50, name: 'row_count', index: 7, ...plain },
      { kind: 'fresh', column: 'a', withinMs: 43_200_000, name: 'fresh_a', index: 8, ...plain },
      { kind: 'expression', expression: 'a > b', name: 'expression', index: 9, ...plain },
      { kind: 'sql', name: 'sql', index: 10, severity: 'error', tags: ['slow'] },
    ])
  })

  it('is filled whatever the file says', () => {
    const expected = Object.keys(parse(model('')).definition).sort()
    for (const text of [
      '',
      '[]',
      'x',
      'name: []\ningest: {type: sql}\ntransform: {}\ntests: 1\ndeploy: []\n',
    ]) {
      const { definition } = parse(text)
      expect(Object.keys(definition).sort(), text).toEqual(expected)
      expect(definition).toMatchObject({
        name: 'a',
        ingest: { type: 'none' },
        tests: [],
        deploy: { keep: 5 },
      })
    }
  })

  it('keeps the good tests at their places beside the bad ones', () => {
    const { definition } = parse(model('tests:\n  - 7\n  - unique: id\n  - nul: id\n  - not_null: id\n'))
    expect(definition.tests.map(test => [test.name, test.index])).toEqual([
      ['unique_id', 1],
      ['not_null_id', 3],
    ])
  })
})

describe('problems', () => {
  const rest = (more: string) =>
    `name: a\ningest:\n  type: rest_api\n  endpoint: https://a.example\n  resource: r\n${more}transform: SELECT 1\n`
  const cases: [string, string, string[]][] = [
    ['an empty file', '', ['missing-key [] the file is empty: "name", "ingest" and "transform" are missing']],
    [
      'a list',
      '- a\n',
      ['wrong-type [- a] an asset file is a mapping with the keys "name", "ingest" and "transform"'],
    ],
    ['a missing key', 'name: a\ningest: none\n', ['missing-key [name: a] "transform" is missing']],
    [
      'a bad name',
      'name: a b\ningest: none\ntransform: SELECT 1\n',
      [
        'invalid-name [a b] "a b" does not fit "name": a name is made of letters, digits and _, and begins with a letter or _',
      ],
    ],
    ['an unknown key', model('tagz: [a]\n'), ['unknown-key [tagz] unknown key "tagz"']],
    [
      'a key at the wrong level',
      model('materialize: view\n'),
      ['unknown-key [materialize] unknown key "materialize"'],
    ],
    [
      'a wrong value',
      model('deploy: {materialize: tabel}\n'),
      ['wrong-value [tabel] "tabel" is not a value of "deploy.materialize"'],
    ],
    [
      'a wrong type',
      model('deploy: {enabled: 1}\n'),
      ['wrong-type [1] "deploy.enabled" must be true or false, not a number'],
    ],
    ['an empty value', model('tests:\n'), ['wrong-type [tests] "tests" has no value']],
    [
      'a duration without a unit',
      model('freshness: {warn_after: 12}\n'),
      ['invalid-duration [12] "12" is not a duration'],
    ],
    ['a rate', rest('  limits: {rate: 10}\n'), ['wrong-value [10] "10" is not a rate']],
    [
      'a paginator that lacks its path',
      rest('  paginate: {type: cursor, param: p}\n'),
      ['missing-key [{type: cursor, param: p}] "ingest.paginate" of type cursor needs "path" or "header"'],
    ],
    [
      'a short form that needs more',
      rest('  paginate: next_url\n'),
      ['missing-key [next_url] "ingest.paginate" has no "path"'],
    ],
    [
      'a key of another type',
      'name: a\ningest: {type: rows, rows: [], params: {}}\ntransform: SELECT 1\n',
      ['unknown-key [params] "params" is no key of "ingest" with type rows'],
    ],
    [
      'a source that is not built',
      'name: a\ningest: {type: python, code: x}\ntransform: SELECT 1\n',
      ['not-built-yet [python] ingest.type "python" is not built yet'],
    ],
    [
      'an address that is not built',
      'name: a\ningest: {type: file, endpoint: "s3://b", resource: x}\ntransform: SELECT 1\n',
      ['not-built-yet ["s3://b"] reading files from a remote address is not built yet'],
    ],
    [
      'Python',
      'name: a\ningest: none\ntransform:\n  python: |\n    x\n',
      ['not-built-yet [python] "transform.python" is not built yet'],
    ],
    [
      'an evolution that is not built, once',
      model('contract: {evolution: freeze}\n'),
      ['not-built-yet [freeze] contract.evolution "freeze" is not built yet'],
    ],
    [
      'a test of no kind',
      model('tests:\n  - severity: warn\n'),
      ['missing-key [severity: warn] there is no kind of test'],
    ],
    [
      'a misspelt test',
      model('tests:\n  - uniqe: id\n'),
      ['unknown-key [uniqe] unknown key "uniqe" in "tests[0]"'],
    ],
    [
      'two kinds in one test',
      model('tests:\n  - unique: id\n    not_null: id\n'),
      ['wrong-value [not_null] "unique" and "not_null" are two kinds of test'],
    ],
    [
      'a test without columns',
      model('tests: [{unique: []}]\n'),
      ['wrong-value [[]] "tests[0].unique" is an empty list'],
    ],
    [
      'a range without bounds',
      model('tests: [{range: {a: {}}}]\n'),
      ['missing-key [{}] "tests[0].range.a" needs "min" or "max"'],
    ],
    [
      'a tag where none may be',
      model('tests: [{expression: "{{ ref(\'x\') }} > 1"}]\n'),
      ['invalid-tag ["{{ ref(\'x\') }} > 1"] "tests[0].expression" may not hold template tags'],
    ],
    [
      'a threshold',
      model('tests: [{unique: a, warn_if: 10}]\n'),
      ['wrong-value [10] "10" is not a threshold'],
    ],
    [
      'a relation without a column',
      model('tests: [{relationships: {a: customers}}]\n'),
      ['wrong-value [customers] "customers" does not fit "tests[0].relationships.a": write asset.column'],
    ],
    [
      'an empty transform',
      'name: a\ningest: none\ntransform: |\n\n',
      ['wrong-value [|\n] "transform" has no SQL'],
    ],
  ]
  it.each(cases)('%s', (_name, text, expected) => {
    expect(shown(text, parse(text).diagnostics)).toEqual(expected)
  })

  it('are all told at once, in order of place', () => {
    const text =
      'nam: a\ningest: {type: rest}\ntransform: SELECT {{ reff(1) }}\ntests: [{uniqe: a}]\ndeploy: {keep: 0}\n'
    expect(parse(text).diagnostics.map(each => each.code)).toEqual([
      'unknown-key',
      'missing-key',
      'wrong-value',
      'invalid-tag',
      'unknown-key',
      'wrong-value',
    ])
  })

  it('offer the nearest right name as an edit', () => {
    const text = model('deploy: {materialise: table}\n')
    const [problem] = parse(text).diagnostics
    expect(problem?.suggestions?.[0]).toBe('materialize')
    const edit = problem?.fixes?.[0]?.edits[0]
    if (edit === undefined) throw new Error('no fix')
    const mended = text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end)
    expect(parse(mended).diagnostics).toEqual([])
  })

  it('do not say that a key is missing which YAML could not reach', () => {
    const text = 'name: "a\ningest: none\ntransform: SELECT 1\n'
    expect(shown(text, parse(text).diagnostics)).toEqual(['yaml-syntax ["] the text has no closing "'])
  })
})

describe('settings', () => {
  it('have every default without a file', () => {
    expect(parseSettings(undefined, 'shop')).toEqual({
      name: 'shop',
      warehouse: 'duckdb:./warehouse.duckdb',
      defaultSchema: 'analytics',
      models: 'models/',
      environments: {},
      vars: {},
      diagnostics: [],
    })
    expect(parseSettings('# only a comment\n')).toMatchObject(parseSettings(undefined))
  })

  it('are read', () => {
    const settings = parseSettings(
      'name: shop\nwarehouse: env:WH\ndefault_schema: mart\nmodels: ./assets\nvars: {a: 1}\nenvironments:\n  staging: {warehouse: "duckdb:./s.duckdb", vars: {a: 2}}\n',
    )
    expect(settings).toMatchObject({
      name: 'shop',
      warehouse: 'env:WH',
      defaultSchema: 'mart',
      models: 'assets/',
      environments: { staging: { warehouse: 'duckdb:./s.duckdb', vars: { a: 2 } } },
      vars: { a: 1 },
      diagnostics: [],
    })
  })

  it('refuse by name what they do not know', () => {
    const text =
      'ai: {provider: x}\nwarehouse: mysql://x\nmodels: ../x\nenvironments: {Prod!: {}}\nwarehous: y\n'
    expect(shown(text, parseSettings(text).diagnostics).map(each => each.replace(/\] .*/, ']'))).toEqual([
      'not-built-yet [ai]',
      'wrong-value [mysql://x]',
      'wrong-value [../x]',
      'invalid-name [Prod!]',
      'unknown-key [warehous]',
    ])
  })

  it.each(['[]', 'x', '- a', '"', '{', 'vars: []'])('never throw and stay filled: %s', text => {
    const { diagnostics, file: _file, ...settings } = parseSettings(text)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect({ ...settings, diagnostics: [] }).toEqual(parseSettings(undefined))
  })
})

describe('formats', () => {
  it('durations, rates and thresholds', () => {
    expect(
      ['90s', '30m', '12h', '7d', '1w', '250ms', '1.5h', '12', 'h', '-1s', ''].map(parseDuration),
    ).toEqual([
      90_000,
      1_800_000,
      43_200_000,
      604_800_000,
      604_800_000,
      250,
      5_400_000,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(['10/s', '120/m', '0/s', '10'].map(parseRate)).toEqual([10, 2, undefined, undefined])
    expect(['> 10', '<=0', '<> 1', '10'].map(parseThreshold)).toEqual([
      { operator: '>', value: 10 },
      { operator: '<=', value: 0 },
      { operator: '!=', value: 1 },
      undefined,
    ])
  })
})

/** Every key of a shape with its way from the top. */
function allKeys(shape: Shape, at = ''): { key: Key; path: string }[] {
  switch (shape.kind) {
    case 'object':
      return shape.keys.flatMap(key => [
        { key, path: `${at}.${key.name}` },
        ...allKeys(key.shape, `${at}.${key.name}`),
      ])
    case 'variants':
      return shape.variants.flatMap(each =>
        allKeys({ kind: 'object', keys: each.keys }, `${at}(${each.value})`),
      )
    case 'list':
    case 'record':
    case 'shorthand':
      return allKeys(shape.of, at)
    default:
      return []
  }
}

describe('the description itself', () => {
  const keys = [...allKeys(assetShape), ...allKeys(settingsShape, 'svc.yaml')]

  it('has a sentence for every key', () => {
    for (const { key, path } of keys) expect(key.doc, path).toMatch(/^[A-Z\w].*[.]$/)
  })

  it('has defaults that its own shapes accept', () => {
    for (const { key, path } of keys)
      if (key.default !== undefined) expect(fallbackOf(key), path).toBeDefined()
  })

  it('refuses every key that is not built, by name', () => {
    const later = assetShape.keys.filter(key => !isBuilt(key)).map(key => key.name)
    expect(later).toContain('publish')
    for (const name of later) {
      const text = model(`${name}: {}\n`)
      expect(shown(text, parse(text).diagnostics)).toEqual([
        `not-built-yet [${name}] "${name}" is not built yet`,
      ])
    }
  })

  it('is on the reference page, key by key', () => {
    const page = referencePage()
    for (const { key, path } of keys) expect(page, path).toContain(`\`${key.name}\``)
    expect(page).not.toMatch(/undefined|\[object/)
  })
})

describe('JSON Schema', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false })
  const isAsset = ajv.compile(assetJsonSchema())
  const isSettings = ajv.compile(settingsJsonSchema())

  const valid = [
    ...fuzzSeeds(root),
    model('tests: [{unique: [a, b]}, {range: {a: {min: 0}}}, {fresh: {a: 1h}}]\ntags: x\n'),
  ]
  it.each(valid.map((text, index) => [index, text] as const))(
    'accepts valid file %i, as the parser does',
    (_index, text) => {
      expect(parse(text).diagnostics).toEqual([])
      expect(isAsset(plainValue(parseYaml(text).root)) || isAsset.errors).toBe(true)
    },
  )

  const invalid = [
    model('tagz: [a]\n'),
    model('deploy: {materialize: incremental}\n'),
    model('publish: {}\n'),
    model('tests: [{unique: a, not_null: b}]\n'),
    model('tests: [{severity: warn}]\n'),
    model('freshness: {column: a}\n'),
    model('contract: {evolution: freeze}\n'),
    'name: a\ningest: {type: sql, endpoint: x}\ntransform: SELECT 1\n',
    'name: a\ningest: {type: rest_api, endpoint: "https://x.example"}\ntransform: SELECT 1\n',
    'name: 1a\ningest: none\ntransform: SELECT 1\n',
    'ingest: none\ntransform: SELECT 1\n',
    'name: a\ningest: none\ntransform: {python: x}\n',
  ]
  it.each(invalid)('refuses, as the parser does: %s', text => {
    expect(parse(text).diagnostics).not.toEqual([])
    expect(isAsset(plainValue(parseYaml(text).root))).toBe(false)
  })

  it('of settings agrees with the reader', () => {
    const good =
      'name: x\nwarehouse: duckdb:./w.duckdb\nenvironments: {dev: {schema: x, vars: {a: 1}}}\nvars: {b: null}\n'
    expect(parseSettings(good).diagnostics).toEqual([])
    expect(isSettings(plainValue(parseYaml(good).root)) || isSettings.errors).toBe(true)
    for (const bad of ['ai: {}', 'warehouse: mysql://x', 'vars: {a: []}', 'environments: {Prod: {}}']) {
      expect(parseSettings(bad).diagnostics, bad).not.toEqual([])
      expect(isSettings(plainValue(parseYaml(bad).root)), bad).toBe(false)
    }
  })
})
