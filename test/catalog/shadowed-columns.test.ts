/** A name that is read from a subquery with two columns of that name means the first, which is rarely what was wanted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCatalog } from '../../server/catalog/index.ts'
import { createProject, engineOf, parseSettings } from '../../server/language/index.ts'
import { sha256 } from '../../server/workspace/sha256.ts'

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
    ({ code, range }) => `${code} ${project.byName.get('m')?.text.slice(range.start, range.end)}`,
  )
}

describe('a name of two columns of a subquery', () => {
  it.each([
    'SELECT b FROM (SELECT *, 2 AS b FROM (SELECT 1 AS b))',
    'SELECT s.b FROM (SELECT *, 2 AS b FROM (SELECT 1 AS b)) AS s',
    'WITH c AS (SELECT *, 2 AS b FROM (SELECT 1 AS b)) SELECT b + 1 AS x FROM c',
    'SELECT 1 AS one FROM (SELECT *, 2 AS B FROM (SELECT 1 AS b)) WHERE b > 1',
  ])('is a warning: %s', async sql => {
    expect(await found(sql)).toEqual([expect.stringMatching(/^sql-shadowed-column b$/i)])
  })

  it.each([
    'SELECT b FROM (SELECT * REPLACE (2 AS b) FROM (SELECT 1 AS b))',
    'SELECT b_1 FROM (SELECT *, 2 AS b FROM (SELECT 1 AS b))',
    'SELECT id FROM (SELECT * FROM (SELECT 1 AS id) AS a JOIN (SELECT 1 AS id) AS c ON a.id = c.id)',
    'SELECT b FROM (SELECT 1 AS b, 2 AS c)',
  ])('is not: %s', async sql => {
    expect(await found(sql)).toEqual([])
  })
})
