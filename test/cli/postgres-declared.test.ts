/** Functions, types and extensions that the database of a project has: asked from the server, or declared by hand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const made = `CREATE EXTENSION xml2; CREATE EXTENSION citext; CREATE SCHEMA shop;
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
  CREATE TYPE shop.price AS (amount numeric(10,2), currency text);
  CREATE TYPE shop.spell AS RANGE (SUBTYPE = time);
  CREATE FUNCTION shop.twice(n integer DEFAULT 1) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';
  CREATE FUNCTION same(a text, b text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower(a) = lower(b)';
  CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM pg_class';
  CREATE FUNCTION to_mood(integer) RETURNS mood LANGUAGE sql IMMUTABLE AS $$SELECT 'happy'::public.mood$$;
  CREATE CAST (integer AS mood) WITH FUNCTION to_mood(integer);
  CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same);
  CREATE AGGREGATE product(numeric) (SFUNC = numeric_mul, STYPE = numeric)`

const model = `name: moods
ingest: none
transform: |
  SELECT 'happy'::public.mood AS mood, 1::public.mood AS cast_mood, 'a@b'::public.email AS email, shop.twice(2) AS four, shop.twice() AS two,
    (ROW(1, 'EUR')::shop.price).currency AS currency, 'A'::text OPERATOR(public.===) 'a' AS same, public.product(n) AS product,
    public.xpath_string('<a>1</a>', '/a') AS one, '[10:00,11:00)'::shop.spell AS spell, 'X'::public.citext OPERATOR(public.=) 'x' AS alike
  FROM (VALUES (2.0), (3.0)) AS v(n)
`
/** It keeps a number for all its modifiers, as PostGIS does. */
const geometry = `CREATE TYPE public.geometry;
  CREATE FUNCTION public.geometry_in(cstring) RETURNS public.geometry AS 'textin' LANGUAGE internal IMMUTABLE STRICT;
  CREATE FUNCTION public.geometry_out(public.geometry) RETURNS cstring AS 'textout' LANGUAGE internal IMMUTABLE STRICT;
  CREATE FUNCTION public.geometry_typmod_in(cstring[]) RETURNS integer LANGUAGE sql IMMUTABLE AS
    'SELECT CASE WHEN cardinality($1) = 1 THEN $1[1]::text::integer ELSE 1107460 END';
  CREATE TYPE public.geometry (INPUT = public.geometry_in, OUTPUT = public.geometry_out, TYPMOD_IN = public.geometry_typmod_in, LIKE = text)`

const unit = `tests:
  - name: doubled
    unit:
      given: {}
      expect: [{four: 4, two: 2, currency: EUR, same: true}]
`

