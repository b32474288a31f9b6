/** CTEs by name, however they are written, and what gives the rows of one. */
import { cteQuery, ctesOf } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { engine } from '../../support/engine.ts'

const names = (sql: string) => ctesOf(sql, engine).map(({ name }) => name)

describe('CTEs of a query', () => {
  it('are found in all their forms', () => {
    expect(
      names(`-- first
        WITH /* x */ RECURSIVE a AS (SELECT ')' AS "b)"), "two words"(x, y) AS MATERIALIZED (SELECT 1, 2),
        c AS NOT MATERIALIZED ((SELECT 1)), tree(n) USING KEY (n) AS (SELECT 1), "say ""hi""" AS (SELECT 1)
        SELECT * FROM a`),
    ).toEqual(['a', 'two words', 'c', 'tree', 'say "hi"'])
  })

  it('are those of the outermost WITH only', () => {
    expect(names('SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a)')).toEqual([])
    expect(names('WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM a')).toEqual(['a'])
  })

  it('are found as far as a broken text goes', () => {
    expect(names('WITH a AS (SELECT 1), b AS (SELECT')).toEqual(['a'])
    for (const sql of ['', 'WITH', 'WITH a', 'WITH a AS', 'WITH a AS (', 'WITH a AS () ,', 'WITH 1'])
      expect(() => ctesOf(sql, engine)).not.toThrow()
  })

  it('keep tags of templates where they are', () => {
    expect(names("WITH a AS (SELECT * FROM {{ ref('x') }} WHERE n > {{ var('y') }}) SELECT 1")).toEqual(['a'])
  })
})

describe('the query of a CTE', () => {
  it('is the text up to its end, and no later one', () => {
    const sql = 'WITH a AS (SELECT 1 AS x), b AS (SELECT 2) SELECT * FROM b'
    expect(cteQuery(sql, 'A', engine)).toBe('WITH a AS (SELECT 1 AS x)\nSELECT * FROM "a"')
    expect(cteQuery(sql, 'b', engine)).toBe('WITH a AS (SELECT 1 AS x), b AS (SELECT 2)\nSELECT * FROM "b"')
    expect(cteQuery(sql, 'c', engine)).toBeUndefined()
  })
})
