import { mkdirSync, symlinkSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { openLocalReader } from '@svc/server/catalog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { showsSource } from '../../support/features/shows.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from './fetching.ts'
import { ifNul, stored } from './loaded-tables.ts'

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

const file = (resource: string, more = '') =>
  `ingest: {type: file, endpoint: data, resource: "${resource}"${more}}`

describe('CSV', () => {
  it('takes types from every value and keeps as text what a type would change', async () => {
    project.write(
      'data/types.csv',
      [
        'US Gross,zip,phone,when,zoned,us date,big,huge,flag,ratio,empty,day,time',
        '1,00501,+491,2024-01-01 10:00,2024-01-01T10:00:00+02:00,05/06/2024,9007199254740993,9223372036854775808,true,1.5,,2024-02-29,10:00',
        '2,10001,+492,2024-01-02T11:00:01.5,2024-01-01T10:00:00Z,06/07/2024,1,-1,false,2e3,,2024-03-01,11:30',
      ].join('\n'),
    )
    const { columns, rows, fetched } = await load(project, file('types.csv'))
    const types = [
      'us_gross BIGINT',
      'zip VARCHAR',
      'phone VARCHAR',
      'when TIMESTAMP',
      'zoned TIMESTAMP WITH TIME ZONE',
      'us_date VARCHAR',
      'big BIGINT',
      'huge HUGEINT',
      'flag BOOLEAN',
      'ratio DOUBLE',
      'empty VARCHAR',
      'day DATE',
      'time TIME',
    ]
    expect(columns['']).toEqual(stored(types))
    expect(rows['']?.[0]).toMatchObject({
      zip: '00501',
      big: '9007199254740993',
      zoned: '2024-01-01 08:00:00+00',
    })
    expect(fetched.rows).toBe(2)
  })

  it('looks at values behind the first lines', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index},${index},2024-01-01`)
    project.write('data/late.csv', ['a,b,c', ...lines, '1.5,n/a,"second, line"'].join('\n'))
    const { columns, rows, rejects } = await load(project, file('late.csv'))
    expect(columns['']).toEqual(['a DOUBLE', 'b BIGINT', 'c DATE'])
    expect(rows['']?.length).toBe(60_001)
    expect(rows['']?.at(-1)).toEqual({ a: 1.5, b: null, c: null })
    expect(rejects.map(({ column_name, raw }) => [column_name, raw])).toEqual([
      ['b', '"n/a"'],
      ['c', '"second, line"'],
    ])
  })

  it('follows the options', async () => {
    project.write(
      'data/odd.csv',
      Buffer.from("# made by hand\n1;'caf\xe9;au lait';-;1,5\n2;x;y;2,5\n", 'latin1'),
    )
    const options =
      ', options: {delimiter: ";", header: false, quote: "\'", skip: 1, encoding: latin1, null_string: "-", columns: [id, Name, c, d], decimal_separator: ","}'
    const { rows, columns } = await load(project, file('odd.csv', options))
    expect(columns['']).toEqual(['id BIGINT', 'name VARCHAR', 'c VARCHAR', 'd DOUBLE'])
    expect(rows['']?.[0]).toEqual({ id: '1', name: 'café;au lait', c: null, d: 1.5 })
  })

  it('fills lines that end early with NULL where the options want it', async () => {
    project.write('data/short.csv', 'a,b,c\n1,2,3\n4,5\n6\n')
    await expect(fetchOnly(project, file('short.csv'))).rejects.toMatchObject({ code: 'source-unreadable' })
    const { rows, columns } = await load(project, file('short.csv', ', options: {null_padding: true}'))
    expect(columns['']).toEqual(['a BIGINT', 'b BIGINT', 'c BIGINT'])
    expect(rows['']).toEqual([
      { a: '1', b: '2', c: '3' },
      { a: '4', b: '5', c: null },
      { a: '6', b: null, c: null },
    ])
  })

  it('are unpacked by their names in capital letters too, and one that is packed in secret says so', async () => {
    project.write('data/packed/A.CSV.GZ', gzipSync('id,v\n1,a\n'))
    project.write('data/packed/B.CSV', 'id,v\n2,b\n')
    const { rows } = await load(project, file('packed/*'))
    expect(rows['']).toEqual([
      { id: '1', v: 'a' },
      { id: '2', v: 'b' },
    ])
    for (const name of ['secret.csv', 'secret.ndjson']) {
      project.write(`data/${name}`, gzipSync('{"id":1}\n'))
      await expect(fetchOnly(project, file(name)), name).rejects.toMatchObject({
        code: 'source-unreadable',
        message: expect.stringContaining('is packed with gzip, and its name does not end in .gz'),
        hint: 'Give it a name that ends in .gz, or unpack it.',
      })
    }
  })

  it('unites files with other columns by name, in the order of their paths', async () => {
    project.write('data/parts/b/2.csv', 'id,b\n3,x\n')
    project.write('data/parts/1.csv', 'id,a\n1,2024-01-01\n')
    project.write('data/parts/b/1.csv.gz', gzipSync('a;id\n2024-01-02;2\n'))
    project.write('data/parts/.hidden.csv', 'id\n9\n')
    const { rows, columns, fetched } = await load(project, file('parts/**/*.csv*'))
    expect(columns['']).toEqual(['id BIGINT', 'a DATE', 'b VARCHAR'])
    expect(rows['']).toEqual([
      { id: '1', a: '2024-01-01', b: null },
      { id: '2', a: '2024-01-02', b: null },
      { id: '3', a: null, b: 'x' },
    ])
    expect(fetched.rows).toBe(3)
  })

  it('says what is wrong with a file', async () => {
    project.write('data/ragged.csv', 'a,b\n1,2\n1,2,3\n4\n')
    await expect(fetchOnly(project, file('ragged.csv'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining(
        'line 3: 3 values, where the header has 2, and 1 more lines are no records',
      ),
    })
    await expect(fetchOnly(project, file('ragged.csv', ', options: {delimiter: ","}'))).rejects.toMatchObject(
      {
        code: 'source-unreadable',
        message: expect.stringContaining(
          'line 3: 3 values, where the header has 2, and 1 more lines are no records',
        ),
      },
    )
    project.write('data/latin.csv', Buffer.from('a,b\n1,caf\xe9\n', 'latin1'))
    await expect(fetchOnly(project, file('latin.csv'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('line 2: the text is not UTF-8'),
      hint: expect.stringContaining('ingest.options.encoding: windows-1252'),
    })
    await expect(fetchOnly(project, file('nothing*.csv'))).rejects.toMatchObject({
      code: 'source-empty-glob',
    })
    await expect(fetchOnly(project, file('late.csv', ', options: {delimeter: ";"}'))).rejects.toMatchObject({
      message: 'unknown option "delimeter"',
      hint: 'did you mean "delimiter"?',
    })
    project.write('data/nothing', '')
    project.write('data/empty.csv', '')
    await expect(fetchOnly(project, file('empty.csv'))).rejects.toMatchObject({ code: 'source-unreadable' })
  })
})

describe('CSV files that bring less or more than they seem to', () => {
  const warningsOf = async (body: string) => {
    const warnings: string[] = []
    const { rows } = await load(project, body, { onWarning: ({ message }) => void warnings.push(message) })
    return { warnings, rows: rows[''] }
  }

  it('are named where they are links to nothing, or empty beside others', async () => {
    project.write('data/deliveries/a.csv', 'id,name\n1,x\n')
    project.write('data/deliveries/b.csv', '')
    mkdirSync(project.path('data/deliveries'), { recursive: true })
    symlinkSync(project.path('nowhere.csv'), project.path('data/deliveries/c.csv'))
    symlinkSync(project.path('data/deliveries/a.csv'), project.path('data/deliveries/again.csv'))
    const { warnings, rows } = await warningsOf(file('deliveries/*.csv'))
    expect(warnings).toEqual([
      'a link that leads nowhere brought no records: data/deliveries/c.csv',
      'an empty file, without even a header, brought no records: data/deliveries/b.csv',
    ])
    expect(rows).toEqual([
      { id: '1', name: 'x' },
      { id: '1', name: 'x' },
    ])
  })

  it('repeat the header in the middle, quoted or packed', async () => {
    project.write('data/joined/a.csv', 'id,name\r\n1,x\r\n"id","name"\r\n2,y\r\n')
    project.write('data/joined/b.csv.gz', gzipSync('id,name\n3,"id\nname"\nid,name\n'))
    const { warnings, rows } = await warningsOf(file('joined/*'))
    expect(warnings).toEqual([
      '2 records repeat the header: line 3 of data/joined/a.csv, line 4 of data/joined/b.csv.gz',
    ])
    expect(rows?.map(({ name }) => name)).toEqual(['x', 'name', 'y', 'id\nname', 'name'])
  })

  it('have words that are the name of one column, which is no header', async () => {
    project.write('data/words.csv', 'word,n\na,1\nword,2\n')
    expect((await warningsOf(file('words.csv'))).warnings).toEqual([])
  })

  it.each([
    ['at the end of the file', `id,name\n1,a\n2,"b\n${'3,x\n'.repeat(2000)}`],
    ['before another quote', 'id,name\n1,a\n2,"b\n3,x\n4,"y"\n5,z\n'],
  ])('have a quote that is not closed, %s', async (_where, text) => {
    project.write('data/open.csv', text)
    const said = {
      code: 'source-unreadable',
      message: `cannot read "open.csv": line 3: a quote is not closed, and the lines behind it cannot be told apart (${project.path('data/open.csv')})`,
      hint: 'Close the quote, or say how values are quoted with ingest.options.quote.',
    }
    await expect(fetchOnly(project, file('open.csv'))).rejects.toMatchObject({
      ...said,
      withoutValues: said.message,
    })
  })
})

