/** Extensions of PostgreSQL that `svc.yaml` lists: their functions, operators and types are known, and what they may not do is refused. */
import { openCatalog } from '@svc/server/catalog'
import { createProject, parseSettings } from '@svc/server/language'
import { readExtensions } from '@svc/server/workspace'
import { expect, it } from 'vitest'
import { assetText, sha256 } from '../support/sql-lab.ts'

async function analyzed(sql: string, extensions: string) {
  const settings = parseSettings(`name: shop\nwarehouse: postgres://localhost/shop\n${extensions}`)
  const { load, diagnostics } = await readExtensions('/nowhere', settings, settings.engine, 'none')
  const files = [{ path: 'models/a.svc', text: assetText('a', sql) }]
  const project = createProject({ settings, files, hash: sha256 })
  const catalog = await openCatalog(settings.engine, { load })
  try {
    const analysis = (await catalog.analyze(project, new Map())).of('a')
    return {
      columns: (analysis?.columns ?? []).map(({ name, type }) => `${name} ${type}`),
      problems: [...diagnostics, ...(analysis?.diagnostics ?? [])].map(({ code, message, hint }) =>
        [code, message, ...(hint === undefined ? [] : [hint])].join(' | '),
      ),
    }
  } finally {
    catalog.close()
  }
}

const listed =
  'extensions: [pg_trgm, hstore, citext, ltree, uuid-ossp, unaccent, earthdistance, fuzzystrmatch, tablefunc]\n'

it('that are listed have their functions, operators and types', async () => {
  const sql = `SELECT similarity('a', 'b') AS near, 'ab' % 'b' AS alike, 'a=>1'::hstore -> 'a' AS value, 'A'::citext = 'a' AS same,
    'a.b'::ltree @> 'a.b.c' AS above, uuid_generate_v4() AS id, unaccent('é') AS plain, levenshtein('a', 'b') AS steps,
    'A'::citext AS label, earth_distance(ll_to_earth(1, 2), ll_to_earth(3, 4)) AS far`
  expect(await analyzed(sql, listed)).toEqual({
    columns: [
      'near real',
      'alike boolean',
      'value text',
      'same boolean',
      'above boolean',
      'id uuid',
      'plain text',
      'steps integer',
      'label citext',
      'far double precision',
    ],
    problems: [],
  })
}, 60_000)

it('that run a text as SQL, or set something, are refused all the same', async () => {
  const sql = `SELECT c.a FROM crosstab('SELECT 1') AS c(a int), set_limit(0.3) AS l`
  const { problems } = await analyzed(sql, listed)
  expect(problems.map(each => each.split(' | ')[1])).toEqual([
    'the SQL calls crosstab(), which runs a text as SQL',
    'the SQL calls set_limit(), which changes something, or holds the session up',
  ])
}, 60_000)

it('that are not listed are named, and one that nobody has says so', async () => {
  const { problems } = await analyzed(
    "SELECT similarity('a', 'b') AS near, 'x'::citext AS label",
    'extensions: [pg_trm]\n',
  )
  expect(problems).toEqual([
    'extension-not-loaded | the extension pg_trm is not loaded: it is none of those that svc has of PostgreSQL | Did you mean pg_trgm?',
    'sql-unknown-function | unknown function "similarity" | it is in PostgreSQL\'s extension pg_trgm: add `extensions: [pg_trm, pg_trgm]` to svc.yaml',
    'sql-unknown-type | unknown type "citext" | it is in PostgreSQL\'s extension citext: add `extensions: [pg_trm, citext]` to svc.yaml',
  ])
}, 60_000)

it('in a project of two engines count for the engine that has them', async () => {
  const settings = parseSettings(
    'name: shop\nwarehouse: duckdb:./a.duckdb\nenvironments: {prod: {warehouse: "postgres://localhost/shop"}}\nextensions: [pg_trgm, spatial]\n',
  )
  const postgres = [...settings.engines.values()].find(engine => engine?.kind === 'postgres')
  if (postgres === undefined) throw new Error('prod has no engine')
  const { load, diagnostics } = await readExtensions('/nowhere', settings, postgres, 'none')
  expect([load, diagnostics]).toEqual([['CREATE EXTENSION "pg_trgm"'], []])
})
