/** What an engine would plan for long, or is too deep for it, is said before a run, with the place and the reason. */
import { openCatalog } from '@svc/server/catalog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heavyExpression } from '../../server/catalog/heavy-sql.ts'
import { startProcess, startWorkersBy } from '../../server/catalog/worker/worker-process.ts'
import { readSql } from '../../server/language/sql/reader/read-sql.ts'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'

startWorkersBy(startProcess)

const sums = (count: number) => Array(count).fill('abs(a)').join(' + ')
const nested = (depth: number, from: string) =>
  `${'SELECT a FROM ('.repeat(depth)}SELECT a FROM ${from}${Array.from({ length: depth }, (_, index) => `) AS q${index}`).join('')}`

describe('a large expression', () => {
  const largest = (sql: string) => heavyExpression(readSql(sql, engine.grammar))

  it('is the largest of a text', () => {
    const sql = `SELECT a, ${sums(10)} AS s, ${sums(200)} AS z FROM t WHERE ${sums(190)} > 1`
    const { expression, parts } = largest(sql) ?? { parts: 0 }
    expect(parts).toBe(200 * 2 + 199)
    expect(sql.slice(expression?.start, expression?.end)).toBe(sums(200))
  })

  it('is none of many small ones', () => {
    const items = Array.from({ length: 2000 }, (_, index) => `c${index} + 1 AS c${index}`)
    expect(largest(`SELECT ${items.join(', ')} FROM t`)).toBeUndefined()
  })
})

describe('SQL that the engine cannot take', () => {
  let catalog: Awaited<ReturnType<typeof openCatalog>>
  beforeAll(async () => {
    catalog = await openCatalog(engine, { limits: { timeMs: 400, memoryBytes: 400_000_000 } })
  })
  afterAll(() => catalog.close())

  async function told(sql: string) {
    const files = {
      'models/t.svc': 'name: t\ningest: none\ntransform: SELECT 1 AS a\n',
      'models/x.svc': `name: x\ningest: none\ntransform: |\n  ${sql}\n`,
    }
    const base = projectOf(new Map([['svc.yaml', ''], ...Object.entries(files)]))
    const found = (await catalog.analyze(base, new Map())).of('x')?.diagnostics ?? []
    return found.map(({ code, message, hint, range }) => {
      const marked = files['models/x.svc'].slice(range.start, range.end)
      return { code, message, hint, marked }
    })
  }

  it('is named with its expression and the setting where it takes long to plan', async () => {
    const [only, ...more] = await told(`SELECT a, ${sums(900)} AS z FROM {{ ref('t') }}`)
    expect(more).toEqual([])
    expect(only?.code).toBe('sql-too-expensive')
    expect(only?.message).toBe('to check this SQL, with an expression of 2699 parts, took more than 0.4 s')
    expect(only?.hint).toContain('limits.sql.time')
    expect(only?.marked).toBe(sums(900))
  })

  it.each([560, 1500])('says that the engine takes no such depth: %i queries in each other', async depth => {
    const found = await told(nested(depth, "{{ ref('t') }}"))
    expect(found.map(({ message }) => message)).toEqual([
      'this SQL is nested deeper than DuckDB reads: 1,000 levels (its max_expression_depth)',
    ])
  })

  it('says nothing of the names in what is too deep for the reader alone', async () => {
    expect(await told(nested(300, "{{ ref('t') }}"))).toEqual([])
    expect((await told(nested(300, "{{ ref('nothing') }}"))).map(({ message }) => message)).not.toContain(
      'unknown column "a"',
    )
  })
})
