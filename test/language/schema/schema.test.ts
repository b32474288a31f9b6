/** The one description of every key: what it makes of a file, and that the published schema says the same. */
import { type Diagnostic, parseAsset } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { reading } from '../../support/engine.ts'
import { hash } from '../../support/spec-project.ts'

function parse(text: string) {
  return parseAsset('models/a.svc', text, reading, hash)
}

function shown(text: string, diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(
    each => `${each.code} [${text.slice(each.range.start, each.range.end)}] ${each.message}`,
  )
}

const model = (more: string) => `name: a\ningest: none\ntransform: SELECT 1\n${more}`

const large = {
  bodyBytes: 1_000_000_000,
  ratio: 300,
  recordBytes: 64_000_000,
  depth: 500,
  pages: 100_000,
  totalBytes: 100_000_000_000,
  files: 10_000,
  names: 200_000,
}

describe('definition', () => {
  it('of the smallest file has every default', () => {
    expect(parse('name: a\ningest: none\ntransform: SELECT 1').definition).toEqual({
      name: 'a',
      tags: [],
      ingest: { type: 'none' },
      transform: { kind: 'sql' },
      columns: {},
      tests: [],
      deploy: {
        materialize: 'table',
        indexes: [],
        unlogged: false,
        settings: {},
        grants: { select: [] },
        before: [],
        after: [],
        keep: 5,
        enabled: true,
      },
      publish: {},
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
      onChange: 'fail',
      primaryKey: [],
      include: [],
      exclude: [],
      mask: {},
      naming: 'snake',
      nested: { mode: 'tables', depth: 2 },
      limits: { concurrency: 4, timeoutMs: 60_000, retries: 5, ...large },
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
      tables: {},
      evolution: { tables: 'evolve', columns: 'evolve', types: 'evolve' },
      enforceTypes: false,
      allowEmpty: false,
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
  - fresh: {column: a, within: 12h}
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
      'name: []\ningest: {type: python}\ntransform: {}\ntests: 1\ndeploy: []\n',
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
      'an address of another kind',
      'name: a\ningest: {type: file, endpoint: "gs://b", resource: x}\ntransform: SELECT 1\n',
      [
        'wrong-value ["gs://b"] "gs://b" does not fit "ingest.endpoint": the endpoint of a file source is a folder, relative to the project\'s root, or https://…, s3://bucket/… or sftp://user@host/…',
      ],
    ],
    [
      'Python',
      'name: a\ningest: none\ntransform:\n  python: |\n    x\n',
      ['not-built-yet [python] "transform.python" is not built yet'],
    ],
    [
      'a misspelt evolution, once',
      model('contract: {evolution: freze}\n'),
      ['wrong-value [freze] "freze" is not a value of "contract.evolution"'],
    ],
    [
      'more rejects than there are records',
      model('contract: {max_rejects: 101%}\n'),
      ['wrong-value [101%] "101%" is not an amount'],
    ],
    ['half a reject', model('contract: {max_rejects: 0.5}\n'), ['wrong-value [0.5] "0.5" is not an amount']],
    [
      'a list of rejects',
      model('contract: {max_rejects: [1]}\n'),
      ['wrong-type [[1]] "contract.max_rejects" must be a whole number or a percentage, not a list'],
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
      'nam: a\ningest: {type: rest}\ntransform: SELECT {{ ref(1) }}\ntests: [{uniqe: a}]\ndeploy: {keep: 0}\n'
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
    const repaired = text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end)
    expect(parse(repaired).diagnostics).toEqual([])
  })

  it('do not say that a key is missing which YAML could not reach', () => {
    const text = 'name: "a\ningest: none\ntransform: SELECT 1\n'
    expect(shown(text, parse(text).diagnostics)).toEqual(['yaml-syntax ["] the text has no closing "'])
  })
})
