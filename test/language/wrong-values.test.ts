/**
 * Values that have the right kind and mean nothing, or name what is not there: each is told, on its own range and nothing
 * around it. Values of the wrong kind are tried key by key in test/cli/bad-input/wrong-types.test.ts.
 */
import { openCatalog } from '@svc/server/catalog'
import type { Catalog, Diagnostic } from '@svc/server/language'
import { checkAsset } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsPath } from '../../server/language/project/parse-settings.ts'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'

const base = `name: base
ingest: none
transform: SELECT 1 AS id, 'x' AS s, DATE '2024-01-01' AS d, true AS b, 1.5::DOUBLE AS f, TIMESTAMP '2024-01-01' AS ts
`
const model = `name: a\ningest: none\ntransform: SELECT * FROM {{ ref('base') }}\n`
const api = 'type: rest_api, endpoint: "https://a.example", resource: x'

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog(engine)
})
afterAll(() => catalog.close())

async function problemsOf(path: string, text: string): Promise<readonly string[]> {
  const files = new Map([
    ['models/base.svc', base],
    ['models/a.svc', model],
    [path, text],
  ])
  const project = projectOf(files)
  const analysis = await catalog.analyze(project, new Map())
  return checkAsset(project, path, analysis, new Map())
    .filter(({ code }) => code !== 'source-columns-unknown')
    .map(({ code, range }: Diagnostic) => `${code} ${text.slice(range.start, range.end)}`)
}

describe('tests', () => {
  it.each([
    ['unique: [id, idd]', 'test-unknown-column idd'],
    ['not_null: [id, id]', 'test-duplicate id'],
    ['accepted_values: {idd: [1]}', 'test-unknown-column idd'],
    ['accepted_values: {}', 'wrong-value {}'],
    ['accepted_values: {id: []}', 'wrong-value []'],
    ['accepted_values: {id: [1, abc]}'],
    ['accepted_values: {id: [abc, "1"]}', 'sql-bad-literal abc'],
    ['accepted_values: {id: ["1", "2"]}'],
    ['accepted_values: {s: [1, 2]}', 'test-wrong-type 1', 'test-wrong-type 2'],
    ['accepted_values: {s: [1, a, null]}'],
    ['accepted_values: {d: [5]}', 'test-wrong-type 5'],
    ['accepted_values: {d: ["2024-01-31", "2024-02-30"]}', 'sql-bad-literal "2024-02-30"'],
    ['accepted_values: {b: [maybe]}', 'sql-bad-literal maybe'],
    ['accepted_values: {b: [true]}'],
    ['relationships: {}', 'wrong-value {}'],
    ['relationships: {id: nobody.id}', 'unknown-ref nobody'],
    ['relationships: {id: base.idd}', 'relationship-unknown-column idd'],
    ['relationships: {id: base.d}', 'test-wrong-type base.d'],
    ['relationships: {id: base.id}'],
    ['range: {}', 'wrong-value {}'],
    ['range: {id: {min: null}}', 'wrong-type null'],
    ['range: {id: {min: true}}', 'wrong-type true'],
    ['range: {id: {min: abc}}', 'sql-bad-literal abc'],
    ['range: {id: {min: "1"}}'],
    ['range: {s: {min: 1}}', 'test-wrong-type s'],
    ['range: {d: {min: 5}}', 'test-wrong-type 5'],
    ['range: {d: {max: "2024-02-30"}}', 'sql-bad-literal "2024-02-30"'],
    ['range: {d: {min: "2024-03-01", max: "2024-01-01"}}', 'test-impossible d'],
    ['range: {id: {min: 1, max: 1, strict: true}}', 'test-impossible id'],
    ['range: {id: {min: 1, max: 1}}'],
    ['matches: {}', 'wrong-value {}'],
    ['matches: {s: "("}', 'sql-bad-literal "("'],
    ['matches: {s: "a(?=b)"}', 'sql-bad-literal "a(?=b)"'],
    ['matches: {s: "^[a-z]+$"}'],
    ['matches: {id: a}', 'test-wrong-type id'],
    ['fresh: {column: ts, within: 0s}', 'invalid-duration 0s'],
    ['fresh: {column: s, within: 1h}', 'test-wrong-type s'],
    ['row_count: {min: 5, max: 1}', 'test-impossible {row_count: {min: 5, max: 1}}'],
    ['expression: idd > 1', 'sql-unknown-column idd'],
    ['expression: s', 'test-wrong-type s'],
    ['expression: b'],
    ['not_null: id, where: s', 'test-wrong-type s'],
    ['unit: {given: {nobody: []}, expect: []}', 'unit-test-unknown-name nobody'],
    ['unit: {given: {}, expect: [], now: "2024-02-30"}', 'unit-test-value "2024-02-30"'],
  ])('%s', async (test, ...expected) => {
    expect(await problemsOf('models/a.svc', `${model}tests: [{${test}}]\n`)).toEqual(expected)
  })
})

