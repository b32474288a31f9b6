/** T-SQL quotes names with brackets, which are a list elsewhere: a table of lists is not built without a word. */
import { openCatalog } from '@svc/server/catalog'
import { createProject, engineOf, parseSettings } from '@svc/server/language'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sha256 } from '../support/sql-lab.ts'

let catalog: Awaited<ReturnType<typeof openCatalog>>
beforeAll(async () => {
  catalog = await openCatalog(engineOf('duckdb:./w.duckdb'))
})
afterAll(() => catalog.close())

async function found(sql: string): Promise<readonly string[]> {
  const project = createProject({
    settings: parseSettings('name: shop'),
    files: [{ path: 'models/m.svc', text: `name: m\ningest: none\ntransform: |\n  ${sql}\n` }],
    hash: sha256,
  })
  const analysis = await catalog.analyze(project, new Map())
  return (analysis.of('m')?.diagnostics ?? []).map(
    ({ code, range, severity }) =>
      `${severity} ${code} ${project.byName.get('m')?.text.slice(range.start, range.end)}`,
  )
}

it.each([
  ['SELECT [id], [amount] FROM (SELECT 1 AS id, 2 AS amount)', '[id]', '[amount]'],
  ['SELECT n FROM (SELECT 1 AS n, [t.id] FROM (SELECT 1 AS id) AS t)', '[t.id]'],
])('a column in brackets is a warning: %s', async (sql, ...names) => {
  expect(await found(sql)).toEqual(names.map(name => `warning sql-bracketed-name ${name}`))
})

it.each([
  'SELECT [id] AS ids FROM (SELECT 1 AS id)',
  'SELECT [1] FROM (SELECT 1 AS id)',
  'SELECT [id, 2] FROM (SELECT 1 AS id)',
  'SELECT list_concat([id], [2]) AS l FROM (SELECT 1 AS id)',
])('a list is none: %s', async sql => {
  expect(await found(sql)).toEqual([])
})
