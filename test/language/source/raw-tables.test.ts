import * as language from '@svc/server/language'
import {
  type Contract,
  type ContractColumn,
  formatSchemaLock,
  parseSchemaLock,
  type RawColumn,
  type RawTable,
  type RowsIngest,
  type SourceType,
  toSnakeCase,
} from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { engine } from '../../support/engine.ts'

const canonicalType = (type: string) => language.canonicalType(type, engine.types)
const widenType = (a: string | undefined, b: string | undefined) => language.widenType(a, b, engine.types)
const rawTables = (...[ingest, contract, type]: Before<typeof language.rawTables>) =>
  language.rawTables(ingest, contract, type, engine)
const keepPrevious = (...[tables, previous, ingest]: Before<typeof language.keepPrevious>) =>
  language.keepPrevious(tables, previous, ingest, engine)

/** What stands before the engine. */
type Before<Of extends (...given: never) => unknown> =
  Parameters<Of> extends [...infer First, unknown] ? First : never

const text: SourceType = { kind: 'scalar', type: 'VARCHAR' }
const int: SourceType = { kind: 'scalar', type: 'BIGINT' }

function object(fields: Record<string, SourceType>): SourceType {
  return { kind: 'struct', fields: Object.entries(fields).map(([name, type]) => ({ name, type })) }
}

function list(element: SourceType): SourceType {
  return { kind: 'list', element }
}

function ingest(options: Partial<RowsIngest> = {}): RowsIngest {
  return {
    type: 'rows',
    rows: [],
    credentials: '',
    write: 'replace',
    onChange: 'fail',
    primaryKey: [],
    include: [],
    exclude: [],
    mask: {},
    naming: 'snake',
    nested: { mode: 'tables', depth: 2 },
    limits: {
      concurrency: 1,
      timeoutMs: 1,
      retries: 0,
      bodyBytes: 1,
      ratio: 1,
      recordBytes: 1,
      depth: 500,
      pages: 1,
      totalBytes: 1,
      files: 1,
      names: 1,
    },
    ...options,
  }
}

function contract(columns: Record<string, Partial<ContractColumn>>, enforceTypes = false): Contract {
  const full = Object.entries(columns).map(([name, column]) => [
    name,
    { nullable: true, pii: false, ...column },
  ])
  return {
    evolution: { tables: 'evolve', columns: 'evolve', types: 'evolve' },
    allowEmpty: false,
    enforceTypes,
    requiredColumns: [],
    columns: Object.fromEntries(full) as Contract['columns'],
    tables: {},
  }
}

/** `child: name TYPE, …` a line. */
function show(tables: readonly RawTable[]): string[] {
  return tables.map(
    table =>
      `${table.child ?? '.'}: ${table.columns.map(column => `${column.name} ${column.type ?? '?'}`).join(', ')}`,
  )
}

describe('names', () => {
  it.each([
    ['US Gross', 'us_gross'],
    ['orderID', 'order_id'],
    ['orderIDs', 'order_ids'],
    ['HTTPServer', 'http_server'],
    ['address2', 'address2'],
    ['ISO8601Date', 'iso8601_date'],
    ['_id', '_id'],
    ['2020', '_2020'],
    ['', 'column'],
    ['%', 'column'],
    ['Größe', 'größe'],
    ['Σκύλος', 'σκύλος'],
    ['a.b/c  d', 'a_b_c_d'],
    ['US_GDP_Growth', 'us_gdp_growth'],
  ])('%s becomes %s', (source, expected) => {
    expect(toSnakeCase(source)).toBe(expected)
    expect(toSnakeCase(expected)).toBe(expected)
  })
})