describe.runIf(canStartPostgres())('what the database of a project has', () => {
  let server: PostgresServer
  let project: ProjectHere
  let url: string

  beforeAll(async () => {
    server = await startPostgres()
    url = await server.createDatabase()
    const client = new pg.Client(url)
    await client.connect()
    await client.query(made)
    await client.end()
    project = createProjectHere({
      'svc.yaml': `name: shop\nwarehouse: ${url}\nextensions: [citext, ltree]\n`,
      'models/moods.svc': model,
    })
  })
  afterAll(async () => {
    project.dispose()
    await server.stop()
  })

  it('is unknown until it is asked for, and an extension that is missing there is told', async () => {
    const { code, stdout } = await project.svc(['validate'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('mood')])
    const doctor = await project.svc(['doctor'])
    expect(doctor.stdout).toContain('CREATE EXTENSION "ltree";')
  })

  it('is not asked for where the server is not there, which is said once, or where the engine has none', async () => {
    const elsewhere = createProjectHere({
      'svc.yaml':
        'name: shop\nwarehouse: postgres://svc@127.0.0.1:1/shop\nenvironments: {local: {warehouse: "duckdb:./local.duckdb"}}\n',
    })
    const { code, stdout } = await elsewhere.svc(['doctor', '--write'])
    expect([code, stdout.match(/cannot\s+be\s+reached/g)?.length]).toEqual([1, 1])
    const local = await elsewhere.svc(['doctor', '--env', 'local', '--write'])
    expect([local.code, local.stdout.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('nothing is written: on DuckDB no file declares functions and types'),
    ])
    expect(existsSync(join(elsewhere.root, 'database'))).toBe(false)
    elsewhere.dispose()
  })

  it('is asked for by doctor --write, and is then known to validate and to a run', async () => {
    const { stdout } = await project.svc(['doctor', '--write'])
    expect(stdout).toContain('database/server.sql has ')
    const written = readFileSync(join(project.root, 'database/server.sql'), 'utf8')
    expect(written).not.toContain('citext')
    expect(written).toMatch(/^-- Written by svc doctor --write: .*\. Commit it\.\n/)
    const validated = await project.svc(['validate'])
    expect(validated.stdout + validated.stderr).toContain('PASS')
    expect(validated.code).toBe(0)
    const run = await project.svc(['run', '--env', 'prod'])
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('Deployed')])
  })

  it('runs in unit tests where it is SQL that reads nothing', async () => {
    const text = model.replace(/, public.product[\s\S]*FROM \(VALUES.*\n/, '\n') + unit
    project.write('models/unit.svc', text.replace('name: moods', 'name: unit'))
    const { code, stdout, stderr } = await project.svc(['test', '--unit', 'unit'])
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('doubled')])
  })

  it('may be called only where it reads nothing, which a file may say', async () => {
    project.write('models/peek.svc', 'name: peek\ningest: none\ntransform: SELECT public.peek() AS n\n')
    const refused = await project.svc(['validate', 'models/peek.svc'])
    expect(refused.stdout).toContain('peek() is not declared IMMUTABLE')
    const own = "CREATE OR REPLACE FUNCTION peek() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 1'"
    project.write('database/ours.sql', own)
    const taken = await project.svc(['validate', 'models/peek.svc'])
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining('PASS')])
  })

  it('has types with modifiers, as those of PostGIS: a check takes any, and no change is told for want of them', async () => {
    const located = (rest: string) => `name: located
ingest: {type: warehouse, resource: shop.places}
transform: SELECT place, 'x'::public.geometry(PointZ, 4326) AS made, 'y'::public.geometry(3) AS small${rest} FROM {{ source }}
`
    await askPostgres(
      url,
      `${geometry}; CREATE TABLE shop.places AS SELECT 'p'::public.geometry(Point, 4326) AS place`,
    )
    project.remove('database/ours.sql')
    project.remove('models/peek.svc')
    await project.svc(['doctor', '--write'])
    project.write('models/located.svc', located(''))
    for (const words of [['validate'], ['run', 'located', '--env', 'prod'], ['validate']]) {
      const { code, stdout, stderr } = await project.svc(words)
      expect([words, code, code === 0 ? '' : stdout + stderr]).toEqual([words, 0, ''])
    }
    project.write('models/located.svc', located(', 1 AS more'))
    const plan = await project.svc(['plan', 'located', '--env', 'prod'])
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('more')])
    expect(plan.stdout).not.toContain('-> public.geometry')
  })

  it('is declared by statements that declare something alone', async () => {
    project.write('database/ours.sql', 'CREATE TABLE a (b int);\nCREATE DOMAIN c AS nosuch;\n')
    const { code, stdout } = await project.svc(['validate'])
    expect(code).toBe(1)
    expect(stdout).toContain('declaration-not-loaded')
    expect(stdout).toContain('database/ours.sql:1')
    expect(stdout).toContain('type "nosuch" does not exist')
  })
})

it('a declaration is told of at its place where only another environment has the engine that reads it', async () => {
  const project = createProjectHere({
    'svc.yaml':
      'name: shop\nwarehouse: duckdb:./w.duckdb\nenvironments: {prod: {warehouse: "postgres://localhost/shop"}}\n',
    'models/a.svc': 'name: a\ningest: none\ntransform: SELECT 1 AS one\n',
    'database/ours.sql': '-- Ours.\nCREATE TABLE a (b int);\n',
  })
  try {
    const { code, stdout } = await project.svc(['validate'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('database/ours.sql:2:1')])
  } finally {
    project.dispose()
  }
})
