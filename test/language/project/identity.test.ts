/** What changes the identity of a definition, a load, a build or a test, and what does not (decisions 2). */
import * as language from '@svc/server/language'
import {
  type Asset,
  buildKey,
  changedKeys,
  parseAsset,
  rawDefinitionHash,
  rawKey,
  type TestDefinition,
  type Vars,
} from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import * as canonical from '../../../server/language/project/canonical-sql.ts'
import { engine, reading } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'
import { hash } from '../../support/spec-project.ts'

const canonicalDefinition = (asset: Asset, vars: Vars) => language.canonicalDefinition(asset, engine, vars)
const definitionHash = (asset: Asset, vars: Vars, hash: language.Hash) =>
  language.definitionHash(asset, engine, vars, hash)
const testHash = (asset: Asset, test: TestDefinition, hash: language.Hash, vars: Vars = {}) =>
  language.testHash(asset, test, engine, hash, vars)
const canonicalSql = (sql: string, tags?: readonly language.Tag[]) =>
  canonical.canonicalSql(sql, engine, tags)

const base = `name: orders
description: Orders
owner: me@example.com
ingest:
  type: rest_api
  endpoint: https://a.example/v1
  resource: orders
  auth: {type: api_key, name: X-Key, value: env:KEY}
contract:
  columns: {id: {type: bigint, description: The id}}
transform: |
  SELECT id, 'It''s' AS "Note" -- a comment
  FROM {{ source }} WHERE day > {{ var('start') }}
columns:
  id: {description: The id}
tests:
  - unique: id
freshness: {warn_after: 12h}
deploy: {materialize: table, keep: 5}
exposures:
  - {name: Board, type: dashboard}
`
const vars = { start: '2024-01-01', other: 1 }

function parse(text: string) {
  const asset = parseAsset('models/orders.svc', text, reading, hash)
  expect(asset.diagnostics).toEqual([])
  return asset
}

function edited(from: string, to: string) {
  expect(base).toContain(from)
  return parse(base.replace(from, to))
}

