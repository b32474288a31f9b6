/** Types of columns: one inference for the check of files and for loads, which no single value decides. */
import { sourceLooker, sourceOf } from '@svc/server/catalog'
import { afterAll, describe, expect, it } from 'vitest'
import { engine } from '../../support/engine.ts'
import { contextFor, fetchOnly, load, temporaryProject } from './fetching.ts'
import { stored } from './loaded-tables.ts'

const project = temporaryProject()
afterAll(() => project.remove())

const file = (resource: string, more = '') =>
  `ingest: {type: file, endpoint: ./data, resource: ${resource}${more === '' ? '' : `, ${more}`}}`

async function checked(body: string): Promise<string[]> {
  const { asset } = contextFor(project, body)
  const looker = sourceLooker({ root: project.root })
  try {
    const look = await looker.look(asset.definition.ingest)
    const { tables } = sourceOf(asset, look, undefined, engine)
    return (tables?.[0]?.columns ?? []).map(({ name, type }) => `${name} ${type ?? '?'}`)
  } finally {
    looker.close()
  }
}

const repeat = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n))

describe('CSV', () => {
  it('has the types for the check that a load gives', async () => {
    const columns = {
      day: '2020-1-5',
      iso: '2020-01-05',
      clock: '4:30:21',
      flag: 't',
      padded: ' 5',
      long: '12345678901234567890',
      longer: '1'.repeat(41),
      code: '007',
      plus: '+49',
      us: '05/06/2024',
      at: '2024-01-01T10:00:00Z',
      price: '1.50',
      empty: '',
      yes: 'yes',
      mixed: 'a',
    }
    const line = Object.values(columns).join(',')
    project.write('data/wide.csv', `${[Object.keys(columns).join(','), line, line, line].join('\n')}\n`)
    const loaded = await load(project, file('wide.csv'))
    expect(stored(await checked(file('wide.csv')))).toEqual(loaded.columns[''])
    expect(loaded.columns['']).toEqual(
      expect.arrayContaining(
        stored(['flag BOOLEAN', 'iso DATE', 'long HUGEINT', 'code VARCHAR', 'empty VARCHAR']),
      ),
    )
  })

  it('of a large file are known after its load only', async () => {
    project.write('data/large.csv', `id,name\n${repeat(300_000, n => `${n},name number ${n}`).join('\n')}\n`)
    expect(await checked(file('large.csv'))).toEqual(['id ?', 'name ?'])
    expect((await load(project, file('large.csv'))).columns['']).toEqual(['id BIGINT', 'name VARCHAR'])
  })

  it.each([
    ['41 digits among integers', (n: number) => String(n), '1'.repeat(41), 'BIGINT'],
    ['41 digits among fractions', (n: number) => `${n}.5`, '1'.repeat(41), 'DOUBLE'],
    ['a word among numbers', (n: number) => String(n), 'n/a', 'BIGINT'],
    ['a word among times', (n: number) => `2024-01-01T10:00:${10 + n}Z`, 'never', 'TIMESTAMP WITH TIME ZONE'],
    ['a word among booleans', (n: number) => (n % 2 === 0 ? 'true' : 'f'), 'perhaps', 'BOOLEAN'],
  ])('%s becomes NULL and is kept, in the check too', async (_what, value, bad, type) => {
    for (const [name, at] of [
      ['first.csv', 0],
      ['last.csv', 20],
    ] as const) {
      const lines = repeat(20, n => `${n},${value(n)}`).toSpliced(at, 0, `99,${bad}`)
      project.write(`data/${name}`, `id,v\n${lines.join('\n')}\n`)
      const { columns, rows, rejects } = await load(project, file(name))
      expect(columns['']).toEqual(['id BIGINT', `v ${type}`])
      expect(rows['']).toHaveLength(21)
      expect(rows['']?.filter(({ v }) => v === null)).toHaveLength(1)
      expect(rejects.map(({ kind, code, column_name, raw }) => [kind, code, column_name, raw])).toEqual([
        ['value', 'type', 'v', JSON.stringify(bad)],
      ])
      expect(await checked(file(name))).toEqual(['id BIGINT', `v ${type}`])
    }
  })

  it('keeps its types around a header in the middle', async () => {
    const part = ['id,amount,day', '1,1.5,2024-01-01', '2,2.5,2024-01-02']
    project.write('data/joined.csv', `${[...part, ...part].join('\n')}\n`)
    const { columns, rejects } = await load(project, file('joined.csv'))
    expect(columns['']).toEqual(['id BIGINT', 'amount DOUBLE', 'day DATE'])
    expect(rejects.map(({ raw }) => raw)).toEqual(['"amount"', '"day"', '"id"'])
  })

  it('that is text stays text, however many numbers are in it', async () => {
    project.write('data/zip.csv', `zip\n${repeat(500, n => String(10_000 + n)).join('\n')}\n01067\n`)
    expect((await load(project, file('zip.csv'))).columns['']).toEqual(['zip VARCHAR'])
    project.write('data/parts.csv', 'part\n12\n13\nA7\n')
    expect((await load(project, file('parts.csv'))).columns['']).toEqual(['part VARCHAR'])
  })

  it('has dates, times and numbers as its options say', async () => {
    project.write(
      'data/german.csv',
      `am;um;preis;rabatt\n31.12.2024;31.12.2024 23:59:01;1,50;0,5\n01.02.2025;01.02.2025 00:00:00;2,25;x\n`,
    )
    const options = `options: {date_format: "%d.%m.%Y", timestamp_format: "%d.%m.%Y %H:%M:%S", decimal: ","}`
    const body = `${file('german.csv', options)}\ncontract: {columns: {rabatt: "decimal(4,2)"}}`
    const { columns, rows, rejects } = await load(project, body)
    expect(columns['']).toEqual(['am DATE', 'um TIMESTAMP', 'preis DOUBLE', 'rabatt DECIMAL(4,2)'])
    expect(rows['']).toEqual([
      { am: '2024-12-31', um: '2024-12-31 23:59:01', preis: 1.5, rabatt: '0.50' },
      { am: '2025-02-01', um: '2025-02-01 00:00:00', preis: 2.25, rabatt: null },
    ])
    expect(rejects.map(({ raw }) => raw)).toEqual(['"x"'])
  })
})

