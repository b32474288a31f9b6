import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { formatSql } from '../../../server/language/format/format-sql.ts'
import { canonicalSql } from '../../../server/language/project/canonical-sql.ts'
import { validQueries } from '../../catalog/valid-queries.ts'
import { engine } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'
import { isLaidOutForGood } from './lay-out.ts'
import { retyped } from './retype.ts'

const queries = validQueries.map(query => query.replace(/@(\w+)/g, "{{ ref('$1') }}"))

describe('a query', () => {
  it.each([
    ['keywords', 'select a from b where c is not null', 'SELECT a\nFROM b\nWHERE c IS NOT NULL'],
    ['names after AS keep their case', 'select 1 as Left, 2 as "Order"', 'SELECT 1 AS Left, 2 AS "Order"'],
    ['names beside a dot keep their case', 'select t.end, left.x from t', 'SELECT t.end, left.x\nFROM t'],
    [
      'columns that other databases have words for',
      'select update, set, add from t',
      'SELECT update, set, add\nFROM t',
    ],
    [
      'types and functions keep theirs',
      'select cast(x as bigint), Sum(y), date from t',
      'SELECT CAST(x AS bigint), Sum(y), date\nFROM t',
    ],
    ['tags are written alike', 'select * from {{ref("a")}}', "SELECT *\nFROM {{ ref('a') }}"],
    [
      'tags inside words and texts',
      "select {{var('n')}}_x, 'a {{ var('m') }}' from t",
      "SELECT {{ var('n') }}_x, 'a {{ var('m') }}'\nFROM t",
    ],
    ['a sign stays at its number', 'select -a, 1 - -2, b -1', 'SELECT -a, 1 - -2, b - 1'],
    [
      'a frame',
      'select sum(x) over (order by d rows between 6 preceding and current row) from t',
      'SELECT sum(x) OVER (ORDER BY d ROWS BETWEEN 6 PRECEDING AND CURRENT ROW)\nFROM t',
    ],
    [
      'a filter',
      'select count(*) filter (where a > 1) from t',
      'SELECT count(*) FILTER (WHERE a > 1)\nFROM t',
    ],
    [
      'conditions',
      'select * from a join b on a.x=b.x and a.y=b.y where p and q',
      'SELECT *\nFROM a\nJOIN b\n  ON a.x = b.x\n  AND a.y = b.y\nWHERE p\n  AND q',
    ],
    ['a list broken by hand stays so', 'select\n a, b from t', 'SELECT\n  a,\n  b\nFROM t'],
    [
      'an empty line between tables stays',
      'with a as (select 1),\n\n\nb as (select 2) select * from a',
      'WITH a AS (\n  SELECT 1\n),\n\nb AS (\n  SELECT 2\n)\nSELECT *\nFROM a',
    ],
    [
      'comments',
      'select a, -- first\n b\n-- all of it\nfrom t',
      'SELECT\n  a, -- first\n  b\n-- all of it\nFROM t',
    ],
    ['a long text', `select '${'x'.repeat(120)}' as a`, `SELECT\n  '${'x'.repeat(120)}' AS a`],
    ['a text of two lines', "select 'a\n   b' as x", "SELECT\n  'a\n   b' AS x"],
  ])('%s', (_, before, after) => {
    expect(formatSql(before, false, engine)).toBe(after)
    expect(formatSql(after, false, engine)).toBe(after)
  })

  it('is shown in the documentation as it is laid out', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/formatting.md'), 'utf8')
    const [, shown = ''] = /```sql\n([\s\S]*?)\n```/.exec(page) ?? []
    expect(formatSql(shown, false, engine)).toBe(shown)
  })

  it('stays on one line where it was and fits', () => {
    expect(formatSql('select * from {{this}} where a<1', true, engine)).toBe(
      'SELECT * FROM {{ this }} WHERE a < 1',
    )
    expect(formatSql(`select ${'a, '.repeat(50)} b from t`, true, engine)).toContain('\n')
  })

  it.each(['select (1', "select 'a", 'select {{ nope', 'select {{ nope }}', ''])('%j stays as it is', sql => {
    expect(formatSql(sql, false, engine)).toBeUndefined()
  })
})

describe('any query', () => {
  it('is laid out once and for all, with its words and comments', () => {
    const random = seededRandom(7)
    const left: string[] = []
    for (const query of queries) {
      for (const isOneLine of [true, false]) {
        for (const sql of [query, retyped(query, random), retyped(query, random)]) {
          if (!isLaidOutForGood(sql, isOneLine)) left.push(sql)
        }
      }
    }
    expect(left).toEqual([])
  })
})

describe('two string literals on two lines are one literal', () => {
  it.each([
    "select 'a'\n  'b' as x, 1 as id from t",
    "select a from t where note = 'first part '\n  -- which goes on\n  'second part'",
  ])('and stay on two lines: %s', sql => {
    for (const of of [engine, postgres]) {
      const formatted = formatSql(sql, false, of) ?? sql
      expect(formatted).toMatch(/'\s*(--.*)?\n\s*(--.*\n\s*)?'/)
      expect(canonicalSql(formatted, of)).toBe(canonicalSql(sql, of))
    }
  })

  it('and another query than those on one line', () => {
    for (const of of [engine, postgres])
      expect(canonicalSql("SELECT 'a'\n'b'", of)).not.toBe(canonicalSql("SELECT 'a' 'b'", of))
  })
})
