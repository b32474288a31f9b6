/** `ingest.mask`: what is hidden, in every kind of source, and that nothing of it is stored anywhere. */
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { openLocalReader } from '@svc/server/catalog'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maskOf } from '../../../cli/engine/ingest/mask/mask.ts'
import { showsSource } from '../../support/features/shows.ts'
import { load, type Project, peek, temporaryProject } from './fetching.ts'

const key = 'a key that is long enough'
const env = { SVC_MASK_KEY: key }
const hash = (text: string) => createHmac('sha256', key).update(text).digest('hex')

let project: Project
beforeEach(() => {
  project = temporaryProject()
})
afterEach(() => project.remove())

const file = (resource: string, more: string) =>
  `ingest: {type: file, endpoint: ., resource: ${resource}, ${more}}`

describe('every kind of source gives the same', () => {
  const mask = 'mask: {email: hash, phone: redact, card: partial, mail: email}'
  const hidden = { email: hash('ada@example.com'), phone: '***', card: '****4242', mail: 'a***@example.com' }
  const row = {
    id: 1,
    email: 'ada@example.com',
    phone: 49123,
    card: '4000000000004242',
    mail: 'ada@example.com',
  }

  it.each(['orders.json', 'orders.ndjson', 'orders.ndjson.gz', 'orders.csv', 'orders.parquet'])(
    '%s',
    async name => {
      showsSource(['folder'], ['replace', 'mask'])
      await writeRows(name)
      const { rows, columns } = await load(project, file(name, mask), { env })
      expect(rows['']).toEqual([
        { id: '1', ...hidden },
        { id: '2', email: null, phone: null, card: null, mail: null },
      ])
      expect(columns['']).toContain('phone VARCHAR')
    },
  )

  it('rows in the file', async () => {
    showsSource(['rows'], ['replace', 'mask', 'max_rows'])
    const body = `ingest:\n  type: rows\n  ${mask}\n  rows:\n    - ${JSON.stringify(row)}`
    expect((await load(project, body, { env })).rows['']).toEqual([{ id: '1', ...hidden }])
    const few = 'ingest: {type: rows, rows: [{a: 1}, {a: 2}, {a: 3}], limits: {max_rows: 2}}'
    expect((await load(project, few)).rows['']).toHaveLength(2)
  })

  it('a table of a database', async () => {
    showsSource(['duckdb'], ['mask'])
    const local = await openLocalReader({})
    await local.rows(`ATTACH '${project.path('shop.duckdb')}' AS shop`)
    await local.rows(`CREATE TABLE shop.orders AS SELECT * FROM (VALUES
      (1, 'ada@example.com', 49123, '4000000000004242', 'ada@example.com', ''),
      (2, NULL, NULL, NULL, NULL, NULL)) AS t (id, email, phone, card, mail, note)`)
    await local.rows('DETACH shop')
    local.close()
    const body = `ingest: {type: sql, endpoint: "duckdb:shop.duckdb", resource: orders, ${mask}}`
    expect((await load(project, body, { env })).rows['']).toEqual([
      { id: 1, ...hidden, note: '' },
      { id: 2, email: null, phone: null, card: null, mail: null, note: null },
    ])
  })

  async function writeRows(name: string): Promise<void> {
    const rows = [row, { id: 2, email: null, phone: null, card: null, mail: null }]
    const lines = rows.map(each => JSON.stringify(each)).join('\n')
    if (name.endsWith('.json')) project.write(name, JSON.stringify(rows))
    else if (name.endsWith('.gz')) project.write(name, gzipSync(lines))
    else if (name.endsWith('.ndjson')) project.write(name, lines)
    else if (name.endsWith('.csv'))
      project.write(name, `id,email,phone,card,mail\n${Object.values(row).join(',')}\n2,,,,\n`)
    else {
      project.write('rows.ndjson', lines)
      const local = await openLocalReader({})
      await local.rows(
        `COPY (SELECT * FROM read_json('${project.path('rows.ndjson')}', columns={id: 'BIGINT', email: 'VARCHAR', phone: 'BIGINT', card: 'VARCHAR', mail: 'VARCHAR'})) TO '${project.path(name)}' (FORMAT parquet)`,
      )
      local.close()
    }
  }
})

