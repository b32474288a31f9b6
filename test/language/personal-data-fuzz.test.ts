/** The generator behind scripts/fuzz-personal.mjs: what it makes, what it finds, a small run of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { times } from '../support/long.ts'
import { leaksIn } from '../support/personal/find-leaks.ts'
import { marksIn } from '../support/personal/find-marks.ts'
import { type Finding, fuzzPersonal } from '../support/personal/fuzz.ts'
import { type MarkedWarehouse, openMarkedWarehouse } from '../support/personal/marked-warehouse.ts'
import { randomChoices, replayed } from '../support/personal/random/choices.ts'
import { randomQuery } from '../support/personal/random/queries.ts'

let warehouses: readonly [MarkedWarehouse, MarkedWarehouse]
beforeAll(async () => {
  warehouses = [await openMarkedWarehouse(1), await openMarkedWarehouse(2)]
})
afterAll(() => {
  for (const warehouse of warehouses) warehouse.close()
})

test('the same seed makes the same query, what was drawn makes it again', () => {
  for (let seed = 0; seed < 200; seed++) {
    const choices = randomChoices(seed)
    const query = randomQuery(choices)
    expect(randomQuery(randomChoices(seed))).toEqual(query)
    expect(randomQuery(replayed(choices.drawn))).toEqual(query)
  }
  const different = new Set(Array.from({ length: 200 }, (_, seed) => randomQuery(randomChoices(seed)).sql))
  expect(different.size).toBeGreaterThan(190)
})

test.each([
  ['SELECT email FROM @c', ['c.email']],
  ['SELECT reverse(upper(email)) FROM @c', ['c.email']],
  ['SELECT substr(name, 2, 7) FROM @c', ['c.name']],
  ["SELECT {'a': [phone], 'b': 1} FROM @c", ['c.phone']],
  ['SELECT to_json(c) FROM @c c WHERE id = 1', ['c.birth', 'c.email', 'c.profile', 'c.salary']],
  ['SELECT count(*), 1, md5(email) FROM @c GROUP BY email', []],
])('marked values show in %s', async (sql, expected) => {
  const [warehouse] = warehouses
  const outcome = await warehouse.run(sql)
  const shown = new Set(outcome?.values.flat().flatMap(value => [...marksIn(value, warehouse.marks)]))
  expect([...shown]).toEqual(expect.arrayContaining(expected))
  if (expected.length < 2) expect(shown.size).toBe(expected.length)
})

const origin = (column: string) => ({ asset: 'c', column })

test.each([
  ['SELECT email AS x FROM @c', [], ['shown', 'changed']],
  ['SELECT email AS x FROM @c', [origin('email')], []],
  ['SELECT md5(email) AS x FROM @c', [], ['changed']],
  ['SELECT md5(email) AS x FROM @c', [origin('phone')], ['changed']],
  ['SELECT md5(email) AS x FROM @c', [origin('email')], []],
  ['SELECT salary % 7 AS x FROM @c', [], ['changed']],
  ["SELECT email LIKE 'b%' AS x FROM @c", [], []],
  ['SELECT list(md5(email)) AS x FROM @c', [], ['changed']],
  ['SELECT list(id ORDER BY md5(phone), id) AS x FROM @c', [origin('id')], ['changed']],
  ['SELECT list(id) AS x FROM (SELECT id, rank() OVER (PARTITION BY email) FROM @c)', [origin('id')], []],
])('what lineage loses of %s is found', async (sql, from, kinds) => {
  const analysis = {
    name: 'query',
    columns: [{ name: 'x', type: undefined }],
    complete: true,
    lineage: [{ column: 'x', from, kind: 'derived' as const }],
    uses: [],
    rowUses: [],
    diagnostics: [],
    volatile: false,
  }
  const outcome = await warehouses[0].run(sql)
  if (outcome === undefined) throw new Error(`DuckDB refuses: ${sql}`)
  const leaks = await leaksIn({ sql, areRowsSteady: true, isPure: true }, analysis, outcome, warehouses)
  expect(leaks.map(({ kind }) => kind)).toEqual(kinds)
})

test('a run judges most of what it makes and ends in no crash', { timeout: 300_000 }, async () => {
  const findings: Finding[] = []
  const made = times(100, 400)
  const task = { seed: 7, from: 0, to: made, shown: 0, batchSize: 100 }
  const counts = await fuzzPersonal(
    task,
    finding => findings.push(finding),
    () => {},
  )
  expect(findings.filter(({ kind }) => kind === 'crash')).toEqual([])
  expect(counts.generated).toBe(made)
  expect(counts.run).toBeGreaterThan(made * 0.8)
  expect(counts.bound).toBeGreaterThan(made * 0.8)
  expect(counts.watched).toBeGreaterThan(made * 0.3)
})

test('no mark is lost in queries at random', { timeout: 600_000 }, async () => {
  const findings: Finding[] = []
  const task = { seed: 8, from: 0, to: times(100, 2000), shown: 10, batchSize: 100 }
  const counts = await fuzzPersonal(
    task,
    finding => findings.push(finding),
    () => {},
  )
  expect(findings.map(({ sql, what }) => `${sql}: ${what}`)).toEqual([])
  expect(counts.leaks).toBe(0)
})
