/** Any text gives a tree: nothing throws, however broken, long or deep it is. */
import { describe, expect, it } from 'vitest'
import { duckdbGrammar } from '../../../server/language/engines/duckdb/grammar.ts'
import { readSql } from '../../../server/language/sql/reader/read-sql.ts'
import { walk } from '../../../server/language/sql/walk.ts'
import { validQueries } from '../../catalog/valid-queries.ts'
import { seededRandom } from '../../support/random.ts'
import { misplaced } from './misplaced.ts'
import { readerQueries } from './reader-queries.ts'

const pieces = [
  ...'()[]{},.:;*+=`?$#\\%\0\u00a0\u{1f600}',
  ...["'", '"', '{{', '}}', '::', '/*', '--', '->', '$$', '\n', "{{ ref('x') }}"],
  ...'SELECT FROM WHERE JOIN ON AS CASE WHEN THEN END OVER PIVOT UNPIVOT WITH UNION VALUES NOT IN BETWEEN AND BY'
    .split(' ')
    .map(word => ` ${word} `),
  ...' GROUP,ORDER BY ,LIMIT ,LATERAL ,USING ,INTERVAL ,x ,1'.split(','),
]

const queries = [...validQueries, ...readerQueries]

describe('any text', () => {
  it('is read', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 20_000; round++) {
      let text = random.pick(queries)
      for (let edits = 1 + random.below(4); edits > 0; edits--) {
        const at = random.below(text.length + 1)
        const cut = random.below(2) * random.below(12)
        text = text.slice(0, at) + random.pick(pieces) + text.slice(at + cut)
      }
      const reading = readSql(text, duckdbGrammar)
      expect(misplaced(reading), text).toEqual([])
      for (const problem of reading.problems)
        for (const { start, end } of [problem, ...problem.repair, ...(problem.fix?.edits ?? [])])
          expect(start >= 0 && start <= end && end <= text.length, text).toBe(true)
    }
  })

  const shapes: Readonly<Record<string, (count: number) => string>> = {
    brackets: count => `SELECT ${'('.repeat(count)}1${')'.repeat(count)}`,
    'open brackets': count => `SELECT ${'f('.repeat(count)}`,
    lists: count => `SELECT ${'['.repeat(count)}`,
    structs: count => `SELECT ${'{a: '.repeat(count)}`,
    cases: count => `SELECT ${'CASE WHEN '.repeat(count)}`,
    signs: count => `SELECT ${'NOT - '.repeat(count)}a`,
    queries: count => `${'SELECT * FROM ('.repeat(count)}SELECT 1${')'.repeat(count)}`,
    values: count => `${'SELECT EXISTS ('.repeat(count)}`,
    windows: count => `SELECT ${'f() OVER (PARTITION BY '.repeat(count)}`,
    groups: count => `SELECT 1 GROUP BY ${'ROLLUP ('.repeat(count)}`,
    types: count => `SELECT a::${'STRUCT(a '.repeat(count)}INT`,
    joins: count => `FROM ${'('.repeat(count)}a`,
    stars: count => `SELECT ${'* REPLACE ('.repeat(count)}`,
  }
  it.each(Object.entries(shapes))('nested very deeply is one that cannot be read: %s', (_, shape) => {
    const { problems } = readSql(shape(5000), duckdbGrammar)
    expect(problems.some(({ message }) => message === 'this is nested too deeply')).toBe(true)
  })

  const chains: Readonly<Record<string, string>> = {
    operators: `SELECT 1${' + 1'.repeat(20_000)}`,
    conditions: `SELECT 1 WHERE a${' AND b OR c'.repeat(10_000)}`,
    CTEs: `WITH ${Array.from({ length: 2000 }, (_, index) => `c${index} AS (SELECT 1)`).join(', ')} SELECT 1`,
    unions: `SELECT 1${' UNION ALL SELECT 1'.repeat(5000)}`,
    joins: `SELECT 1 FROM a${' JOIN b ON a.x = b.x'.repeat(5000)}`,
    casts: `SELECT a${'::INT'.repeat(5000)}${'.f()'.repeat(5000)}`,
    lists: `SELECT [1${', 1'.repeat(200_000)}]`,
  }
  it.each(Object.entries(chains))('may be a long chain: %s', (_, text) => {
    const { statements, problems } = readSql(text, duckdbGrammar)
    expect(problems).toEqual([])
    let count = 0
    for (const statement of statements)
      walk(statement, {
        enter: () => {
          count++
          return true
        },
      })
    expect(count).toBeGreaterThan(4000)
  })
})
