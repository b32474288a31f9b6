/** `extensions` in svc.yaml, and functions of extensions that it does not name. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestProject } from '../support/cli.ts'
import { createProjectHere } from '../support/cli-here.ts'

const model = (sql: string) => `name: places\ningest: none\ntransform: |\n  ${sql}\n`
let project: TestProject

beforeEach(() => {
  project = createProjectHere({ 'svc.yaml': 'name: shop\n', 'models/places.svc': model('SELECT 1 AS id') })
})
afterEach(() => project.dispose())

interface Validation {
  readonly files: readonly {
    readonly path: string
    readonly diagnostics: readonly {
      readonly code: string
      readonly message: string
      readonly hint?: string
    }[]
  }[]
}

async function problems(sql: string, settings = '') {
  project.write('models/places.svc', model(sql))
  project.write('svc.yaml', `name: shop\n${settings}`)
  const { value } = await project.json(['validate', '--json'])
  return (value as Validation).files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ code, message, hint }) => ({ path, code, message, hint })),
  )
}

describe('a name that an extension has', () => {
  it.each([
    ['SELECT st_point(1, 2) AS place', 'unknown function "st_point"', 'spatial'],
    ['SELECT 1 + St_Area(NULL) AS area, 2 AS b', 'unknown function "st_area"', 'spatial'],
    ["SELECT excel_text(1, '0.0') AS text", 'unknown function "excel_text"', 'excel'],
    ["SELECT '10.0.0.1'::INET AS address", 'unknown type "INET"', 'inet'],
    ["SELECT host('10.0.0.1') AS host", 'unknown function "host"', 'inet'],
  ])('%s: the hint says which', async (sql, message, extension) => {
    const hint = `it is in DuckDB's extension ${extension}: add \`extensions: [${extension}]\` to svc.yaml`
    expect((await problems(sql)).map(each => [each.message, each.hint])).toEqual([[message, hint]])
  })

  it('is not recommended for a function that SQL may not call with it either', async () => {
    expect(await problems("SELECT * FROM read_xlsx('a.xlsx')")).toMatchObject([
      { code: 'sql-reaches-out', message: 'the SQL calls read_xlsx(), which reads or writes files' },
    ])
  })

  it('is said beside every other mistake of the query', async () => {
    const found = await problems(
      'SELECT st_point(1, 2) AS place, nope, upper(1, 2), st_area(3) FROM (SELECT 1 AS x)',
    )
    expect(found.map(({ code }) => code).sort()).toEqual([
      'sql-unknown-column',
      'sql-unknown-function',
      'sql-unknown-function',
      'sql-wrong-arity',
    ])
  })

  it('joins those that are named already', async () => {
    const found = await problems('SELECT st_point(1, 2) AS place', 'extensions: [json]\n')
    expect(found.map(({ hint }) => hint)).toEqual([
      "it is in DuckDB's extension spatial: add `extensions: [json, spatial]` to svc.yaml",
    ])
  })
})

describe('extensions in svc.yaml', () => {
  it('that the engine has are known and run', async () => {
    const sql = "SELECT json_extract('{\"a\": 1}', '$.a') AS a"
    expect(await problems(sql, 'extensions: [json, {name: icu}]\n')).toEqual([])
    expect((await project.svc(['run'])).code).toBe(0)
  })

  it.each([
    [
      '[{name: inet, path: ./ext/inet.duckdb_extension}]',
      'cannot read the extension ./ext/inet.duckdb_extension: there is no such file',
    ],
    [
      '[{name: inet, path: ./no.duckdb_extension}]',
      'the file of the extension inet is called no.duckdb_extension',
    ],
    ['[{name: text, path: ./text.duckdb_extension}]', './text.duckdb_extension is no extension of DuckDB'],
    [
      '[{name: other, path: ./other.duckdb_extension}]',
      './other.duckdb_extension is built for windows_amd64, and this machine is',
    ],
    ['[spatail]', 'DuckDB has no extension called spatail'],
  ])('%s: svc.yaml has the error', async (list, message) => {
    project.write('text.duckdb_extension', 'not an extension '.repeat(100))
    project.write('other.duckdb_extension', fileFor('windows_amd64', 'v1.0.0'))
    const [first, ...others] = await problems('SELECT 1 AS id', `extensions: ${list}\n`)
    expect(others).toEqual([])
    expect(first).toMatchObject({ path: 'svc.yaml', code: 'extension-not-loaded' })
    expect(first?.message).toContain(message)
    expect(first?.hint).toBeTruthy()
    const run = await project.svc(['run'])
    expect(run.code).not.toBe(0)
    // Long lines are broken where the terminal ends.
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(message)
    expect(run.stderr).toContain('svc.yaml:2:14')
  })

  it('that are not loaded leave the SQL that uses them without a word', async () => {
    const found = await problems(
      'SELECT st_point(1, 2) AS place',
      'extensions: [{name: spatial, path: ./spatial.duckdb_extension}]\n',
    )
    expect(found.map(({ path, code }) => [path, code])).toEqual([['svc.yaml', 'extension-not-loaded']])
  })

  it.each([
    ['spatial', 'wrong-type'],
    ['[{path: a.duckdb_extension}]', 'missing-key'],
    ['["a;b"]', 'invalid-name'],
    ['[{name: a, path: "https://example.com/a.duckdb_extension"}]', 'wrong-value'],
  ])('%s is refused', async (list, code) => {
    const found = await problems('SELECT 1 AS id', `extensions: ${list}\n`)
    expect(found.map(each => each.code)).toContain(code)
  })
})

/** As the end of an extension's file is written. */
function fileFor(platform: string, version: string): string {
  const fields = ['4', platform, version, '1.0.0', 'CPP', '', '', ''].reverse()
  return `code${fields.map(field => field.padEnd(32, '\0')).join('')}${'\0'.repeat(256)}`
}