describe('JSON', () => {
  it('digits that a DOUBLE would round make a column of decimals', async () => {
    project.write('data/digits.ndjson', '{"v":1.5}\n{"v":9007199254740993}\n')
    const { columns, rows, rejects } = await load(project, file('digits.ndjson'))
    expect(columns['']).toEqual(['v DECIMAL(18,1)'])
    expect(rows['']).toEqual([{ v: '1.5' }, { v: '9007199254740993.0' }])
    expect(rejects).toEqual([])
  })

  it.each([
    ['41 digits among fractions', '1.5', '1'.repeat(41), 'DOUBLE'],
    ['41 digits among integers', '7', '1'.repeat(41), 'BIGINT'],
    ['a text among integers', '7', '"n/a"', 'BIGINT'],
    ['a text among times', '"2024-01-01T10:00:00+02:00"', '"soon"', 'TIMESTAMP WITH TIME ZONE'],
    ['a text among booleans', 'true', '"maybe"', 'BOOLEAN'],
  ])('%s becomes NULL and is kept', async (_what, good, bad, type) => {
    for (const at of [0, 12]) {
      const records = repeat(12, n => `{"id":${n},"in":{"v":${good}}}`).toSpliced(
        at,
        0,
        `{"id":99,"in":{"v":${bad}}}`,
      )
      project.write('data/mixed.ndjson', records.join('\n'))
      const { columns, rows, rejects } = await load(project, file('mixed.ndjson'))
      expect(columns['']).toEqual(['id BIGINT', `in__v ${type}`])
      expect(rows['']?.filter(({ in__v }) => in__v === null).map(({ id }) => Number(id))).toEqual([99])
      expect(rejects.map(({ column_name, raw }) => [column_name, raw])).toEqual([['in__v', bad]])
      // Which values are few, only a load knows.
      expect(await checked(file('mixed.ndjson'))).toEqual(['id BIGINT', 'in__v ?'])
    }
  })
})

