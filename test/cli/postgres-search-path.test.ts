/**
 * Names without a schema: what others put into a schema that they may write (`public`) is never run by a build, a check, a
 * statement around a build or an interrupted run, whatever the search path of the role is.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

/** Each fits its call better than the function of the server, and writes down that it ran. */
const traps = `CREATE TABLE public.ran (what text);
  GRANT INSERT ON public.ran TO PUBLIC;
  CREATE FUNCTION public.lower(varchar) RETURNS text LANGUAGE sql AS $$
    INSERT INTO public.ran VALUES ('lower ' || current_user); SELECT 'trapped' $$;
  CREATE FUNCTION public.same(varchar, varchar) RETURNS boolean LANGUAGE sql AS $$
    INSERT INTO public.ran VALUES ('same'); SELECT true $$;
  CREATE OPERATOR public.= (LEFTARG = varchar, RIGHTARG = varchar, PROCEDURE = public.same);
  CREATE FUNCTION public.pg_cancel_backend(text) RETURNS boolean LANGUAGE sql AS $$
    INSERT INTO public.ran VALUES ('cancel'); SELECT true $$;
  CREATE TYPE public.date AS (trapped text);
  CREATE VIEW public.orders AS SELECT 1 AS id;`

const orders = `name: orders
ingest: {type: rows, rows: [{id: 1, word: PAID}, {id: 2, word: OPEN}]}
contract: {columns: {word: varchar(10)}}
transform: |
  SELECT id, lower(word::varchar) AS word, word = 'PAID'::varchar(10) AS paid, CAST('2024-01-01' AS date) AS day
  FROM {{ source }}
tests:
  - accepted_values: {word: [paid, open]}
  - expression: lower(word::varchar) IN ('paid', 'open')
  - sql: SELECT id FROM {{ this }} WHERE lower(word::varchar) = 'trapped'
deploy:
  indexes: [word]
  after: UPDATE {{ this }} SET word = lower(word::varchar)
`

describe.runIf(canStartPostgres())('names without a schema, on PostgreSQL', () => {
  let server: PostgresServer
  let client: pg.Client
  let project: ProjectHere

  beforeAll(async () => {
    server = await startPostgres()
    const url = await server.createDatabase()
    client = new pg.Client(url)
    await client.connect()
    const database = new URL(url).pathname.slice(1)
    await client.query(`CREATE ROLE loader LOGIN; GRANT CREATE ON DATABASE ${database} TO loader;
      GRANT CREATE ON SCHEMA public TO PUBLIC; ALTER ROLE loader SET search_path TO public, pg_catalog; ${traps}`)
    project = createProjectHere({
      'svc.yaml': `name: shop\nwarehouse: ${url.replace('svc@', 'loader@')}\n`,
      'models/orders.svc': orders,
    })
  })

  afterAll(async () => {
    project.dispose()
    await client.end()
    await server.stop()
  })

  const rows = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
  const ran = () => rows('SELECT DISTINCT what FROM public.ran')

  it('runs nothing of a schema that others may write: builds, tests, statements, samples, rollbacks', async () => {
    const run = await project.svc(['run', '--env', 'prod'])
    expect(run).toMatchObject({ code: 0 })
    expect(await rows('SELECT id::int, word, paid, day::text FROM analytics.orders ORDER BY id')).toEqual([
      { id: 1, word: 'paid', paid: true, day: '2024-01-01' },
      { id: 2, word: 'open', paid: false, day: '2024-01-01' },
    ])
    project.write('models/orders.svc', orders.replace('id, lower', 'id::text AS id, lower'))
    for (const words of [
      ['plan'],
      ['run'],
      ['sample', 'orders'],
      ['test', 'orders', '--all-tests'],
      ['rollback', '--all'],
      ['status'],
      ['gc'],
    ])
      expect([words, await project.svc([...words, '--env', 'prod'])]).toMatchObject([words, { code: 0 }])
    expect(await ran()).toEqual([])
  })

  it('says to write the schema where a statement around a build finds a name no more', async () => {
    await client.query('CREATE TABLE public.audit (id bigint); GRANT ALL ON public.audit TO loader')
    const hint = 'Write the schema in front of the name'
    const after = (statement: string) =>
      project.write('models/orders.svc', orders.replace(/after: .*/, `after: ${statement}`))
    for (const statement of [
      'INSERT INTO audit SELECT 1',
      'SELECT tell_all()',
      'CREATE TABLE made (id bigint)',
      'CREATE INDEX ON {{ this }} USING gin (word own_words)',
    ]) {
      after(statement)
      const { code, stderr } = await project.svc(['run', '--env', 'prod'])
      expect(code).toBe(1)
      expect(stderr.replace(/\s+/g, ' ')).toContain(hint)
    }
    after('INSERT INTO public.audit SELECT count(*) FROM {{ this }}')
    expect(await project.svc(['run', '--env', 'prod'])).toMatchObject({ code: 0 })
    expect(await rows('SELECT id::int FROM public.audit')).toEqual([{ id: 2 }])
    after('INSERT INTO public.audits SELECT 1')
    const { stderr } = await project.svc(['run', '--env', 'prod'])
    expect(stderr).toContain('"public.audits" does not exist')
    expect(stderr).not.toContain(hint)
    for (const [statement, says] of [
      ['GRANT SELECT ON {{ this }} TO nosuch', 'role "nosuch" does not exist'],
      ['ALTER TABLE {{ this }} SET TABLESPACE nosuch', 'tablespace "nosuch" does not exist'],
    ] as const) {
      after(statement)
      const inNone = await project.svc(['run', '--env', 'prod'])
      expect(inNone.stderr).toContain(says)
      expect(inNone.stderr).not.toContain(hint)
    }
  })

  it('says to give a function a search path where its body finds a name no more', async () => {
    await client.query(`CREATE TABLE public.rates (rate integer); GRANT SELECT ON public.rates TO loader;
      CREATE FUNCTION public.rated(n bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS
        $$BEGIN RETURN n * (SELECT count(*) FROM rates); END$$;
      CREATE FUNCTION public.summed() RETURNS bigint LANGUAGE sql AS 'SELECT sum(rate) FROM rates';
      CREATE FUNCTION public.gone() RETURNS bigint LANGUAGE plpgsql AS
        $$BEGIN RETURN (SELECT count(*) FROM public.nosuch); END$$`)
    project.write(
      'database/ours.sql',
      "CREATE FUNCTION public.rated(n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 1::bigint'",
    )
    const builds = orders.replace(/deploy:[\s\S]*/, '').replace('id, lower', 'public.rated(id) AS id, lower')
    const calls = (name: string) => orders.replace(/after: .*/, `after: SELECT public.${name}()`)
    const said = async (text: string) => {
      project.write('models/orders.svc', text)
      const { code, stderr } = await project.svc(['run', '--env', 'prod'])
      return { code, stderr: stderr.replace(/\s+/g, ' ') }
    }
    const hinting = (name: string) => ({
      code: 1,
      stderr: expect.stringContaining(`ALTER FUNCTION ${name} SET search_path`),
    })
    expect(await said(builds)).toEqual(hinting('public.rated'))
    expect(await said(calls('summed'))).toEqual(hinting('"summed"'))
    expect((await said(calls('gone'))).stderr).not.toContain('ALTER FUNCTION')
    await client.query('ALTER FUNCTION public.rated(bigint) SET search_path = public')
    expect(await said(builds)).toMatchObject({ code: 0 })
  })
})