describe('other keys', () => {
  it.each([
    ['freshness: {warn_after: 0s}', 'invalid-duration 0s'],
    ['freshness: {warn_after: 2h, error_after: 1h}', 'freshness-order 2h'],
    ['freshness: {warn_after: 1h, column: idd}', 'freshness-column idd'],
    ['freshness: {warn_after: 1h, column: s}', 'freshness-column s'],
    ['deploy: {schema: svc}', 'reserved-name svc'],
    ['deploy: {schema: Information_Schema}', 'reserved-name Information_Schema'],
    ['deploy: {keep: 0}', 'wrong-value 0'],
    ['exposures: [{name: a, type: dashboard, url: somewhere}]', 'wrong-value somewhere'],
    ['exposures: [{name: a, type: dashboard, url: "https://a.example/b"}]'],
    ['tags: ["a,b"]', 'wrong-value "a,b"'],
    ['columns: {idd: {description: x}}', 'column-doc-unknown idd'],
    ['columns: {id: {type: nothing}}', 'unknown-type nothing'],
    ['contract: {max_rejects: 5}', 'contract-without-source contract'],
  ])('%s', async (keys, ...expected) => {
    expect(await problemsOf('models/a.svc', `${model}${keys}\n`)).toEqual(expected)
  })
})

describe('sources', () => {
  it.each([
    ['type: rest_api, endpoint: "https://a b", resource: x', 'wrong-value "https://a b"'],
    [`${api}, headers: {"a b": x}`, 'wrong-value "a b"'],
    [`${api}, headers: {X-Client: svc}`],
    [`${api}, allow_hosts: "https://b.example"`, 'wrong-value "https://b.example"'],
    [`${api}, allow_hosts: [b.example, "127.0.0.1:8080", "[::1]:80", localhost]`],
    [`${api}, credentials: "env:"`, 'wrong-value "env:"'],
    [`${api}, credentials: "env:9A"`, 'wrong-value "env:9A"'],
    [`${api}, limits: {timeout: 0s}`, 'invalid-duration 0s'],
    [`${api}, limits: {retries: -1}`, 'wrong-value -1'],
    ['type: rows, rows: [{id: 1}], limits: {retries: 1}', 'unknown-key retries'],
  ])('{%s}', async (ingest, ...expected) => {
    const text = `name: a\ningest: {${ingest}}\ntransform: SELECT * FROM {{ source }}\n`
    expect(await problemsOf('models/a.svc', text)).toEqual(expected)
  })
})

describe('svc.yaml', () => {
  it.each([
    ['models: 5', 'wrong-type 5'],
    ['models: "5"'],
    ['models: models/**', 'wrong-value models/**'],
    ['default_schema: svc', 'reserved-name svc'],
    ['default_schema: pg_catalog', 'reserved-name pg_catalog'],
    ['default_schema: pg_mart'],
    ['environments: {prod: {schema: svc_g_1}}', 'reserved-name svc_g_1'],
    ['environments: {prod: {schema: mart}}'],
    ['warehouse: "env:"', 'wrong-value "env:"'],
    ['vars: {x: [1]}', 'wrong-type [1]'],
    ['5', 'wrong-type 5'],
  ])('%s', async (text, ...expected) => {
    expect(await problemsOf(settingsPath, `${text}\n`)).toEqual(expected)
  })
})