describe('a type that changes at the source', () => {
  const at = (n: number) => `"2024-01-01T10:00:0${n}Z"`
  const lines = (values: readonly string[]) =>
    values.map((value, n) => `{"id":${n},"at":${value}}`).join('\n')
  const good = repeat(6, at)

  async function afterGood(values: readonly string[], more = '') {
    project.write('data/change.ndjson', lines(good))
    const body = `${file('change.ndjson')}\n${more}`
    const { fetched } = await load(project, body)
    const previous = fetched.tables.map(({ shape }) => shape)
    project.write('data/change.ndjson', lines(values))
    return load(project, body, { previous })
  }

  it('in one value keeps the type', async () => {
    const { columns, rows, rejects, fetched } = await afterGood([...good.slice(1), '"soon"'])
    expect(columns['']).toEqual(['id BIGINT', 'at TIMESTAMP WITH TIME ZONE'])
    expect(rows['']?.at(-1)?.['at']).toBeNull()
    expect(rejects).toHaveLength(1)
    expect(fetched.drift).toEqual([])
  })

  it('in most values fails the load', async () => {
    const changed = repeat(6, n => `"Monday ${n}"`)
    await expect(afterGood(changed)).rejects.toMatchObject({
      code: 'type-changed',
      message: 'the values of "at" (TIMESTAMP WITH TIME ZONE) are of another type than at the last load',
    })
  })

  it('is what the contract says', async () => {
    const changed = repeat(6, n => `"Monday ${n}"`)
    const text = await afterGood(changed, 'contract: {columns: {at: varchar}}')
    expect(text.columns['']?.[1]).toBe('at VARCHAR')
    const wider = await afterGood(changed, 'contract: {evolution: evolve}')
    expect(wider.columns['']?.[1]).toBe('at VARCHAR')
    const left = await afterGood(changed, 'contract: {evolution: {types: discard_value}}')
    expect(left.columns['']?.[1]).toBe('at TIMESTAMP WITH TIME ZONE')
    expect(left.rejects).toHaveLength(6)
  })

  it('is found in child tables too, and in those below them', async () => {
    const numbers = Array.from({ length: 12 }, (_, n) => n)
    const body = (amounts: readonly unknown[]) => {
      const rows = amounts.map((amount, id) => ({ id, lines: [{ amount, taxes: [{ rate: amount }] }] }))
      return `ingest: {type: rows, rows: ${JSON.stringify(rows)}}`
    }
    const { fetched, columns } = await load(project, body(numbers))
    expect(columns['lines']).toContain('amount BIGINT')
    const previous = fetched.tables.map(({ shape }) => shape)
    const one = await load(project, body([...numbers.slice(1), 'many']), { previous })
    expect(one.columns['lines']).toContain('amount BIGINT')
    expect(one.rows['lines']?.map(({ amount }) => amount).filter(amount => amount === null)).toHaveLength(1)
    expect(one.rejects.map(({ child, column_name }) => [child, column_name]).sort()).toEqual([
      ['lines', 'amount'],
      ['lines__taxes', 'rate'],
    ])
    expect(one.fetched.drift).toEqual([])
    const changed = body(repeat(12, n => `about ${n}`))
    await expect(load(project, changed, { previous })).rejects.toMatchObject({
      code: 'type-changed',
      message:
        'the values of "amount" of "lines" (BIGINT), "rate" of "lines__taxes" (BIGINT) are of another type than at the last load',
      hint: expect.stringContaining('contract: {tables: {lines: {columns: {amount: varchar}}}}'),
    })
    const said =
      'contract: {tables: {lines: {columns: {amount: varchar}}, lines__taxes: {columns: {rate: varchar}}}}'
    const text = await load(project, `${changed}\n${said}`, { previous })
    expect(text.columns['lines']).toContain('amount VARCHAR')
  })

  it.each(['codes', 'lines'])('fails the load inside of lists of values, as in %s', async place => {
    const body = (code: unknown) => {
      const row = place === 'codes' ? { codes: [code] } : { lines: [{ n: 1, codes: [code] }] }
      return `ingest: {type: rows, rows: ${JSON.stringify([{ id: 1, ...row }])}}`
    }
    const { fetched } = await load(project, body(7))
    const previous = fetched.tables.map(({ shape }) => shape)
    const mixed = body(7).replace('[7]', '[7, "many"]')
    for (const changed of [body('many'), mixed])
      await expect(load(project, changed, { previous })).rejects.toMatchObject({
        code: 'type-changed',
        message: expect.stringContaining('"codes"'),
      })
  })

  it('widens as numbers and times do', async () => {
    project.write('data/n.csv', 'v,d\n1,2024-01-01\n')
    const { fetched } = await load(project, file('n.csv'))
    const previous = fetched.tables.map(({ shape }) => shape)
    project.write('data/n.csv', 'v,d\n1.5,2024-01-01 10:00:00\n')
    const next = await load(project, file('n.csv'), { previous })
    expect(next.columns['']).toEqual(['v DOUBLE', 'd TIMESTAMP'])
  })

  it('to numbers with leading zeros is no number', async () => {
    project.write('data/zips.csv', 'zip\n10115\n20095\n80331\n')
    const { fetched } = await load(project, file('zips.csv'))
    const previous = fetched.tables.map(({ shape }) => shape)
    project.write('data/zips.csv', 'zip\n10115\n20095\n01067\n')
    await expect(fetchOnly(project, file('zips.csv'), { previous })).rejects.toMatchObject({
      code: 'type-changed',
    })
  })
})

