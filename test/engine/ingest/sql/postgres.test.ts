/** Tables and queries of a real PostgreSQL: types, NULL, what is asked for, one moment, and what goes wrong. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { showsSource } from '../../../support/features/shows.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from '../fetching.ts'

const isHere = canStartPostgres()

describe.runIf(isHere)('rows of PostgreSQL', () => {
  let server: PostgresServer
  let address: string
  let admin: pg.Client
  let project: Project

  beforeAll(async () => {
    server = await startPostgres()
    address = await server.createDatabase()
    admin = new pg.Client({ connectionString: address })
    await admin.connect()
  })
  afterAll(async () => {
    await admin.end()
    await server.stop()
  })
  beforeEach(() => {
    project = temporaryProject()
  })
  afterEach(async () => {
    project.remove()
    await admin.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  })

  const ingest = (more: string) => `ingest: {type: sql, endpoint: env:PLACE, ${more}}`
  const env = () => ({ PLACE: address })

  it('come with the types and the values that they have there', async () => {
    showsSource(['postgres'], ['replace'])
    await admin.query(`
      CREATE TYPE mood AS ENUM ('fine', 'so so');
      CREATE DOMAIN price AS numeric(12, 2);
      CREATE TABLE everything (
        b boolean, i2 smallint, i4 integer, i8 bigint, f4 real, f8 double precision,
        n numeric(20, 4), open_number numeric, p price, m money, t text, v varchar(20), c char(3),
        d date, ti time, ts timestamp, tz timestamptz, iv interval, u uuid, j json, jb jsonb,
        by bytea, list integer[], texts text[], mo mood, ip inet
      );
      INSERT INTO everything VALUES (
        true, -32768, 2147483647, 9223372036854775807, 0.1, 1e300,
        1234567890123456.7891, 123456789.123456789, 10.5, 99.99, 'it''s, "quoted"
and broken', '', 'ab',
        '2024-02-29', '12:34:56.789', '2024-02-29 12:34:56.789012', '2024-02-29 12:34:56+02', '1 year 2 days 03:04:05',
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": 1}', '{"b": [1, 2]}',
        '\\x00ff22', '{1,NULL,3}', '{"a","b,c"}', 'so so', '10.0.0.1'
      ), (${Array(26).fill('NULL').join(', ')})`)
    const { rows, columns } = await load(project, ingest('resource: public.everything'), { env: env() })
    expect(columns['']).toEqual([
      'b BOOLEAN',
      'i2 SMALLINT',
      'i4 INTEGER',
      'i8 BIGINT',
      'f4 FLOAT',
      'f8 DOUBLE',
      'n DECIMAL(20,4)',
      'open_number DECIMAL(18,9)',
      'p DECIMAL(12,2)',
      'm DECIMAL(19,2)',
      't VARCHAR',
      'v VARCHAR',
      'c VARCHAR',
      'd DATE',
      'ti TIME',
      'ts TIMESTAMP',
      'tz TIMESTAMP WITH TIME ZONE',
      'iv INTERVAL',
      'u UUID',
      'j JSON',
      'jb JSON',
      'by BLOB',
      'list JSON',
      'texts JSON',
      'mo VARCHAR',
      'ip VARCHAR',
    ])
    const [first, second] = rows[''] ?? []
    expect(first).toMatchObject({
      b: true,
      i2: -32768,
      i4: 2147483647,
      i8: '9223372036854775807',
      f8: 1e300,
      n: '1234567890123456.7891',
      open_number: '123456789.123456789',
      p: '10.50',
      m: '99.99',
      t: 'it\'s, "quoted"\nand broken',
      v: '',
      c: 'ab',
      d: '2024-02-29',
      ti: '12:34:56.789',
      ts: '2024-02-29 12:34:56.789012',
      tz: '2024-02-29 10:34:56+00',
      u: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      j: '{"a": 1}',
      list: '[1,null,3]',
      texts: '["a","b,c"]',
      mo: 'so so',
      ip: '10.0.0.1/32',
    })
    expect(Object.values(second ?? { no: 'row' }).filter(value => value !== null)).toEqual([])
  })

  it('are those of the columns, the condition and the number that were asked for, and of nothing else', async () => {
    showsSource(['postgres'], ['where', 'max_rows', 'mask'])
    await admin.query(`
      CREATE TABLE "Odd Names" (id int, "E Mail" text, secret text);
      INSERT INTO "Odd Names" SELECT n, 'x' || n, 'hidden' FROM generate_series(1, 100) AS n`)
    const body = ingest('resource: "\\"Odd Names\\"", where: id > 10, exclude: secret, limits: {max_rows: 5}')
    const warnings: string[] = []
    const { rows, fetched } = await load(project, body, {
      env: env(),
      onWarning: ({ message }) => void warnings.push(message),
    })
    expect(rows['']).toEqual([11, 12, 13, 14, 15].map(id => ({ id, e_mail: `x${id}` })))
    expect(warnings).toEqual([
      'the load ended after 5 records, as limits.max_rows says; the source may have more',
    ])
    expect(fetched.excludedColumns).toEqual(['secret'])
    const masked = body.replace('limits', 'mask: {e_mail: redact}, limits')
    const hidden = (await load(project, masked, { env: env() })).rows['']
    expect(hidden).toEqual([11, 12, 13, 14, 15].map(id => ({ id, e_mail: '***' })))
    expect(fetched.rows).toBe(5)
  })

  it('come from a query too, whatever ends it', async () => {
    const body = `ingest:\n  type: sql\n  endpoint: env:PLACE\n  query: |\n    SELECT 1 AS a, 2.50 AS b, NULL AS nothing -- the last\n    ;`
    const { rows, columns } = await load(project, body, { env: env() })
    expect(rows['']).toEqual([{ a: 1, b: '2.50', nothing: null }])
    expect(columns['']?.slice(0, 2)).toEqual(['a INTEGER', 'b DECIMAL(18,2)'])
  })

  it('give the same load while nothing has changed, and another one when something has', async () => {
    await admin.query('CREATE TABLE t AS SELECT n AS id FROM generate_series(1, 1000) AS n')
    const once = await fetchOnly(project, ingest('resource: t'), { env: env() })
    const again = await fetchOnly(project, ingest('resource: t'), { env: env() })
    await admin.query('UPDATE t SET id = 1001 WHERE id = 1')
    const changed = await fetchOnly(project, ingest('resource: t'), { env: env() })
    expect(again.loadId).toBe(once.loadId)
    expect(changed.loadId).not.toBe(once.loadId)
  })

  it.each(['parts: 3', 'by: id, parts: 3'])(
    'are complete and of one moment in several parts (%s)',
    async split => {
      showsSource(['postgres'], ['split'])
      await admin.query(
        'CREATE TABLE t AS SELECT n AS id, 0 AS generation FROM generate_series(1, 20000) AS n',
      )
      await admin.query('INSERT INTO t VALUES (NULL, 0)')
      const writer = new pg.Client({ connectionString: address })
      await writer.connect()
      let isOver = false
      const writing = (async () => {
        while (!isOver) await writer.query('UPDATE t SET generation = generation + 1')
      })()
      try {
        const { rows } = await load(project, ingest(`resource: t, split: {${split}}`), {
          env: env(),
        })
        const ids = rows['']?.map(({ id }) => id) ?? []
        expect(new Set(ids).size).toBe(20001)
        expect(ids).toHaveLength(20001)
        expect(new Set(rows['']?.map(({ generation }) => generation)).size).toBe(1)
      } finally {
        isOver = true
        await writing
        await writer.end()
      }
    },
  )

  it('end in all their parts when one of them fails', async () => {
    await admin.query(
      "CREATE TABLE t AS SELECT n AS id, repeat('x', 100) AS text FROM generate_series(1, 20000) AS n",
    )
    const body = ingest('resource: t, split: {by: id, parts: 3}, limits: {total: 1KB}')
    await expect(fetchOnly(project, body, { env: env() })).rejects.toMatchObject({ code: 'source-shape' })
  })

  it('tell their columns without being read', async () => {
    await admin.query('CREATE TABLE t (id bigint NOT NULL, amount numeric(8, 2))')
    const [table] = await peek(project, ingest('resource: t'), { env: env() })
    expect(table?.complete).toBe(true)
    expect(table?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'BIGINT'],
      ['amount', 'DECIMAL(8,2)'],
    ])
  })

  it('are refused by their contract like all others', async () => {
    await admin.query("CREATE TABLE t AS SELECT 1 AS id, 'many' AS amount")
    const body = `${ingest('resource: t')}\ncontract: {enforce_types: true, columns: {amount: integer}}`
    await expect(load(project, body, { env: env() })).rejects.toMatchObject({ code: 'contract-violated' })
  })

  it.each([
    [
      'a table that is not there',
      'resource: public.nothing',
      'database-statement',
      'relation "public.nothing" does not exist',
    ],
    [
      'a wrong condition',
      'resource: pg_class, where: nope > 1',
      'database-statement',
      'column "nope" does not exist',
    ],
    ['two columns of one name', 'query: "SELECT 1 AS a, 2 AS a"', 'source-shape', 'two columns called "a"'],
  ])('say what is wrong: %s', async (_what, more, code, words) => {
    await expect(fetchOnly(project, ingest(more), { env: env() })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    })
  })

  it('say that nobody answers, after as many tries as the limits allow', async () => {
    const notes: string[] = []
    const failing = fetchOnly(project, ingest('resource: t, limits: {retries: 1}'), {
      env: { PLACE: 'postgres://svc:secret%20word@127.0.0.1:1/none' },
      onProgress: ({ note }) => note !== undefined && notes.push(note),
    })
    await expect(failing).rejects.toMatchObject({
      code: 'database-unreachable',
      message: expect.stringMatching(/^the database of env:PLACE cannot be reached: .*ECONNREFUSED/),
    })
    expect(notes).toHaveLength(1)
    expect(JSON.stringify(notes)).not.toContain('secret word')
  })

  it('end at once when the run is interrupted, at the server too', async () => {
    const stop = new AbortController()
    const body = ingest('query: "SELECT pg_sleep(600) AS slept"')
    const fetching = fetchOnly(project, body, { env: env(), signal: stop.signal })
    const running = async () =>
      Number(
        (
          await admin.query(
            "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'COPY%pg_sleep%' AND state = 'active'",
          )
        ).rows[0]?.['n'],
      )
    await expect.poll(running).toBe(1)
    stop.abort()
    await expect(fetching).rejects.toThrow(/abort/i)
    await expect.poll(running).toBe(0)
  })
})
