import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lab, openLab } from '../support/sql-lab.ts'
import { brokenQueries } from './broken-queries.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

async function errorsOf(sql: string): Promise<string[]> {
  const { diagnostics } = await lab.analyze(sql)
  const text = lab.project().byName.get('case')?.text ?? ''
  return diagnostics
    .filter(each => each.severity === 'error')
    .map(({ code, range, suggestions }) => {
      const place = text.slice(range.start, range.end).replace(/\s+/g, ' ')
      return `${code} ${place}${suggestions?.[0] === undefined ? '' : ` -> ${suggestions[0]}`}`
    })
}

test.each(brokenQueries)('shows what is wrong with %s', async (sql, expected) => {
  expect(await errorsOf(sql)).toEqual(expected)
})

test('nine mistakes in CTEs, joins and calls are nine errors, each on its place', async () => {
  const sql = `with k as (
  select f.dely, sum(f.origin) as s, foo(f.delay) as o, f.date + f.origin as t, c.gg
  from @flights f join @carriers c on f.origin = c.origin
  where f.nope > 1 and upper(f.origin, 2) = 'x'
  group by all
)
select k.s, k.zz, cast(k.dely as integer) + 1 as n, barr(k.o)
from k`
  expect(await errorsOf(sql)).toEqual([
    'sql-unknown-column dely -> delay',
    'sql-no-matching-function sum',
    'sql-unknown-function foo',
    'sql-type +',
    'sql-unknown-column gg',
    'sql-unknown-column nope',
    'sql-wrong-arity upper',
    'sql-unknown-column zz',
    'sql-unknown-function barr -> bar',
  ])
})

test('two mistakes of one kind and a repaired name raise no errors that are not there', async () => {
  expect(await errorsOf('with k as (select dely from @flights) select k.delay + 1 as x from k')).toEqual([
    'sql-unknown-column dely -> delay',
  ])
  expect(await errorsOf('select orgin, count(*) from @flights group by orgin')).toEqual([
    'sql-unknown-column orgin -> origin',
    'sql-unknown-column orgin -> origin',
  ])
})

test('messages say what and what to do', async () => {
  const { diagnostics } = await lab.analyze('select dely, sum(origin), upper(origin, 2) from @flights')
  expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
    [
      'unknown column "dely"',
      'did you mean "delay"? flights has: date, delay, distance, origin, destination, tags, detail, cancelled',
    ],
    ['sum() takes numbers, "origin" is VARCHAR', 'Cast the argument to a type that it takes.'],
    ['upper() takes 1 argument, not 2', 'It takes upper(VARCHAR).'],
  ])
})

test.each([
  [
    'select delay from @flights wher delay > 1 and dely = 2',
    ['sql-syntax wher -> WHERE', 'sql-unknown-column dely -> delay'],
  ],
  ['selct dely from @flights', ['sql-syntax selct -> SELECT', 'sql-unknown-column dely -> delay']],
  [
    'select dely form @flights where nope = 1',
    ['sql-unknown-column dely -> delay', 'sql-syntax form -> FROM', 'sql-unknown-column nope'],
  ],
  [
    'select origin destination dely from @flights where zork > 1',
    ['sql-syntax dely', 'sql-unknown-column dely -> delay', 'sql-unknown-column zork'],
  ],
  ['select max(dely from @flights', ['sql-unknown-column dely -> delay', 'sql-syntax from']],
  ['select delay from @flights x y', ['sql-syntax y', 'sql-unknown-table y']],
  [
    'select delay from @flights where a = 1 b = 2',
    ['sql-unknown-column a', 'sql-syntax b', 'sql-unknown-column b'],
  ],
] as const)('goes on behind a slip of the pen in %s', async (sql, expected) => {
  expect(await errorsOf(sql)).toEqual(expected)
})