describe('definitionHash', () => {
  const before = definitionHash(parse(base), vars, hash)

  const same: [string, string, string][] = [
    ['description', 'description: Orders', 'description: All orders'],
    ['owner and tags', 'owner: me@example.com', 'tags: [a]'],
    ['a comment in YAML', 'name: orders', '# note\nname: orders'],
    ['a comment in SQL', '-- a comment', '/* another {{ ref("x") }} */'],
    ['spacing', 'SELECT id,', 'SELECT   id  ,\n  '],
    ['case of words', 'SELECT id', 'select ID'],
    ['a semicolon at the end', "{{ var('start') }}", "{{ var('start') }};"],
    ['spacing and quotes in a tag', "{{ var('start') }}", '{{var("start")}}'],
    ['tests', '- unique: id', '- not_null: id'],
    ['freshness', '12h', '13h'],
    ['keep', 'keep: 5', 'keep: 9'],
    ['a default written out', 'keep: 5', 'keep: 5, enabled: true'],
    ['an exposure', 'name: Board', 'name: Panel'],
    ['documentation of columns', 'id: {description: The id}\ntests', 'id: {description: Number}\ntests'],
    ['descriptions in the contract', 'description: The id}}', 'description: Number, pii: true}}'],
    ['a credential', 'value: env:KEY', 'value: env:OTHER'],
    ['limits', 'resource: orders', 'resource: orders\n  limits: {rate: 5/s}'],
    ['flow and block style', 'deploy: {materialize: table, keep: 5}', 'deploy:\n  materialize: table'],
    [
      'the order of keys',
      '  endpoint: https://a.example/v1\n  resource: orders',
      '  resource: orders\n  endpoint: https://a.example/v1',
    ],
    ['literal and quoted style', 'materialize: table', 'materialize: "table"'],
  ]
  it.each(same)('does not change with %s', (_what, from, to) => {
    expect(definitionHash(edited(from, to), vars, hash)).toBe(before)
  })

  it('does not change with the ends of lines', () => {
    const windows = parse(base.replaceAll('\n', '\r\n'))
    expect(definitionHash(windows, vars, hash)).toBe(before)
    expect(canonicalDefinition(windows, vars)).toBe(canonicalDefinition(parse(base), vars))
  })

  it.each([
    ['endpoint: data, resource: x.csv', 'endpoint: ./data/, resource: ./x.csv'],
    ['endpoint: data/2024, resource: x.csv', 'endpoint: ./data/./2024//, resource: x.csv, format: csv'],
  ])('does not change with another spelling of a place: %s', (one, other) => {
    const hashOf = (place: string) => {
      const asset = parse(`name: x\ningest: {type: file, ${place}}\ntransform: SELECT 1\n`)
      return [definitionHash(asset, {}, hash), rawDefinitionHash(asset, hash)]
    }
    expect(hashOf(other)).toEqual(hashOf(one))
  })

  const different: [string, string, string, string[]][] = [
    ['an operator', 'day >', 'day >=', ['transform']],
    ['a string', "'It''s'", "'it''s'", ['transform']],
    ['spaces in a string', "'It''s'", "'It'' s'", ['transform']],
    ['a quoted identifier', '"Note"', '"note"', ['transform']],
    ['the endpoint', 'v1', 'v2', ['ingest.endpoint']],
    ['the kind of auth', 'name: X-Key', 'name: Y-Key', ['ingest.auth']],
    ['a type in the contract', 'bigint', 'int', ['contract.columns']],
    ['materialize', 'materialize: table', 'materialize: view', ['deploy.materialize']],
    ['schema', 'materialize: table', 'materialize: table, schema: mart', ['deploy.schema']],
    ['another source', '{{ source }}', "{{ source('x') }}", ['transform']],
    ['the variable', "var('start')", "var('other')", ['transform', 'vars.other', 'vars.start']],
    [
      'two at once',
      'resource: orders\n',
      'resource: lines\n  exclude: [x]\n',
      ['ingest.exclude', 'ingest.resource'],
    ],
  ]
  it.each(different)('changes with %s', (_what, from, to, keys) => {
    const after = edited(from, to)
    expect(definitionHash(after, vars, hash)).not.toBe(before)
    expect(changedKeys(canonicalDefinition(parse(base), vars), canonicalDefinition(after, vars))).toEqual(
      keys,
    )
  })

  it('changes with a variable that is used, not with another', () => {
    expect(definitionHash(parse(base), { ...vars, start: '2025-01-01' }, hash)).not.toBe(before)
    expect(definitionHash(parse(base), { ...vars, other: 2 }, hash)).toBe(before)
    expect(changedKeys(canonicalDefinition(parse(base), vars), canonicalDefinition(parse(base), {}))).toEqual(
      ['vars.start'],
    )
  })

  it('holds no secret', () => {
    const secret = parse(
      base
        .replace('value: env:KEY', 'value: hunter2')
        .replace('resource: orders', 'resource: orders\n  credentials: hunter2'),
    )
    expect(canonicalDefinition(secret, vars)).not.toContain('hunter2')
  })

  it('takes no contract for the one that allows everything', () => {
    const bare = 'name: a\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT 1\n'
    expect(definitionHash(parse(`${bare}contract: {evolution: evolve}\n`), {}, hash)).toBe(
      definitionHash(parse(bare), {}, hash),
    )
  })
})

/** The engine that does not keep the spelling of names. */
const folding = language.engineOf('postgres://localhost/shop')