it('hides the same in memory and in SQL, whatever the text', async () => {
  const mask = maskOf({ mask: { a: 'hash' }, naming: 'snake' } as never, env)
  const texts = [
    '',
    'a',
    'abcd',
    'x@y',
    '@y',
    'a@b@c.de',
    'ä@ö.ü',
    '👩‍👧@x',
    'no address',
    "it's",
    'x\ny@z',
    'a'.repeat(300),
  ]
  const local = await openLocalReader({})
  await mask?.prepare(local)
  for (const kind of ['hash', 'redact', 'partial', 'email'] as const) {
    for (const text of texts) {
      const quoted = `'${text.replaceAll("'", "''")}'`
      const [found] = await local.rows(
        `SELECT ${mask?.sql(kind, quoted)} AS hidden, ${mask?.sql(kind, 'NULL::VARCHAR')} AS nothing`,
      )
      expect([kind, text, found]).toEqual([kind, text, { hidden: mask?.hidden(kind, text), nothing: null }])
    }
  }
  local.close()
})

it('takes a key that is longer than a block of the hash', async () => {
  const long = 'k'.repeat(100)
  project.write('o.csv', 'email\nada@example.com\n')
  const { rows } = await load(project, file('o.csv', 'mask: {email: hash}'), { env: { SVC_MASK_KEY: long } })
  expect(rows['']).toEqual([{ email: createHmac('sha256', long).update('ada@example.com').digest('hex') }])
})

describe('what is inside of a record', () => {
  const record = {
    id: 12345678901234567890123n.toString(),
    customer: { name: 'Ada', address: { street: 'Here 1', city: 'Bonn' } },
    contacts: [
      { kind: 'mail', value: 'ada@example.com' },
      { kind: 'phone', value: 49123 },
    ],
    tags: ['vip', null, 7],
  }

  it('is masked in columns, child tables and lists, and nothing else changes', async () => {
    const text = JSON.stringify(record).replace(/"id":"(\d+)"/, '"id": $1')
    project.write('o.ndjson', `${text}\n`)
    const mask =
      'mask: {customer.name: redact, customer.address.*: redact, contacts.value: hash, tags: redact}'
    const { rows } = await load(project, file('o.ndjson', mask), { env })
    expect(rows['']?.[0]).toMatchObject({
      id: '12345678901234567890123',
      customer__name: '***',
      customer__address__street: '***',
      customer__address__city: '***',
    })
    expect(JSON.stringify(rows['']?.[0]?.['tags'])).toBe(JSON.stringify(['***', null, '***']))
    expect(rows['contacts']?.map(each => each['value'])).toEqual([hash('ada@example.com'), hash('49123')])
    expect(rows['contacts']?.map(each => each['kind'])).toEqual(['mail', 'phone'])
  })

  it('is masked where it is loaded as JSON', async () => {
    project.write('o.json', JSON.stringify([record]))
    const { rows } = await load(
      project,
      file('o.json', 'nested: json, mask: {customer.name: redact, contacts: redact}'),
      { env },
    )
    expect(JSON.parse(String(rows['']?.[0]?.['customer']))).toEqual({ ...record.customer, name: '***' })
    expect(JSON.parse(String(rows['']?.[0]?.['contacts']))).toEqual([
      { kind: '***', value: '***' },
      { kind: '***', value: '***' },
    ])
  })

  it('is masked in structs and lists of Parquet', async () => {
    const local = await openLocalReader({})
    await local.rows(`COPY (SELECT 1 AS id, {'name': 'Ada', 'age': 36} AS person, ['a@x.de', NULL] AS mails,
      [{'kind': 'mail', 'value': 'ada@example.com'}] AS contacts
      UNION ALL SELECT 2, NULL, NULL, NULL) TO '${project.path('o.parquet')}' (FORMAT parquet)`)
    local.close()
    const mask = 'mask: {person.name: redact, mails: email, contacts.value: hash}'
    const { rows } = await load(project, file('o.parquet', mask), { env })
    expect(rows['']?.map(each => [each['person__name'], each['person__age']])).toEqual([
      ['***', 36],
      [null, null],
    ])
    expect(JSON.stringify(rows['']?.[0]?.['mails'])).toBe(JSON.stringify(['a***@x.de', null]))
    expect(rows['contacts']).toMatchObject([{ kind: 'mail', value: hash('ada@example.com') }])
  })
})

