/** What somebody gets wrong is said once, on its place, and is put right so that DuckDB can read the rest. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdbGrammar } from '../../../server/language/engines/duckdb/grammar.ts'
import { readExpression, readSql } from '../../../server/language/sql/reader/read-sql.ts'
import type { Edit, SqlReading } from '../../../server/language/sql/tree.ts'
import { walk } from '../../../server/language/sql/walk.ts'
import { type DuckdbParser, openParser, withoutTags } from './duckdb-parser.ts'
import { misplaced } from './misplaced.ts'
import { slips } from './reader-slips.ts'

let parser: DuckdbParser
beforeAll(async () => {
  parser = await openParser()
})
afterAll(() => parser.close())

const read = (sql: string) => readSql(sql, duckdbGrammar)

describe('a slip', () => {
  it.each(slips)('is said on its place: %s', (sql, expected) => {
    const reading = read(sql)
    const said = reading.problems.map(({ start, end, message, fix }) =>
      [sql.slice(start, end), message, ...(fix === undefined ? [] : [fix.title])].join(' | '),
    )
    expect(said).toEqual(expected)
    expect(misplaced(reading)).toEqual([])
  })

  it.each(slips)('is an error to DuckDB, and none when it is repaired: %s', async sql => {
    expect(await parser.objection(withoutTags(sql))).toBeDefined()
    const repaired = withEdits(
      sql,
      read(sql).problems.flatMap(({ repair }) => repair),
    )
    expect([repaired, await parser.objection(withoutTags(repaired))]).toEqual([repaired, undefined])
  })

  it('leaves the tables and the columns of a query', () => {
    const broken = [
      'SELECT x.a, FROM t x JION u y ON x.id = y. WHERE y.b = AND x.c > 1',
      'SELECT x.a, sum(y.b FROM t x JOIN u y ON x.id = y.id WEHRE x.c',
      "SELECT x.a, 'text FROM t x, u y WHERE y.b = x.c",
      'WITH k AS (SELECT x.c FROM t x SELECT x.a, y.b FROM t x, u y, k',
      'SELECT CASE WHEN x.a THEN y.b WHEN x.c FROM t x, u y',
    ]
    for (const sql of broken) {
      expect(tablesOf(read(sql)), sql).toEqual(expect.arrayContaining(['t', 'u']))
      expect(columnsOf(read(sql)), sql).toEqual(expect.arrayContaining(['x.a', 'y.b', 'x.c']))
    }
  })

  it.each([
    [
      'SELECT a, at FROM t',
      '"at" is a word of SQL: a column or table of that name is written in double quotes.',
    ],
    [
      'SELECT sum(at) FROM t',
      '"at" is a word of SQL: a column or table of that name is written in double quotes.',
    ],
    ['SELECT a FROM t LIMIT 5 foo bar', 'Remove it, or connect it to the text before it.'],
  ])('that may be a name says how names are written: %s', (sql, hint) => {
    expect(read(sql).problems.map(problem => problem.hint)).toContain(hint)
  })

  it('is found in a condition alone', () => {
    const { expression, problems } = readExpression('amount > AND status IN (1, 2', duckdbGrammar)
    expect(expression.kind).toBe('binary')
    expect(problems.map(({ message }) => message)).toEqual([
      'a value is missing after ">"',
      'a bracket is not closed',
    ])
  })

  it('may be another statement than a query', () => {
    const { statements, problems } = read('DROP TABLE t; SELECT 1')
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['sql-not-a-select', 'DROP is not a SELECT'],
    ])
    expect(statements.map(({ body }) => body.kind)).toEqual(['no-body', 'select'])
  })
})

/** Edits at one place are made in their order. */
function withEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, order) => ({ ...edit, order }))
  ordered.sort((a, b) => b.start - a.start || b.end - a.end || b.order - a.order)
  let result = text
  let last = text.length
  for (const { start, end, text: inserted } of ordered) {
    if (end > last) continue
    result = result.slice(0, start) + inserted + result.slice(end)
    last = start
  }
  return result
}

function tablesOf({ statements }: SqlReading): string[] {
  const found: string[] = []
  for (const statement of statements)
    walk(statement, {
      enter: node => {
        if (node.kind === 'named-table') found.push(node.path.map(({ text }) => text).join('.'))
        return true
      },
    })
  return found
}

function columnsOf({ statements }: SqlReading): string[] {
  const found: string[] = []
  for (const statement of statements)
    walk(statement, {
      enter: node => {
        if (node.kind === 'reference') found.push(node.path.map(({ text }) => text).join('.'))
        return true
      },
    })
  return found
}
