/** Extensions of PostgreSQL that `svc.yaml` lists: their functions, operators and types are known, and what they may not do is refused. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import { createProject, parseSettings } from '@svc/server/language'
import { declarationTexts, readExtensions } from '@svc/server/workspace'
import { expect, it } from 'vitest'
import { assetText, sha256 } from '../support/sql-lab.ts'

async function analyzed(sql: string, extensions: string, root = '/nowhere') {
  const settings = parseSettings(`name: shop\nwarehouse: postgres://localhost/shop\n${extensions}`)
  const { load, diagnostics } = await readExtensions(
    root,
    settings,
    settings.engine,
    'none',
    declarationTexts(root, settings.engine),
  )
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
  const sql = `SELECT public.similarity('a', 'b') AS near, 'ab' OPERATOR(public.%) 'b' AS alike,
    'a=>1'::public.hstore OPERATOR(public.->) 'a' AS value, 'A'::public.citext OPERATOR(public.=) 'a' AS same,
    'a.b'::public.ltree OPERATOR(public.@>) 'a.b.c' AS above, public.uuid_generate_v4() AS id, public.unaccent('é') AS plain,
    public.levenshtein('a', 'b') AS steps, 'A'::public.citext AS label,
    public.earth_distance(public.ll_to_earth(1, 2), public.ll_to_earth(3, 4)) AS far`
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
      'label public.citext',
      'far double precision',
    ],
    problems: [],
  })
}, 60_000)

it('that run a text as SQL, or set something, are refused all the same', async () => {
  const sql = `SELECT c.a FROM public.crosstab('SELECT 1') AS c(a int), public.set_limit(0.3) AS l`
  const { problems } = await analyzed(sql, listed)
  expect(problems.map(each => each.split(' | ')[1])).toEqual([
    'the SQL calls crosstab(), which runs a text as SQL',
    'the SQL calls set_limit(), which changes something, or holds the session up',
  ])
}, 60_000)

it('that are listed are called with their schema, as a run looks in pg_catalog alone', async () => {
  const { problems } = await analyzed("SELECT similarity('a', 'b') AS near, 'x'::citext AS label", listed)
  expect(problems).toEqual([
    'sql-unknown-function | unknown function "similarity" | it is in pg_trgm, which is loaded: name its schema, as in public.similarity',
    'sql-unknown-type | unknown type "citext" | it is in citext, which is loaded: name its schema, as in public.citext',
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
  const { load, diagnostics } = await readExtensions('/nowhere', settings, postgres, 'none', new Map())
  expect([load, diagnostics]).toEqual([['CREATE EXTENSION "pg_trgm"'], []])
})

it('and functions that a project declares are called only if they are IMMUTABLE, in whatever schema', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-declared-'))
  const body = "RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM elsewhere'"
  mkdirSync(join(root, 'database'))
  writeFileSync(
    join(root, 'database/ours.sql'),
    `CREATE SCHEMA svc_tools; CREATE FUNCTION svc_tools.peek() ${body}; CREATE FUNCTION public.look() ${body};`,
  )
  const problemsOf = async (name: string) => (await analyzed(`SELECT ${name}() AS n`, '', root)).problems
  try {
    const refused = (name: string) => [expect.stringContaining(`${name}() is not declared IMMUTABLE`)]
    expect(await problemsOf('public.look')).toEqual(refused('look'))
    expect(await problemsOf('svc_tools.peek')).toEqual(refused('peek'))
  } finally {
    rmSync(root, { recursive: true })
  }
}, 60_000)