describe('nothing of it is kept', () => {
  const secret = 'ada@example.com'

  it('in rejects', async () => {
    project.write('o.ndjson', `{"id": 1, "email": "${secret}"}\n{"id": "x", "email": "${secret}"}\n`)
    const body = `${file('o.ndjson', 'mask: {email: hash}')}\ncontract: {columns: {id: bigint}, evolution: {types: discard_row}}`
    const { rejects, rows } = await load(project, body, { env })
    expect(rows['']).toEqual([{ id: '1', email: hash(secret) }])
    expect(rejects).toHaveLength(1)
    expect(JSON.stringify(rejects)).toContain(hash(secret))
    expect(JSON.stringify(rejects)).not.toContain(secret)
  })

  it('of lines that are no records', async () => {
    project.write('o.csv', `id,email\n1,b@example.com\n2,${secret},more\n`)
    const body = `${file('o.csv', 'mask: {email: redact}')}\ncontract: {columns: {id: bigint}, evolution: {types: discard_row}}`
    const { rejects, rows } = await load(project, body)
    expect(rows['']).toEqual([{ id: '1', email: '***' }])
    expect(rejects).toMatchObject([
      {
        code: 'unparsed',
        message: 'line 3 is no record; it is not kept, because columns of the source are masked',
      },
    ])
    expect(JSON.stringify(rejects)).not.toContain(secret)
  })
})

describe('the key', () => {
  const body = file('o.csv', 'mask: {email: hash}')
  beforeEach(() => project.write('o.csv', 'id,email\n1,ada@example.com\n'))

  it('is asked for before anything is read', async () => {
    const missing = {
      code: 'missing-credentials',
      message: expect.stringContaining('SVC_MASK_KEY is not set'),
    }
    await expect(load(project, body)).rejects.toMatchObject(missing)
    await expect(peek(project, body)).rejects.toMatchObject(missing)
  })

  it('is refused where it is short, without being shown', async () => {
    const problem = await load(project, body, { env: { SVC_MASK_KEY: 'hunter2' } }).catch(error => error)
    expect(problem).toMatchObject({
      code: 'missing-credentials',
      hint: expect.stringContaining('16 characters'),
    })
    expect(JSON.stringify([problem.message, problem.hint])).not.toContain('hunter2')
  })

  it('is part of what a load is known by, and in nothing of it', async () => {
    const one = await load(project, body, { env })
    const same = await load(project, body, { env })
    const other = await load(project, body, { env: { SVC_MASK_KEY: `${key}.` } })
    expect(same.fetched.loadId).toBe(one.fetched.loadId)
    expect(other.fetched.loadId).not.toBe(one.fetched.loadId)
    expect(JSON.stringify(one.fetched)).not.toContain(key)
    expect(one.fetched.tables[0]?.shape.columns[1]).toMatchObject({
      masked: 'hash',
      maskKey: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it('is not needed for other masks', async () => {
    const { rows } = await load(project, file('o.csv', 'mask: {email: redact}'))
    expect(rows['']).toEqual([{ id: '1', email: '***' }])
  })
})

it('takes a mask that is new or gone as a change of the file, not of the source', async () => {
  project.write('o.csv', 'id,phone\n1,49123\n2,49124\n')
  const plain = await load(project, file('o.csv', 'primary_key: id'))
  const previous = plain.fetched.tables.map(({ shape }) => shape)
  const masked = await load(project, file('o.csv', 'primary_key: id, mask: {phone: redact}'), { previous })
  expect(masked.fetched.drift).toEqual([])
  expect(masked.rows['']).toEqual([
    { id: '1', phone: '***' },
    { id: '2', phone: '***' },
  ])
  const again = await load(project, file('o.csv', 'primary_key: id'), {
    previous: masked.fetched.tables.map(({ shape }) => shape),
  })
  expect(again.fetched.drift).toEqual([])
  expect(again.columns['']).toEqual(['id BIGINT', 'phone BIGINT'])
})

describe('a mask that nothing is called by', () => {
  const misspelt = 'mask: {emial: redact}'
  beforeEach(() => project.write('o.csv', 'id,email\n1,ada@example.com\n'))

  it('stores nothing', async () => {
    await expect(load(project, file('o.csv', misspelt))).rejects.toMatchObject({
      code: 'mask-without-column',
      hint: 'did you mean "email"?',
    })
  })

  it('may be of a column that an earlier load had, that the contract names, or a pattern', async () => {
    const contract = '\ncontract: {columns: {emial: {nullable: true}}}'
    const promised = await load(project, `${file('o.csv', misspelt)}${contract}`)
    expect(promised.columns['']).toEqual(['id BIGINT', 'email VARCHAR', 'emial VARCHAR'])
    const previous = promised.fetched.tables.map(({ shape }) => shape)
    expect((await load(project, file('o.csv', misspelt), { previous })).fetched.rows).toBe(1)
    const { warnings } = await load(project, file('o.csv', 'mask: {"emi*": redact}'))
    expect(warnings).toMatchObject([{ code: 'unmatched-pattern', example: 'emi*', count: 1 }])
  })
})