describe('canonicalSql', () => {
  it('tells apart what means something else', () => {
    const different = [
      'a ~~ b',
      'a ~ ~b',
      'a ^@ b',
      'a ^ @b',
      'a <@ b',
      'a < @b',
      "'a b'",
      "'a  b'",
      '"a"',
      '"A"',
      'a.b',
      'a . . b',
      '1.5',
      '1 .5',
      'a b',
      'ab',
      "E'a'",
      "'a'",
      '$$a$$',
    ]
    expect(new Set(different.map(sql => canonicalSql(sql))).size).toBe(different.length)
  })

  it('has the spelling of a name that a column or a field gets, where the engine keeps it', () => {
    const given = [
      'SELECT 1 AS §',
      'SELECT count(*) § FROM t',
      'SELECT a AS b, c §, d FROM t',
      'SELECT case when a then b end § FROM t',
      'SELECT §: 1',
      'SELECT {a: 1, §: 2}.a',
      'SELECT struct_pack(§ := 1)',
      'SELECT t.fields.§ FROM t',
      'SELECT * FROM f(3) AS t(§)',
      'SELECT * FROM f(3) t(b, §)',
      'WITH a AS (SELECT 1), b(§) AS MATERIALIZED (SELECT 2) SELECT * FROM b',
      'SELECT * FROM (SELECT 1 AS §) t',
      'SELECT * REPLACE (1 AS §) FROM t',
      'SELECT NULL::STRUCT(§ INTEGER, b STRUCT(c TEXT))',
      'SELECT NULL::STRUCT(b STRUCT(§ TEXT))',
      'UNPIVOT t ON a INTO NAME § VALUE b',
      'UNPIVOT t ON a INTO NAME b VALUE §',
      'SELECT * FROM t UNPIVOT (b FOR § IN (a))',
      'SELECT 1 AS x UNION SELECT 2 AS § ORDER BY 1',
    ]
    const spelled = (sql: string, name: string) => sql.replace('§', name)
    for (const sql of given) {
      expect(canonicalSql(spelled(sql, 'lit')), sql).not.toBe(canonicalSql(spelled(sql, 'Lit')))
      expect(canonical.canonicalSql(spelled(sql, 'lit'), folding), sql).toBe(
        canonical.canonicalSql(spelled(sql, 'Lit'), folding),
      )
    }
  })

  it('has no spelling of words that only look names up, of types, functions and keywords', () => {
    const looked = [
      'SELECT §.a, b FROM t AS §',
      'SELECT a AS b FROM t JOIN u USING (§) WHERE § = 1 AND t.§ = 2',
      'SELECT CAST(a AS §) AS b, a::§ AS c',
      'SELECT §(a) AS b FROM §(3) WHERE §(a) IN (a, b)',
      'SELECT sum(a) OVER (PARTITION BY § ORDER BY § DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS b',
      "SELECT INTERVAL 1 § + DATE '2020-01-01' AS b",
      'WITH § AS NOT MATERIALIZED (SELECT 1 AS a) SELECT a FROM § GROUP BY § ORDER BY § LIMIT 1',
      'SELECT § FROM t',
      'SELECT DISTINCT §, § FROM t',
    ]
    for (const sql of looked) {
      const [lower, upper] = [sql.replaceAll('§', 'lit'), sql.replaceAll('§', 'LIT')]
      expect(canonicalSql(lower), sql).toBe(canonicalSql(upper))
      const names = /\b(?:[abctu]|lit)\b/
      const keywords = lower.replace(/\w+/g, word => (names.test(word) ? word : word.toUpperCase()))
      expect(canonicalSql(keywords.toLowerCase()), sql).toBe(canonicalSql(keywords))
    }
  })

  it('is the same however the tokens are spread', () => {
    const tokens = [
      'select',
      'A',
      ',',
      "'x  Y'",
      '"Q"',
      '<',
      '-',
      '1.5',
      '::',
      'int',
      '(',
      ')',
      'from',
      '[',
      ']',
      '>=',
      '||',
      '$1',
      '->>',
    ]
    for (let seed = 1; seed <= 500; seed++) {
      const random = seededRandom(seed)
      const drawn = Array.from({ length: 1 + random.below(10) }, () => random.pick(tokens))
      // A line break between two string literals makes them one: that is no mere spacing.
      const words = drawn.filter((word, index) => !word.startsWith("'") || word !== drawn[index - 1])
      const gaps = () => random.pick([' ', '\n', ' /* c */ ', ' -- c\n', '\t '])
      const [one, two] = [
        words.map(word => word + gaps()).join(''),
        words.map(word => word.replace(/^(?:select|from)$/, each => each.toUpperCase()) + gaps()).join(''),
      ]
      expect(canonicalSql(one), `seed ${seed}`).toBe(canonicalSql(two))
      expect(canonicalSql(canonicalSql(one)), `seed ${seed}`).toBe(canonicalSql(one))
    }
  })
})