describe('raw tables', () => {
  const order = object({
    orderID: int,
    customer: object({ name: text, address: object({ city: text, geo: object({ lat: int }) }) }),
    lines: list(
      object({ sku: text, product: object({ name: text }), discounts: list(object({ code: text })) }),
    ),
    tags: list(text),
    mixed: { kind: 'mixed' },
    never: { kind: 'unknown' },
    anything: list({ kind: 'mixed' }),
  })

  it('flatten objects into columns and lists of objects into child tables', () => {
    const { tables, problems, excluded } = rawTables(ingest(), undefined, order)
    expect(show(tables)).toEqual([
      '.: _svc_id VARCHAR, order_id BIGINT, customer__name VARCHAR, customer__address__city VARCHAR, customer__address__geo JSON, tags VARCHAR[], mixed VARCHAR, never ?, anything JSON',
      'lines: _svc_id VARCHAR, _svc_parent_id VARCHAR, _svc_idx BIGINT, sku VARCHAR, product__name VARCHAR',
      'lines__discounts: _svc_parent_id VARCHAR, _svc_idx BIGINT, code VARCHAR',
    ])
    expect([problems, excluded]).toEqual([[], []])
    expect(tables[2]?.columns.at(-1)?.path).toEqual(['lines', '[]', 'discounts', '[]', 'code'])
  })

  it('have the types of an engine that does not read sources itself', () => {
    const promised = contract({ code: { type: 'varchar(3)' }, absent: { type: 'timestamptz' } })
    const source = object({
      ...{
        code: text,
        big: { kind: 'scalar', type: 'HUGEINT' },
        at: { kind: 'scalar', type: 'TIMESTAMP_NS' },
      },
      ...{
        tags: list({ kind: 'scalar', type: 'DECIMAL(4,1)' }),
        mixed: { kind: 'mixed' },
        whole: list(list(int)),
      },
      parts: list(object({ n: { kind: 'scalar', type: 'UINTEGER' } })),
    })
    expect(show(language.rawTables(ingest(), promised, source, postgres).tables)).toEqual([
      '.: _svc_id text, code character varying(3), big numeric(39,0), at timestamp without time zone, tags numeric(4,1)[], mixed text, whole jsonb, absent timestamp with time zone',
      'parts: _svc_parent_id text, _svc_idx bigint, n bigint',
    ])
    const history = language.rawTables(ingest({ write: 'scd2' }), undefined, object({ a: int }), postgres)
    expect(show(history.tables)).toEqual([
      '.: a bigint, _svc_valid_from timestamp with time zone, _svc_valid_to timestamp with time zone',
    ])
  })

  it('have no system columns where there is no child table', () => {
    expect(show(rawTables(ingest(), undefined, object({ a: int })).tables)).toEqual(['.: a BIGINT'])
  })

  it('keep every nested value as JSON in mode json, and below the depth', () => {
    const json = rawTables(ingest({ nested: { mode: 'json', depth: 2 } }), undefined, order)
    expect(show(json.tables)).toEqual([
      '.: order_id BIGINT, customer JSON, lines JSON, tags JSON, mixed VARCHAR, never ?, anything JSON',
    ])
    const shallow = rawTables(ingest({ nested: { mode: 'tables', depth: 1 } }), undefined, order)
    expect(show(shallow.tables)[1]).toBe(
      'lines: _svc_parent_id VARCHAR, _svc_idx BIGINT, sku VARCHAR, product JSON, discounts JSON',
    )
  })

  it('leave out what exclude names, and all but what include names', () => {
    const some = rawTables(ingest({ exclude: ['customer.address', 'lines.s*', 'tags'] }), undefined, order)
    expect(some.excluded).toEqual(['customer.address', 'lines.sku', 'tags'])
    expect(show(some.tables)[0]).toBe(
      '.: _svc_id VARCHAR, order_id BIGINT, customer__name VARCHAR, mixed VARCHAR, never ?, anything JSON',
    )
    const few = rawTables(
      ingest({ include: ['orderID', 'customer.*'], exclude: ['customer.name'] }),
      undefined,
      order,
    )
    expect(show(few.tables)).toEqual([
      '.: order_id BIGINT, customer__address__city VARCHAR, customer__address__geo JSON',
    ])
    expect(few.unmatched).toEqual([])
    expect(rawTables(ingest({ exclude: ['emial'] }), undefined, order).unmatched).toEqual(['emial'])
  })

  it('refuse to hide a value inside a JSON column', () => {
    const { problems } = rawTables(
      ingest({ exclude: ['customer.name'], nested: { mode: 'json', depth: 2 } }),
      undefined,
      order,
    )
    expect(problems.map(problem => problem.message)).toEqual([
      '"customer.name" cannot be left out: "customer" is loaded as one value',
    ])
  })

  it('show both names that meet, without regard to case', () => {
    const type = object({ 'US Gross': int, us_gross: int, B: int, b: int })
    expect(rawTables(ingest(), undefined, type).problems.map(problem => problem.message)).toEqual([
      '"US Gross" and "us_gross" both become the column us_gross',
      '"B" and "b" both become the column b',
    ])
    const named = rawTables(ingest({ naming: 'source', exclude: ['b'] }), undefined, type)
    expect(show(named.tables)).toEqual(['.: US Gross BIGINT, us_gross BIGINT, B BIGINT'])
    expect(named.problems).toEqual([])
    expect(rawTables(ingest(), undefined, object({ _svc_id: int })).problems[0]?.code).toBe('reserved-name')
  })

  it('take names and types from the contract', () => {
    const promise = contract(
      { amount: { from: 'orderID', type: 'decimal(12,2)', pii: true }, later: { type: 'int' } },
      true,
    )
    const { tables } = rawTables(ingest({ include: ['orderID'] }), promise, order)
    expect(show(tables)).toEqual(['.: amount DECIMAL(12,2), later INTEGER'])
    expect(tables[0]?.columns[0]).toMatchObject({ path: ['orderID'], pii: true })
    const whole = rawTables(
      ingest({ include: ['customer'] }),
      contract({ customer: { type: 'json' } }),
      order,
    )
    expect(show(whole.tables)).toEqual(['.: customer JSON'])
  })

  it('have the promised type, whatever the source delivers', () => {
    const { tables } = rawTables(
      ingest({ include: ['orderID'] }),
      contract({ order_id: { type: 'int' } }),
      order,
    )
    expect(show(tables)).toEqual(['.: order_id INTEGER'])
  })

  it('are incomplete where only the contract is known', () => {
    const { tables } = rawTables(ingest(), contract({ id: { type: 'bigint' } }), undefined)
    expect(show(tables)).toEqual(['.: id BIGINT'])
    expect(tables[0]?.complete).toBe(false)
  })

  it('say when the primary key is no column', () => {
    const { problems } = rawTables(ingest({ primaryKey: ['order_id', 'idd'] }), undefined, order)
    expect(problems.map(problem => [problem.message, problem.at])).toEqual([
      ['the primary key "idd" is no column of the source', ['ingest', 'primary_key', 1]],
    ])
  })

  it('keep what was loaded before', () => {
    const now = rawTables(ingest(), undefined, object({ a: int, b: { kind: 'unknown' } })).tables
    const before = rawTables(
      ingest(),
      undefined,
      object({ a: text, b: int, c: int, kids: list(object({ x: int })) }),
    )
    expect(show(keepPrevious(now, before.tables, ingest()))).toEqual([
      '.: _svc_id VARCHAR, a VARCHAR, b BIGINT, c BIGINT',
      'kids: _svc_parent_id VARCHAR, _svc_idx BIGINT, x BIGINT',
    ])
    const without = ingest({ exclude: ['c', 'kids'] })
    const less = rawTables(without, undefined, object({ a: int })).tables
    expect(show(keepPrevious(less, before.tables, without))).toEqual(['.: a VARCHAR, b BIGINT'])
    const renamed = rawTables(
      ingest(),
      contract({ z: { from: 'c' } }),
      object({ c: int, a: object({ x: int }) }),
    ).tables
    expect(show(keepPrevious(renamed, before.tables, ingest()))[0]).toBe(
      '.: _svc_id VARCHAR, z BIGINT, a__x BIGINT, b BIGINT',
    )
  })
})

