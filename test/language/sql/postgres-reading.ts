/** What PostgreSQL accepts is never a problem, and its columns have the names that PostgreSQL gives them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { bindQueryText } from '../../../server/language/sql/binder/bind.ts'
import type { Column, TaggedRelation } from '../../../server/language/sql/binder/model.ts'
import type { SqlWorld } from '../../../server/language/sql/binder/world.ts'
import { readSql } from '../../../server/language/sql/reader/read-sql.ts'
import type { PostgresHere } from '../../support/pglite.ts'
import { seededRandom } from '../../support/random.ts'
import { misplaced, overlapping } from './misplaced.ts'
import { postgresQueries, postgresTables, postgresTypesOfTables } from './postgres-queries.ts'

const columns = new Map<string, readonly { readonly name: string; readonly type: string }[]>()

async function makeTables(server: PostgresHere): Promise<void> {
  await server.run(postgresTypesOfTables)
  for (const [name, definition] of Object.entries(postgresTables)) {
    await server.run(`CREATE TABLE ${name} (${definition})`)
    const described = await server.describe(`SELECT * FROM ${name}`)
    if (typeof described === 'string') throw new Error(described)
    columns.set(name, described)
  }
}

const world: SqlWorld = {
  table: tag => relationOf(/ref\('(\w+)'\)/.exec(tag)?.[1] ?? ''),
  returnType: () => undefined,
}

function relationOf(name: string): TaggedRelation {
  const own = (columns.get(name) ?? []).map((column, index): Column => {
    const origin = { asset: name, column: column.name }
    const type = postgres.types.parse(column.type)
    return {
      id: `${name}.${index}`,
      name: column.name,
      maker: { kind: 'input', origin: origin as never },
      value: { ...plain, origins: [origin as never], direct: true, type },
    }
  })
  return { kind: 'asset', name, asset: name, label: name, columns: own, open: undefined }
}

const plain = {
  hints: [],
  unknown: false,
  few: false,
  type: undefined,
  fields: undefined,
  element: undefined,
  home: undefined,
} as unknown as Column['value']

const withRefs = (sql: string) =>
  sql.replace(/(?<=from |join |, |\(|table |only )@([a-z]+)/g, "{{ ref('$1') }}")
const plainSql = (sql: string) => sql.replace(/(?<=from |join |, |\(|table |only )@([a-z]+)/g, '$1')

function bound(sql: string) {
  const reading = readSql(withRefs(sql), postgres.grammar)
  return { reading, ...bindQueryText(reading, world, postgres.binding) }
}

/** One server for all that is asked of it: it takes long to start. */
export function readsWhatPostgresReads(server: PostgresHere): void {
  beforeAll(() => makeTables(server))

  describe('a query that PostgreSQL accepts', () => {
    it('is one of many different ones', () => {
      expect(new Set(postgresQueries).size).toBe(postgresQueries.length)
      expect(postgresQueries.length).toBeGreaterThanOrEqual(150)
    })

    it.each(postgresQueries)('has no problem, and the columns of PostgreSQL: %s', async sql => {
      const described = await server.describe(plainSql(sql))
      expect(described).toBeInstanceOf(Array)
      const { reading, problems, output } = bound(sql)
      expect(reading.problems).toEqual([])
      expect(problems).toEqual([])
      expect(misplaced(reading)).toEqual([])
      expect(overlapping(reading)).toEqual([])
      const names = Array.isArray(described) ? described.map(each => each.name) : []
      // Behind the columns that are named there may be more of a function whose columns only the engine knows.
      const known = output.columns.filter(column => !column.spread).map(({ name }) => name)
      expect(known).toEqual(names.slice(0, known.length))
      if (known.length < names.length) expect(output.columns.some(({ spread }) => spread)).toBe(true)
    })
  })

  describe('what is broken', () => {
    it('is read and bound too, wherever it is cut and whatever follows', () => {
      const random = seededRandom(18)
      for (let round = 0; round < 1500; round++) {
        const [a, b] = [random.pick(postgresQueries), random.pick(postgresQueries)]
        const sql = a.slice(0, random.below(a.length + 1)) + b.slice(random.below(b.length + 1))
        const { reading, mentions } = bound(sql)
        expect(reading.statements.length).toBeGreaterThan(0)
        expect(mentions.every(({ span }) => span.end <= reading.text.length)).toBe(true)
      }
    })
  })

  describe('the values of a column come from', () => {
    it.each([
      [
        "select detail ->> 'a' as a, detail['b'] as b, tags[1] as c from @orders",
        ['orders.detail', 'orders.detail', 'orders.tags'],
      ],
      [
        'select (home).street as a, (c.home).zip as b from @customers c',
        ['customers.home', 'customers.home'],
      ],
      [
        'select x.tag, x.n from @orders o, unnest(o.tags) with ordinality as x (tag, n)',
        ['orders.tags', 'orders.tags'],
      ],
      ['select e.key, e.value from @orders o, jsonb_each(o.detail) e', ['orders.detail', 'orders.detail']],
      ['select item from @orders o, jsonb_array_elements(o.detail) item', ['orders.detail']],
      [
        "select jt.a from @orders, json_table(detail, '$[*]' columns (a int path '$.a')) jt",
        ['orders.detail'],
      ],
      [
        "select json_object('e': email returning jsonb) as a, json_value(to_json(name), '$' default email on error) as b from @customers",
        ['customers.email', 'customers.email customers.name'],
      ],
      [
        'select l.amount from @customers c left join lateral (select amount from @orders o where o.customer_id = c.id) l on true',
        ['orders.amount'],
      ],
      [
        'select count(*) as a, count(email) as b, max(email) filter (where name is not null) as c, born > now() as d from @customers group by born',
        ['', '', 'customers.email', ''],
      ],
      [
        'with recursive t as (select id, parent_id from @customers union all select c.id, c.parent_id from @customers c join t on t.id = c.parent_id) search depth first by id set o select o from t',
        ['customers.id customers.parent_id'],
      ],
      [
        'select to_jsonb(c) as a, c as b from (select email, name from @customers) c',
        ['customers.email customers.name', 'customers.email customers.name'],
      ],
      [
        "select string_agg(email, ',' order by name) as a, array(select email from @customers) as b from @customers",
        ['customers.email', 'customers.email'],
      ],
      [
        'select (regexp_match(email, name))[1] as a, email collate "C" as b, (email, born) as c from @customers',
        ['customers.email customers.name', 'customers.email', 'customers.born customers.email'],
      ],
    ] as const)('%s', (sql, expected) => {
      const { output, problems } = bound(sql)
      expect(problems).toEqual([])
      const origins = output.columns.map(({ value }) =>
        value.origins.map(each => `${each.asset}.${each.column}`),
      )
      expect(origins.map(each => each.sort().join(' '))).toEqual(expected)
    })
  })

  describe('what only DuckDB has', () => {
    it.each([
      'select a: id from @orders',
      'select * from @orders group by all',
      'select id, from @orders',
      'select * exclude (id) from @orders',
      'select #1 from @orders',
      'from @orders',
    ])('is a mistake: %s', async sql => {
      expect(await server.describe(plainSql(sql))).toMatch(/^42(601|883)/)
      expect(bound(sql).reading.problems.length).toBeGreaterThan(0)
    })

    it.each([
      ['select id from @orders qualify', 'orders.id'],
      ['select pivot.id from @orders pivot', 'orders.id'],
      ['select columns.id from @orders columns', 'orders.id'],
      ['select show.id from @orders show where (show) is not null', 'orders.id'],
    ])('is a name: %s', async (sql, origin) => {
      expect(await server.describe(plainSql(sql))).toBeInstanceOf(Array)
      const { reading, problems, output } = bound(sql)
      expect([reading.problems, problems]).toEqual([[], []])
      expect(
        output.columns.map(({ value }) => value.origins.map(each => `${each.asset}.${each.column}`)),
      ).toEqual([[origin]])
    })
  })
}