describe('a type in contract.columns', () => {
  it('is the type of the column, and values that do not fit are kept as rejects', async () => {
    project.write('data/rates.csv', 'converted_at,rate\n2020-1-5 4:30:21,1\nyesterday,2\n2020-01-06,x\n')
    const contract = 'contract: {columns: {converted_at: timestamp, rate: integer}}'
    const { columns, rows, rejects } = await load(project, `${file('rates.csv')}\n${contract}`)
    expect(columns['']).toEqual(['converted_at TIMESTAMP', 'rate INTEGER'])
    expect(await checked(`${file('rates.csv')}\n${contract}`)).toEqual(columns[''])
    expect(rows['']).toEqual([
      { converted_at: '2020-01-05 04:30:21', rate: 1 },
      { converted_at: null, rate: 2 },
      { converted_at: '2020-01-06 00:00:00', rate: null },
    ])
    expect(rejects.map(({ message }) => message)).toEqual([
      'column "converted_at" is promised as TIMESTAMP, which cannot hold "yesterday"',
      'column "rate" is promised as INTEGER, which cannot hold "x"',
    ])
  })

  it('rejects the record where the column must not be empty', async () => {
    const body = `ingest: {type: rows, rows: [{n: 1}, {n: x}]}\ncontract: {columns: {n: {type: bigint, nullable: false}}}`
    await expect(fetchOnly(project, body)).rejects.toMatchObject({ code: 'contract-violated' })
  })
})

describe('lines that are no records', () => {
  const ragged = 'id,name,n\n1,a,1\n2,b\n3,c,3,4\n4,"d"x,4\n5,e,five\n6,f,6\n'
  const discard = (more = '') => `contract: {evolution: {types: discard_row}, columns: {n: bigint}${more}}`

  it('fail the load, or are rejects where the contract discards rows', async () => {
    project.write('data/ragged.csv', ragged)
    await expect(fetchOnly(project, file('ragged.csv'))).rejects.toMatchObject({ code: 'source-unreadable' })
    const { rows, rejects, fetched } = await load(project, `${file('ragged.csv')}\n${discard()}`)
    expect(rows['']?.map(({ name }) => name)).toEqual(['a', 'f'])
    expect(fetched.rejects?.rows).toBe(4)
    expect(rejects.map(({ kind, code, raw }) => [kind, code, raw])).toEqual(
      expect.arrayContaining([
        ['row', 'unparsed', '"2,b"'],
        ['row', 'unparsed', '"3,c,3,4"'],
        ['row', 'type', '{"id":"5","name":"e","n":"five"}'],
      ]),
    )
  })

  it.each([
    ['the last line', 'id,n\n1,10\n2,20\n3,30,x\n', 4],
    ['nearly every line', 'id,n\n1,10,x\n2,20,y\n3,30\n', 2],
    ['the last lines, of which one looks like a header', 'id,n\n1,10\n2,20\na,b,c\n3,30,4\n', 4],
  ])('take neither the header nor records away: %s has a value too many', async (_, text, line) => {
    project.write('data/wide.csv', text)
    await expect(fetchOnly(project, file('wide.csv'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining(`line ${line}: 3 values, where the header has 2`) as string,
    })
    const { rows, rejects } = await load(project, `${file('wide.csv')}\n${discard()}`)
    const records = text.trim().split('\n').slice(1)
    expect(rows['']?.map(({ id, n }) => `${id},${n}`) ?? []).toEqual(
      records.filter(record => record.split(',').length === 2),
    )
    expect(rejects).toHaveLength(records.filter(record => record.split(',').length === 3).length)
  })

  it('are no words before a header', async () => {
    project.write('data/words.csv', 'Sales, of today\n\nid,n,x\n1,10,a\n2,20,b\n')
    const { rows } = await load(project, file('words.csv'))
    expect(rows['']?.map(({ id, n, x }) => [id, n, x].join())).toEqual(['1,10,a', '2,20,b'])
  })

  it('count for max_rejects', async () => {
    project.write('data/ragged.csv', ragged)
    await expect(
      fetchOnly(project, `${file('ragged.csv')}\n${discard(', max_rejects: 3')}`),
    ).rejects.toMatchObject({
      code: 'contract-violated',
      message: expect.stringContaining('4 of 6 records break the contract, and max_rejects is 3') as string,
    })
    const { rows } = await load(project, `${file('ragged.csv')}\n${discard(', max_rejects: 4')}`)
    expect(rows['']).toHaveLength(2)
  })

  it('behind a quote that is never closed are refused all the same', async () => {
    project.write('data/open.csv', `id,name\n1,a\n2,"b\n${repeat(50, n => `${n},x`).join('\n')}\n`)
    await expect(
      fetchOnly(project, `${file('open.csv')}\ncontract: {evolution: discard_row}`),
    ).rejects.toMatchObject({ code: 'source-unreadable' })
  })

  it('that are short are filled with null_padding', async () => {
    project.write('data/short.csv', 'id,name,n\n1,a,1\n2,b\n')
    const { rows } = await load(project, file('short.csv', 'options: {null_padding: true}'))
    expect(rows['']?.[1]).toEqual({ id: '2', name: 'b', n: null })
  })
})