describe('keys of loads and builds', () => {
  const asset = parse(base)

  it('raw: ingest and contract, and the content', () => {
    const raw = rawDefinitionHash(asset, hash)
    expect(rawDefinitionHash(edited('SELECT id', 'SELECT 1 AS id'), hash)).toBe(raw)
    expect(rawDefinitionHash(edited('v1', 'v2'), hash)).not.toBe(raw)
    expect(rawDefinitionHash(edited('bigint', 'int'), hash)).not.toBe(raw)
    expect(rawKey(raw, 'load1', hash)).not.toBe(rawKey(raw, 'load2', hash))
  })

  it('build: definition, parents in order, own load', () => {
    const key = buildKey('d', ['p', 'q'], 'r', hash)
    const others = [
      buildKey('e', ['p', 'q'], 'r', hash),
      buildKey('d', ['q', 'p'], 'r', hash),
      buildKey('d', ['p'], 'r', hash),
      buildKey('d', ['p', 'q'], undefined, hash),
      buildKey('d', ['r', 'p', 'q'], undefined, hash),
    ]
    expect(buildKey('d', ['p', 'q'], 'r', hash)).toBe(key)
    expect(new Set([key, ...others]).size).toBe(6)
  })
})

describe('testHash', () => {
  const withTests = (tests: string) =>
    parse(`name: a\ningest: none\ntransform: SELECT 1 AS id\ntests:\n${tests}`)
  const hashOf = (tests: string, values = {}) => {
    const asset = withTests(tests)
    const [test] = asset.definition.tests
    if (test === undefined) throw new Error('no test')
    return testHash(asset, test, hash, values)
  }

  it('does not change with name, description, tags or place', () => {
    const one = hashOf('  - unique: id\n')
    expect(hashOf('  - unique: [id]\n    name: x\n    description: y\n    tags: z\n')).toBe(one)
    const asset = withTests('  - not_null: id\n  - unique: id\n')
    const second = asset.definition.tests[1]
    expect(second && testHash(asset, second, hash)).toBe(one)
  })

  it('changes with everything that it asks', () => {
    const tests = [
      '  - unique: id\n',
      '  - not_null: id\n',
      '  - unique: id\n    where: id > 1\n',
      '  - unique: id\n    severity: warn\n',
      '  - unique: id\n    error_if: "> 1"\n',
      '  - range: {id: {min: 1}}\n',
      '  - range: {id: {min: 2}}\n',
      '  - sql: SELECT * FROM {{ this }}\n',
      '  - sql: SELECT 1 FROM {{ this }}\n',
      '  - expression: id > 1\n',
    ]
    expect(new Set(tests.map(test => hashOf(test))).size).toBe(tests.length)
  })

  it('reads SQL as its tokens, with the variables in it', () => {
    expect(hashOf('  - expression: ID  > 1\n')).toBe(hashOf('  - expression: id > 1\n'))
    expect(hashOf('  - unique: id\n    where: ID>1 -- x\n')).toBe(
      hashOf('  - unique: id\n    where: id > 1\n'),
    )
    const sql = "  - sql: SELECT * FROM {{ this }} WHERE id > {{ var('v') }}\n"
    expect(hashOf(sql.replace('SELECT', 'select'))).toBe(hashOf(sql))
    expect(hashOf(sql, { v: 1 })).not.toBe(hashOf(sql, { v: 2 }))
    expect(hashOf(sql, { v: 1, w: 1 })).toBe(hashOf(sql, { v: 1, w: 2 }))
  })
})
