import { readerSql, readerSqlWithMap } from '@svc/server/language'
import { expect, it } from 'vitest'
import { projectOf } from '../../support/spec-project.ts'

const schemas = { schema: 'analytics', schemaFor: (base: string) => base, vars: { percent: 20 } }

const model = (name: string, sql: string, rest = '') =>
  `name: ${name}\ningest: none\ntransform: ${sql}\n${rest}`
const ephemeral = 'deploy: {materialize: ephemeral}\n'

function sqlOf(files: Readonly<Record<string, string>>, name: string): string | undefined {
  const project = projectOf(new Map(Object.entries(files)))
  const asset = project.byName.get(name)
  return asset === undefined ? undefined : readerSql(asset, project, schemas)
}

it('names production relations, and writes out what production does not have', () => {
  const files = {
    'models/a.svc': model('a', 'SELECT 1 AS one'),
    'models/b.svc': model('b', "SELECT one FROM {{ ref('a') }}", ephemeral),
    'models/c.svc': model('c', "SELECT b.one FROM {{ ref('b') }} JOIN {{ ref('b') }} AS other USING (one)"),
  }
  expect(sqlOf(files, 'b')).toBe('SELECT one FROM analytics.a')
  expect(sqlOf(files, 'c')).toBe(
    'SELECT b.one FROM (\nSELECT one FROM analytics.a\n) AS b JOIN (\nSELECT one FROM analytics.a\n) AS other USING (one)',
  )
})

it('maps what is the same in both, around what is written out', () => {
  const text = model('c', "SELECT one FROM {{ ref('b') }} WHERE one > {{ var('percent') }}")
  const project = projectOf(
    new Map([
      ['models/b.svc', model('b', 'SELECT 1 AS one', ephemeral)],
      ['models/c.svc', text],
    ]),
  )
  const asset = project.byName.get('c')
  const found = asset === undefined ? undefined : readerSqlWithMap(asset, project, schemas)
  expect(found?.sql).toBe('SELECT one FROM (\nSELECT 1 AS one\n) AS b WHERE one > 20')
  for (const { from, to, range } of found?.map ?? [])
    expect(found?.sql.slice(from, to)).toBe(text.slice(range.start, range.end))
  expect(found?.map.length).toBe(2)
})

it('ends where assets read each other, or double at every step', () => {
  const ring = {
    'models/a.svc': model('a', "SELECT * FROM {{ ref('b') }}", ephemeral),
    'models/b.svc': model('b', "SELECT * FROM {{ ref('a') }}", ephemeral),
  }
  expect(sqlOf(ring, 'a')).toContain('analytics.a')
  const steps = Array.from({ length: 60 }, (_, step) => {
    const read =
      step === 0 ? 'SELECT 1 AS x' : `FROM {{ ref('m${step - 1}') }} UNION ALL FROM {{ ref('m${step - 1}') }}`
    return [`models/m${step}.svc`, model(`m${step}`, read, ephemeral)] as const
  })
  expect(sqlOf(Object.fromEntries(steps), 'm59')?.length).toBeLessThan(500_000)
})