describe('types', () => {
  it('widen along the ladders and meet in text', () => {
    expect(widenType('bool', 'int')).toBe('INTEGER')
    expect(widenType('INTEGER', 'BIGINT')).toBe('BIGINT')
    expect(widenType('BIGINT', 'HUGEINT')).toBe('HUGEINT')
    expect(widenType('decimal(12,2)', 'BIGINT')).toBe('DECIMAL(21,2)')
    expect(widenType('DECIMAL(12,2)', 'DECIMAL(10,4)')).toBe('DECIMAL(14,4)')
    expect(widenType('DECIMAL(12,2)', 'DOUBLE')).toBe('DOUBLE')
    expect(widenType('DOUBLE', 'text')).toBe('VARCHAR')
    expect(widenType('date', 'timestamp')).toBe('TIMESTAMP')
    expect(widenType('timestamp', 'timestamptz')).toBe('VARCHAR')
    expect(widenType('BIGINT[]', 'DOUBLE[]')).toBe('DOUBLE[]')
    expect(widenType('BIGINT[]', 'BIGINT')).toBe('JSON')
    expect(widenType(undefined, 'DATE')).toBe('DATE')
  })

  it('have one spelling', () => {
    expect(
      ['int', 'Decimal(12, 2)', 'numeric(5)', 'text', 'timestamptz', 'string[]', 'varchar(20)'].map(
        canonicalType,
      ),
    ).toEqual([
      'INTEGER',
      'DECIMAL(12,2)',
      'DECIMAL(5,0)',
      'VARCHAR',
      'TIMESTAMP WITH TIME ZONE',
      'VARCHAR[]',
      'VARCHAR',
    ])
  })
})

