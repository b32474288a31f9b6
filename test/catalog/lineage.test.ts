import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBinder } from '../../server/catalog/binder.ts'
import { duckdbBinding } from '../../server/language/engines/duckdb/binding.ts'
import { duckdbFunctions } from '../../server/language/engines/duckdb/functions.ts'
import { duckdbGrammar } from '../../server/language/engines/duckdb/grammar.ts'
import { bindQueryText } from '../../server/language/sql/binder/bind.ts'
import { inputColumn } from '../../server/language/sql/binder/input-column.ts'
import { readSql } from '../../server/language/sql/reader/read-sql.ts'
import { engine } from '../support/engine.ts'
import { type Lab, openLab } from '../support/sql-lab.ts'
import { lineageCases } from './lineage-cases.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

test.each(lineageCases)('knows where the columns come from in %s', async (sql, expected) => {
  const { lineage, columns } = await lab.analyze(sql)
  expect(lineage.map(({ column }) => column)).toEqual(columns.map(({ name }) => name))
  const found = lineage.map(({ column, kind, from }) => {
    const origins = from.map(each => `${each.asset}.${each.column}`).join(' ')
    return `${column} ${kind === 'direct' ? '=' : '<-'} ${origins}`.trim()
  })
  expect(found).toEqual(expected)
})

test('mentions of columns are found at their places, in every clause', async () => {
  const sql =
    'select f.delay, upper(origin) as o from @flights f where delay > 1 and f."date" is not null order by origin'
  const { uses } = await lab.analyze(sql)
  const text = lab.project().byName.get('case')?.text ?? ''
  const found = uses.map(
    ({ range, origin }) => `${text.slice(range.start, range.end)}=${origin.asset}.${origin.column}`,
  )
  expect(found).toEqual([
    'delay=flights.delay',
    'origin=flights.origin',
    'delay=flights.delay',
    '"date"=flights.date',
    'origin=flights.origin',
  ])
})

test('a mention through a CTE counts while the name is the same', async () => {
  const { uses } = await lab.analyze(
    'with k as (select delay, origin as o from @flights) select k.delay, k.o from k',
  )
  expect(uses.map(({ origin }) => origin.column)).toEqual(['delay', 'origin', 'delay'])
})

test.each(['now()', 'current_date', 'random()', 'uuid()', 'current_timestamp', 'today()', 'age(date)'])(
  'a result that rests on %s is never reused',
  async call => {
    expect((await lab.analyze(`select ${call} as x from @flights`)).volatile).toBe(true)
    const filtered = `with k as (select 1 as y from @flights where ${call} is not null) select y from k`
    expect((await lab.analyze(filtered)).volatile).toBe(true)
  },
)

test.each([
  '@flights using sample 10%',
  '@flights tablesample reservoir(5 rows)',
  '(select * from @flights tablesample 10%) as part',
])('a result of %s is never reused', async table => {
  expect((await lab.analyze(`select count(*) as n from ${table}`)).volatile).toBe(true)
})

test.each([
  '@flights using sample 5 rows (bernoulli, 3)',
  '@flights tablesample reservoir(5 rows) repeatable (3)',
])('a result of %s is reused, since it has a seed', async table => {
  expect((await lab.analyze(`select count(*) as n from ${table}`)).volatile).toBe(false)
})

test('plain SQL is not volatile', async () => {
  expect((await lab.analyze('select upper(origin), age(date, date), date from @flights')).volatile).toBe(
    false,
  )
})

test("every function that DuckDB calls unstable is on the list, and no stable one's result is held back", async () => {
  const binder = await openBinder(engine)
  const rows = await binder.rows(
    "SELECT DISTINCT function_name, stability FROM duckdb_functions() WHERE function_type IN ('scalar', 'macro')",
  )
  binder.close()
  const unstable = rows
    .filter(row => row[1] === 'VOLATILE' || row[1] === 'CONSISTENT_WITHIN_QUERY')
    .map(row => String(row[0]))
  expect(unstable.length).toBeGreaterThan(10)
  expect(unstable.filter(name => !duckdbFunctions.isVolatile(name) && !harmless.has(name))).toEqual([])
  expect(duckdbFunctions.valueWords.size).toBeGreaterThan(5)
})

/** Unstable by DuckDB's word, but the same for the same data and configuration. */
const harmless = new Set(['error', 'stats'])

test('thousands of columns are told apart as few are', async () => {
  const many = 3000
  const list = (item: (index: number) => string) =>
    Array.from({ length: many }, (_, index) => item(index)).join(', ')
  const same = await lab.analyze(`select ${list(() => 'delay as x')}, 1 as x_2 from @flights`)
  const names = same.columns.map(({ name }) => name)
  expect([names[0], names[1], names[2], names.at(-2), names.at(-1)]).toEqual([
    'x',
    'x_1',
    'x_3',
    'x_3000',
    'x_2',
  ])
  expect(new Set(names).size).toBe(many + 1)
  expect(same.diagnostics).toHaveLength(many - 1)
  expect(new Set(same.diagnostics.map(({ range }) => range.start)).size).toBe(many - 1)

  const inner = (name: string) =>
    `(select ${list(index => `delay + ${index} as ${name}${index}`)} from @flights)`
  const byName = await lab.analyze(
    `select * from ${inner('a')} union all by name select * exclude (b0) from ${inner('b')}`,
  )
  expect(byName.lineage).toHaveLength(2 * many - 1)
  expect(byName.lineage.at(-1)).toMatchObject({
    column: `b${many - 1}`,
    from: [{ asset: 'flights', column: 'delay' }],
  })
})

test('an alias that rests on five thousand others ends nothing', async () => {
  const chain = Array.from({ length: 5000 }, (_, index) =>
    index === 0 ? 'delay as c0' : `c${index - 1} as c${index}`,
  )
  const text = `select ${chain.join(', ')} from {{ ref('flights') }} where c4999 > 0`
  const columns = [inputColumn({ asset: 'flights', column: 'delay' }, 'INTEGER', false, duckdbBinding)]
  const flights = {
    kind: 'asset',
    name: 'flights',
    asset: 'flights',
    label: 'flights',
    columns,
    open: undefined,
  } as const
  const world = { table: () => flights, returnType: () => undefined }
  const { output } = bindQueryText(readSql(text, duckdbGrammar), world, duckdbBinding)
  expect(output.columns).toHaveLength(5000)
  expect(output.columns[900]?.value.origins).toEqual([{ asset: 'flights', column: 'delay' }])
})
