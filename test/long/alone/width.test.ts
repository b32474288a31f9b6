/**
 * Work on 1,200 columns costs at most six times the CPU of work on 300 (four is linear), stage by stage. CPU of this process is
 * measured, so that a busy machine changes little.
 */
import { afterAll, test } from 'vitest'
import { type WidthCase, widthSuite } from '../../support/growth/width-stages.ts'
import { type WideKind, wideKinds } from '../../support/wide-project.ts'

const suite = widthSuite('width')
afterAll(suite.tell)

const list = (names: readonly string[], line: (name: string) => string) => names.map(line).join('')
const of = (more: (names: readonly string[]) => string, kind: WideKind = 'parquet') => ({
  wide: { kind, more },
})
const tests = (line: (name: string) => string) => of(names => `tests:\n${list(names, line)}`)

const cases: Readonly<Record<string, WidthCase>> = {
  ...Object.fromEntries(wideKinds.map(kind => [`from ${kind}`, { wide: { kind } }])),
  'a chain of ten': { wide: { kind: 'parquet', chain: 10 } },
  'not_null of each': tests(name => `  - not_null: ${name}\n`),
  'unique of each': tests(name => `  - unique: ${name}\n    severity: warn\n`),
  'range of each': tests(name => `  - range: {${name}: {min: 0, max: 2000}}\n`),
  'range of each, failing': {
    ...tests(name => `  - range: {${name}: {min: -9, max: -1}}\n    severity: warn\n`),
    columns: [75, 300],
  },
  'a contract of each': of(
    names =>
      `contract:\n  columns:\n${list(names, name => `    ${name}: {type: bigint, description: The ${name}.}\n`)}`,
  ),
  'a unit test': of(unitTest),
  'published to DuckDB': of(
    () =>
      'publish:\n  out:\n    type: duckdb\n    endpoint: duckdb:./out.duckdb\n    resource: wide\n    key: c0\n    environments: [dev]\n',
  ),
}

function unitTest(names: readonly string[]): string {
  const row = (more: number) =>
    `{${names.map((name, index) => `${name}: ${index === 0 ? 1 : 1 + more}`).join(', ')}}`
  return `tests:\n  - unit:\n      given: {star: [${row(0)}]}\n      expect: [${row(1)}]\n`
}

test.each(Object.entries(cases))('%s', { timeout: 900_000 }, (name, each) => suite.judge(name, each))