describe('schemas.lock.json', () => {
  const type = object({
    orderID: int,
    email: text,
    never: { kind: 'unknown' },
    lines: list(object({ sku: text })),
  })
  const { tables } = rawTables(ingest(), contract({ email: { pii: true, nullable: false } }), type)

  it('comes back as it was written', () => {
    const written = formatSchemaLock(
      new Map([
        ['orders', tables],
        ['a', []],
      ]),
    )
    const read = parseSchemaLock(written)
    expect(read.problem).toBeUndefined()
    expect(read.shapes.get('orders')).toEqual(tables)
    expect(formatSchemaLock(read.shapes)).toBe(written)
  })

  it('stays as it is when two engines write it by turns, and each reads what it wrote', () => {
    const locked = (of: language.Engine, types: readonly string[]) => {
      const columns = types.map((type, index) => ({
        ...(tables[0]?.columns[1] as RawColumn),
        name: `c${index}`,
        type,
      }))
      const shapes = new Map([['orders', [{ child: undefined, columns, complete: true }]]])
      return (before?: string) =>
        formatSchemaLock(shapes, { engine: of, engines: [engine, postgres], before })
    }
    const onFile = ['DOUBLE', 'HUGEINT', 'VARCHAR', 'STRUCT(a INTEGER)', 'TIMESTAMP_NS']
    const onServer = ['double precision', 'numeric', 'inet', 'jsonb', 'timestamp without time zone']
    const [byFile, byServer] = [locked(engine, onFile), locked(postgres, onServer)]
    const typesIn = (text: string, of: language.Engine) =>
      parseSchemaLock(text, of)
        .shapes.get('orders')?.[0]
        ?.columns.map(({ type }) => type)
    for (const first of [byServer(), byFile()]) {
      const settled = byServer(byFile(first))
      expect(settled).not.toContain('"engine"')
      expect(byFile(settled)).toBe(settled)
      expect(byServer(settled)).toBe(settled)
      expect([typesIn(settled, engine), typesIn(settled, postgres)]).toEqual([onFile, onServer])
    }
    expect(byServer(byFile(byServer()))).toBe(byServer(byFile()))
    // The source has other types now: what the other engine called the old ones counts no more.
    const other = locked(engine, ['DOUBLE', 'HUGEINT', 'INTEGER', 'STRUCT(a INTEGER)', 'TIMESTAMP_NS'])
    expect(typesIn(other(byServer(byFile())), postgres)?.[2]).toBe('integer')
  })

  it('has the types of its engine, which another engine reads as its own', () => {
    const columns = ['DOUBLE', 'DOUBLE[]', 'VARCHAR', 'STRUCT(a INTEGER)', 'DECIMAL(9,2)'].map(
      (type, index) => ({
        ...(tables[0]?.columns[1] as RawColumn),
        name: `c${index}`,
        type,
      }),
    )
    const shapes = new Map([['orders', [{ child: undefined, columns, complete: true }]]])
    const typesIn = (text: string, of: language.Engine) =>
      parseSchemaLock(text, of)
        .shapes.get('orders')?.[0]
        ?.columns.map(({ type }) => type)
    const read = parseSchemaLock(formatSchemaLock(shapes), postgres).shapes
    const written = formatSchemaLock(read, { engine: postgres })
    expect(written).toContain('"engine": "postgres"')
    expect(typesIn(written, postgres)).toEqual([
      'double precision',
      'double precision[]',
      'text',
      'jsonb',
      'numeric(9,2)',
    ])
    expect(typesIn(written, engine)).toEqual(['DOUBLE', 'DOUBLE[]', 'VARCHAR', 'JSON', 'DECIMAL(9,2)'])
  })

  it('is one line a column, sorted by asset', () => {
    expect(formatSchemaLock(new Map([['orders', tables]]))).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "sources": {
          "orders": {
            "": {
              "_svc_id": {"type":"VARCHAR","system":true,"nullable":false},
              "order_id": {"type":"BIGINT","path":["orderID"]},
              "email": {"type":"VARCHAR","pii":true,"nullable":false},
              "never": null
            },
            "lines": {
              "_svc_parent_id": {"type":"VARCHAR","system":true,"nullable":false},
              "_svc_idx": {"type":"BIGINT","path":["lines","[]"],"system":true,"nullable":false},
              "sku": {"type":"VARCHAR","path":["lines","[]","sku"]}
            }
          }
        }
      }
      "
    `)
  })

  it('has its problem by place where it cannot be read', () => {
    expect(parseSchemaLock('{\n<<<<<<< HEAD\n').problem).toMatchObject({
      code: 'invalid-lock',
      severity: 'error',
      message: 'schemas.lock.json has conflict markers of git: <<<<<<< HEAD',
      range: { start: 2, end: 14 },
    })
    expect(parseSchemaLock('{').problem?.message).toBe('schemas.lock.json is not valid JSON')
    expect(parseSchemaLock('{"version":2}').problem?.message).toContain('another version of svc')
    expect(
      parseSchemaLock('{"version":1,"sources":{"a":5,"b":{"":{"x":7}}}}').shapes.get('b')?.[0]?.columns[0],
    ).toMatchObject({ name: 'x' })
    expect(parseSchemaLock(undefined)).toEqual({ shapes: new Map(), layouts: new Map(), problem: undefined })
  })
})
