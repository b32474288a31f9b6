/** Tables and queries of a real MariaDB: types, NULL, what is asked for, one moment, and what goes wrong. */
import mysql from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { showsSource } from '../../../support/features/shows.ts'
import { canStartMariadb, type MariadbServer, startMariadb } from '../../../support/mariadb.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from '../fetching.ts'

const isHere = canStartMariadb()

describe.runIf(isHere)('rows of MariaDB', () => {
  let server: MariadbServer
  let address: string
  let client: mysql.Connection
  let project: Project

  beforeAll(async () => {
    server = await startMariadb()
  })
  afterAll(async () => {
    await server.stop()
  })
  beforeEach(async () => {
    project = temporaryProject()
    address = await server.createDatabase()
    client = await mysql.createConnection(address)
  })
  afterEach(async () => {
    project.remove()
    await client.end()
  })

  const ingest = (more: string) => `ingest: {type: sql, endpoint: env:PLACE, ${more}}`
  const env = () => ({ PLACE: address })

  it('come with the types and the values that they have there', async () => {
    showsSource(['mysql'], ['replace'])
    await client.query(`
      CREATE TABLE everything (
        flag boolean, t1 tinyint, t1u tinyint unsigned, s smallint, m mediumint, i int, iu int unsigned, b bigint,
        bu bigint unsigned, f float, d double, n decimal(20, 4), y year, bits bit(9), dt date, ts datetime(6),
        tz timestamp NULL, ti time(3), txt text, v varchar(20), e enum('fine', 'so so'), raw varbinary(10), j json
      )`)
    await client.query(`SET time_zone = '+02:00'`)
    await client.query(
      `INSERT INTO everything VALUES (
        true, -128, 255, -32768, -8388608, -2147483648, 4294967295, -9223372036854775808, 18446744073709551615,
        0.1, 1e300, 1234567890123456.7891, 2024, b'101010101', '2024-02-29', '2024-02-29 12:34:56.789012',
        '2024-02-29 12:34:56', '12:34:56.789', ?, '', 'so so', x'00ff22', '{"a": [1, "x"]}'
      )`,
      ['it\'s, "quoted"\nand \\ broken é😀'],
    )
    await client.query(`INSERT INTO everything VALUES (${Array(23).fill('NULL').join(', ')})`)
    const { rows, columns } = await load(project, ingest('resource: everything'), { env: env() })
    expect(columns['']).toEqual([
      'flag BOOLEAN',
      't1 TINYINT',
      't1u UTINYINT',
      's SMALLINT',
      'm INTEGER',
      'i INTEGER',
      'iu UINTEGER',
      'b BIGINT',
      'bu UBIGINT',
      'f FLOAT',
      'd DOUBLE',
      'n DECIMAL(20,4)',
      'y SMALLINT',
      'bits UBIGINT',
      'dt DATE',
      'ts TIMESTAMP',
      'tz TIMESTAMP WITH TIME ZONE',
      'ti TIME',
      'txt VARCHAR',
      'v VARCHAR',
      'e VARCHAR',
      'raw BLOB',
      'j VARCHAR',
    ])
    const [first, second] = rows[''] ?? []
    expect(first).toMatchObject({
      flag: true,
      t1: -128,
      t1u: 255,
      i: -2147483648,
      iu: 4294967295,
      b: '-9223372036854775808',
      bu: '18446744073709551615',
      d: 1e300,
      n: '1234567890123456.7891',
      y: 2024,
      bits: '341',
      dt: '2024-02-29',
      ts: '2024-02-29 12:34:56.789012',
      tz: '2024-02-29 10:34:56+00',
      ti: '12:34:56.789',
      txt: 'it\'s, "quoted"\nand \\ broken é😀',
      v: '',
      e: 'so so',
      j: '{"a": [1, "x"]}',
    })
    expect(Object.values(second ?? { no: 'row' }).filter(value => value !== null)).toEqual([])
  })

  it('have NULL in place of dates that do not exist', async () => {
    await client.query("SET sql_mode = ''")
    await client.query('CREATE TABLE t (d date, ts datetime)')
    await client.query(
      "INSERT INTO t VALUES ('0000-00-00', '0000-00-00 00:00:00'), ('2024-01-01', '2024-01-01 00:00:00')",
    )
    const { rows } = await load(project, ingest('resource: t'), { env: env() })
    expect(rows['']).toEqual([
      { d: null, ts: null },
      { d: '2024-01-01', ts: '2024-01-01 00:00:00' },
    ])
  })

  it('are those of the columns, the condition and the number that were asked for, and of nothing else', async () => {
    showsSource(['mysql'], ['where', 'max_rows', 'mask'])
    await client.query('CREATE TABLE `Odd Names` (id int, `E Mail` text, secret text)')
    await client.query("INSERT INTO `Odd Names` SELECT seq, CONCAT('x', seq), 'hidden' FROM seq_1_to_100")
    const body = ingest('resource: Odd Names, where: id > 10, exclude: secret, limits: {max_rows: 5}')
    const { rows, fetched } = await load(project, body, { env: env() })
    expect(rows['']).toEqual([11, 12, 13, 14, 15].map(id => ({ id, e_mail: `x${id}` })))
    expect(fetched.excludedColumns).toEqual(['secret'])
    const masked = body.replace('limits', 'mask: {e_mail: redact}, limits')
    const hidden = (await load(project, masked, { env: env() })).rows['']
    expect(hidden).toEqual([11, 12, 13, 14, 15].map(id => ({ id, e_mail: '***' })))
  })

  it('come from a query too, with the password of the credentials', async () => {
    const bare = address.replace(':sesame', '')
    const body = ingest('query: "SELECT 1 AS a, 2.50 AS b, \'\' AS empty, NULL AS nothing -- the last"')
    const given = { PLACE: bare, SOURCE__ORDERS__CREDENTIALS: 'sesame' }
    const { rows } = await load(project, body, { env: given })
    expect(rows['']).toEqual([{ a: 1, b: '2.50', empty: '', nothing: null }])
    await expect(fetchOnly(project, body, { env: { PLACE: bare } })).rejects.toMatchObject({
      code: 'database-denied',
    })
  })

  it('are complete and of one moment in several parts, where the user may lock', async () => {
    showsSource(['mysql'], ['split'])
    await client.query('CREATE TABLE t (id int PRIMARY KEY, generation int)')
    await client.query('INSERT INTO t SELECT seq, 0 FROM seq_1_to_20000')
    const body = ingest('resource: t, split: {by: id, parts: 3}')
    await expect(fetchOnly(project, body, { env: env() })).rejects.toMatchObject({
      code: 'database-denied',
      hint: expect.stringContaining('RELOAD'),
    })
    await server.run("GRANT RELOAD ON *.* TO svc@'%'")
    const writer = await mysql.createConnection(address)
    let isOver = false
    const writing = (async () => {
      while (!isOver) await writer.query('UPDATE t SET generation = generation + 1')
    })()
    try {
      const { rows } = await load(project, body, { env: env() })
      expect(new Set(rows['']?.map(({ id }) => id)).size).toBe(20000)
      expect(new Set(rows['']?.map(({ generation }) => generation)).size).toBe(1)
    } finally {
      isOver = true
      await writing
      await writer.end()
    }
  })

  it('end in all their parts when one of them fails', async () => {
    await client.query('CREATE TABLE t (id int PRIMARY KEY, text varchar(100))')
    await client.query("INSERT INTO t SELECT seq, REPEAT('x', 100) FROM seq_1_to_20000")
    await server.run("GRANT RELOAD ON *.* TO svc@'%'")
    const body = ingest('resource: t, split: {by: id, parts: 3}, limits: {total: 1KB}')
    await expect(fetchOnly(project, body, { env: env() })).rejects.toMatchObject({ code: 'source-shape' })
  })

  it('say which values are no truth values, and no times of a day', async () => {
    await client.query('CREATE TABLE t (flag tinyint(1), ti time)')
    await client.query("INSERT INTO t VALUES (1, '10:00:00'), (2, '100:00:00')")
    const body = `${ingest('resource: t')}\ncontract: {evolution: {types: discard_value}, max_rejects: 10, columns: {flag: boolean, ti: time}}`
    const { rows, rejects } = await load(project, body, { env: env() })
    expect(rows['']).toEqual([
      { flag: true, ti: '10:00:00' },
      { flag: null, ti: null },
    ])
    expect(rejects.map(({ column_name }) => column_name)).toEqual(['flag', 'ti'])
  })

  it('tell their columns without being read', async () => {
    await client.query('CREATE TABLE t (id bigint NOT NULL, amount decimal(8, 2))')
    const [table] = await peek(project, ingest('resource: t'), { env: env() })
    expect(table?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'BIGINT'],
      ['amount', 'DECIMAL(8,2)'],
    ])
  })

  it.each([
    ['a table that is not there', 'resource: nothing', 'database-statement', /nothing' doesn't exist/],
    [
      'a wrong condition',
      'resource: information_schema.tables, where: nope > 1',
      'database-statement',
      /Unknown column 'nope'/,
    ],
    [
      'a split without a column',
      'resource: information_schema.tables, split: {parts: 2}',
      'database-statement',
      /splits a table by a column/,
    ],
  ])('say what is wrong: %s', async (_what, more, code, words) => {
    await expect(fetchOnly(project, ingest(more), { env: env() })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words),
    })
  })

  it('say that nobody answers', async () => {
    const place = { PLACE: 'mysql://svc:secret%20word@127.0.0.1:1/none' }
    const failing = fetchOnly(project, ingest('resource: t, limits: {retries: 0}'), { env: place })
    await expect(failing).rejects.toMatchObject({
      code: 'database-unreachable',
      message: expect.stringMatching(/^the database of env:PLACE cannot be reached: .*ECONNREFUSED/),
    })
  })

  it('end at once when the run is interrupted, at the server too', async () => {
    const stop = new AbortController()
    const fetching = fetchOnly(project, ingest('query: "SELECT SLEEP(600) AS slept"'), {
      env: env(),
      signal: stop.signal,
    })
    const running = async () => {
      const [found] = await client.query<mysql.RowDataPacket[]>(
        "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE '%SLEEP(600)%' AND info NOT LIKE '%processlist%' AND state = 'User sleep'",
      )
      return Number(found[0]?.['n'])
    }
    await expect.poll(running).toBeGreaterThan(0)
    stop.abort()
    await expect(fetching).rejects.toThrow(/abort/i)
    await expect.poll(running).toBe(0)
  })
})