describe('JSON', () => {
  it('reads lines, lists, envelopes and one object, from where they are where that can be', async () => {
    project.write('data/a.ndjson', '{"id":1,"orderID":"x"}\n{"id":2.5}\n')
    project.write('data/b.json', '[\n {"id":1,\n "orderID":"x"},\n {"id":2.5}]')
    project.write('data/c.json', '{"meta":{"n":2},"payload":{"things":[{"id":1,"orderID":"x"},{"id":2.5}]}}')
    project.write('data/d.json', '{"id":1,"orderID":"x"}\n{"id":2.5}')
    project.write('data/e.json', '{"id":1,\n"orderID":"x"} {"id":2.5}')
    const expected = [
      { id: 1, order_id: 'x' },
      { id: 2.5, order_id: null },
    ]
    for (const name of ['a.ndjson', 'b.json', 'c.json', 'd.json', 'e.json']) {
      const { rows, fetched } = await load(project, file(name))
      expect(rows[''], name).toEqual(expected)
      expect(fetched.rows, name).toBe(2)
      expect(fetched.tables[0]?.sql.includes('.spool'), name).toBe(name === 'c.json' || name === 'e.json')
    }
    project.write('data/f.json.gz', gzipSync('[{"id":1,"orderID":"x"},{"id":2.5}]'))
    expect((await load(project, file('f.json.gz'))).rows['']).toEqual(expected)
    project.write('data/G.NDJSON.GZ', gzipSync('{"id":1,"orderID":"x"}\n{"id":2.5}\n'))
    expect((await load(project, file('G.NDJSON.GZ'))).rows['']).toEqual(expected)
    project.write('data/H.JSON.Gz', gzipSync('[{"id":1,"orderID":"x"},{"id":2.5}]'))
    expect((await load(project, file('H.JSON.Gz'))).rows['']).toEqual(expected)
    expect((await load(project, file('c.json', ', options: {records: payload.things}'))).rows['']).toEqual(
      expected,
    )
    project.write('data/single.json', '{"id":7,"tags":["a","b"]}')
    expect((await load(project, file('single.json'))).rows['']).toEqual([{ id: '7', tags: ['a', 'b'] }])
    project.write('data/scalars.json', '[1, null, 2]')
    expect((await load(project, file('scalars.json'))).rows['']).toEqual([
      { value: '1' },
      { value: null },
      { value: '2' },
    ])
    await expect(fetchOnly(project, file('c.json', ', options: {records: data}'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('has no list at "data"'),
    })
  })

  it('turns nested records into tables keyed by their parents', async () => {
    project.write(
      'data/orders.json',
      JSON.stringify([
        {
          id: 1,
          customer: { name: 'Ann', address: { city: 'Oslo', geo: { lat: 1.5 } } },
          lines: [
            { sku: 'a', discounts: [{ code: 'x' }, { code: 'y' }] },
            { sku: 'b', discounts: [] },
          ],
          tags: ['new', 'vip'],
          mixed: { deep: [1] },
        },
        { id: 2, customer: null, lines: [{ sku: 'c', discounts: [{ code: 'z' }] }], tags: [], mixed: 'text' },
        { id: 3, mixed: 5 },
      ]),
    )
    const { rows, columns } = await load(project, file('orders.json', ', primary_key: id'))
    expect(columns['']).toEqual([
      '_svc_id VARCHAR',
      'id BIGINT',
      'customer__name VARCHAR',
      'customer__address__city VARCHAR',
      'customer__address__geo JSON',
      'tags VARCHAR[]',
      'mixed VARCHAR',
    ])
    expect(rows['']?.map(row => row['mixed'])).toEqual(['{"deep":[1]}', 'text', '5'])
    expect(JSON.parse(String(rows['']?.[0]?.['customer__address__geo']))).toEqual({ lat: 1.5 })
    const ids = rows['']?.map(row => row['_svc_id'])
    expect(rows['lines']?.map(row => [row['_svc_parent_id'], row['_svc_idx'], row['sku']])).toEqual([
      [ids?.[0], '0', 'a'],
      [ids?.[0], '1', 'b'],
      [ids?.[1], '0', 'c'],
    ])
    const lineIds = rows['lines']?.map(row => row['_svc_id'])
    expect(rows['lines__discounts']?.map(row => [row['_svc_parent_id'], row['code']])).toEqual([
      [lineIds?.[0], 'x'],
      [lineIds?.[0], 'y'],
      [lineIds?.[2], 'z'],
    ])
    const unkeyed = await load(project, file('orders.json'))
    expect(new Set(unkeyed.rows['']?.map(row => row['_svc_id'])).size).toBe(3)
    expect(unkeyed.rows['lines']?.map(row => row['_svc_parent_id'])).toEqual(
      [0, 0, 1].map(index => unkeyed.rows['']?.[index]?.['_svc_id']),
    )
    const json = await load(project, file('orders.json', ', nested: json'))
    expect(Object.keys(json.columns)).toEqual([''])
    expect(JSON.parse(String(json.rows['']?.[1]?.['lines']))).toEqual([
      { sku: 'c', discounts: [{ code: 'z' }] },
    ])
  })

  it('keeps every value: long numbers, NUL, half characters, NaN', async () => {
    project.write(
      'data/edge.ndjson',
      '{"a":9223372036854775808,"b":NaN,"c":"x\\u0000y","d":1e400}\n{"a":-1,"b":1,"c":"😀"}',
    )
    const edge = await load(project, file('edge.ndjson'))
    expect(edge.columns['']?.slice(0, 3)).toEqual(stored(['a HUGEINT', 'b DOUBLE', 'c VARCHAR']))
    expect(edge.rows['']?.[0]).toMatchObject({ a: '9223372036854775808', b: 'NaN', c: ifNul('x\0y') })
    project.write(
      'data/nul.ndjson',
      '{"a":["x\\u0000"],"b":{"c":{"d":{"e":"\\u0000\\u0000","f":"\\\\u0000"}}}}',
    )
    const [inside] = (await load(project, file('nul.ndjson'))).rows[''] ?? []
    expect(inside?.['a']).toEqual(ifNul(['x\0']))
    expect(JSON.parse(String(inside?.['b__c__d']))).toEqual(ifNul({ e: '\0\0', f: '\\u0000' }))
    project.write('data/half.ndjson', '{"a":"x\\ud800y","b":"\\ud83d\\ude00"}')
    const half = await load(project, file('half.ndjson'))
    expect(half.rows['']).toEqual([{ a: 'x\ufffdy', b: '😀' }])
    expect(half.warnings).toMatchObject([{ code: 'replaced-characters', count: 1 }])
    project.write('data/endless.ndjson', '{"a":170141183460469231731687303715884105728}')
    expect((await load(project, file('endless.ndjson'))).rows['']?.[0]?.['a']).toBe(
      '170141183460469231731687303715884105728',
    )
    project.write('data/latin.ndjson', Buffer.from('{"a":"caf\xe9"}\n', 'latin1'))
    await expect(fetchOnly(project, file('latin.ndjson'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('is not UTF-8, in or after record 1'),
    })
    project.write('data/broken.ndjson', '{"a":1}\n{"a":}\n')
    await expect(fetchOnly(project, file('broken.ndjson'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('unexpected "}" at byte 14, in record 2'),
    })
  })

  it('leaves excluded values unread and names those that meet', async () => {
    project.write('data/pii.ndjson', '{"id":1,"email":"a@b","card":{"number":"4","kind":"visa"},"x y":1}')
    const warnings: string[] = []
    const body = file('pii.ndjson', ', exclude: [email, card.number, emial]')
    const onWarning = ({ code }: { code: string }) => void warnings.push(code)
    const { fetched, columns } = await load(project, body, { onWarning })
    expect(columns['']).toEqual(['id BIGINT', 'card__kind VARCHAR', 'x_y BIGINT'])
    expect(fetched.excludedColumns).toEqual(['email', 'card.number'])
    expect(fetched.tables[0]?.sql).not.toMatch(/email|number/)
    expect(warnings).toEqual(['unmatched-pattern'])
    project.write('data/meet.ndjson', '{"x y":1,"xY":2}')
    await expect(fetchOnly(project, file('meet.ndjson'))).rejects.toMatchObject({
      code: 'source-shape',
      message: '"x y" and "xY" both become the column x_y',
    })
    expect((await load(project, file('meet.ndjson', ', naming: source'))).rows['']).toEqual([
      { 'x y': '1', xY: '2' },
    ])
  })
})

describe('Parquet', () => {
  beforeAll(async () => {
    const duckdb = await openLocalReader({})
    const rows =
      "SELECT i AS id, {'name': 'n' || i, 'n': i} AS who, [{'q': i, 'w': DATE '2024-01-01'}] AS lines, MAP {'k': i} AS m, i::DECIMAL(9,2) AS d FROM range(5) t(i)"
    await duckdb.rows(`COPY (${rows}) TO '${project.path('data/p[1].parquet')}' (FORMAT parquet)`)
    await duckdb.rows(
      `COPY (SELECT 9::BIGINT AS id, 'new' AS extra) TO '${project.path('data/p2.parquet')}' (FORMAT parquet)`,
    )
    duckdb.close()
  })

  it('loads nested columns with their own types, and files with other columns', async () => {
    const { columns, rows, fetched } = await load(project, file('p*.parquet', ', primary_key: id'))
    expect(columns).toEqual({
      '': [
        '_svc_id VARCHAR',
        'id BIGINT',
        'extra VARCHAR',
        'who__name VARCHAR',
        'who__n BIGINT',
        ...stored(['m MAP(VARCHAR, BIGINT)']),
        'd DECIMAL(9,2)',
      ],
      lines: ['_svc_parent_id VARCHAR', '_svc_idx BIGINT', 'q BIGINT', 'w DATE'],
    })
    expect(fetched.rows).toBe(6)
    expect(rows['']?.[0]).toMatchObject({ id: '9', extra: 'new', who__name: null })
    expect(rows['lines']?.length).toBe(5)
  })

  it('is one plain SELECT over the file where it is flat', async () => {
    const { fetched } = await load(project, file('p2.parquet'))
    expect(fetched.tables[0]?.sql).toMatch(
      /^SELECT _svc_record\."id" AS "id", _svc_record\."extra" AS "extra" FROM \(SELECT \* FROM read_parquet\('[^']*p2\.parquet', hive_partitioning=false\) WHERE /,
    )
  })
})

describe('a load', () => {
  it('is known by its content, and fails when the file has changed meanwhile', async () => {
    project.write('data/same.csv', 'a\n1\n')
    const first = await fetchOnly(project, file('same.csv'))
    project.write('data/same-copy.csv', 'a\n1\n')
    expect((await fetchOnly(project, file('same-copy.csv'))).loadId).toBe(first.loadId)
    project.write('data/same.csv', 'a\n2\n3\n')
    expect((await fetchOnly(project, file('same.csv'))).loadId).not.toBe(first.loadId)
    const duckdb = await openLocalReader({})
    await expect(duckdb.rows(first.tables[0]?.sql ?? '')).rejects.toThrow(
      'have changed since they were looked at',
    )
    duckdb.close()
  })

  it('stops at max_rows, and warns that the table is a part of the file', async () => {
    showsSource(['folder'], ['max_rows'])
    const warnings: string[] = []
    const onWarning = ({ message }: { message: string }) => void warnings.push(message)
    const { rows, fetched } = await load(project, file('late.csv', ', limits: {max_rows: 3}'), { onWarning })
    expect([rows['']?.length, fetched.rows]).toEqual([3, 3])
    expect(warnings).toEqual(['the load ended after 3 records, as limits.max_rows says; the source has more'])
    project.write('data/few.csv', 'a\n1\n2\n3\n')
    await load(project, file('few.csv', ', limits: {max_rows: 3}'), { onWarning })
    expect(warnings).toHaveLength(1)
  })

  it('keeps columns and types of the load before it', async () => {
    project.write('data/grow.ndjson', '{"a":"x","b":1,"kids":[{"n":1}]}')
    const before = await load(project, file('grow.ndjson'))
    project.write('data/grow.ndjson', '{"a":5,"c":true}\n')
    const previous = before.fetched.tables.map(table => table.shape)
    const after = await load(project, file('grow.ndjson'), { previous })
    expect(after.columns).toEqual({
      '': ['_svc_id VARCHAR', 'a VARCHAR', 'c BOOLEAN', 'b BIGINT'],
      kids: ['_svc_parent_id VARCHAR', '_svc_idx BIGINT', 'n BIGINT'],
    })
    expect(after.rows['']).toMatchObject([{ a: '5', b: null, c: true }])
    expect(after.rows['kids']).toEqual([])
  })

  it('can be looked at without loading', async () => {
    const tables = await peek(project, file('orders.json'))
    expect(tables.map(table => table.child)).toEqual([undefined, 'lines', 'lines__discounts'])
    expect((await peek(project, file('late.csv')))[0]?.columns.map(column => column.name)).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})

describe('rows of the asset file', () => {
  it('load like any records', async () => {
    const body =
      'ingest:\n  type: rows\n  rows:\n    - {id: 1, name: Ann, since: "2024-01-01", ok: true}\n    - {id: 2, name: "", score: 1.5}'
    const { rows, columns } = await load(project, body)
    expect(columns['']).toEqual(['id BIGINT', 'name VARCHAR', 'since DATE', 'ok BOOLEAN', 'score DOUBLE'])
    expect(rows['']?.[1]).toEqual({ id: '2', name: '', since: null, ok: null, score: 1.5 })
    const none = await load(project, 'ingest: {type: rows, rows: []}\ncontract: {columns: {id: bigint}}')
    expect([none.columns[''], none.rows['']]).toEqual([['id BIGINT'], []])
  })
})
