/** Conditions, which no catalogue binds: their reads and calls beside the columns are found here. */
import { outsideOfCondition } from '@svc/server/language'
import { expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { engine } from '../../support/engine.ts'

it.each([
  ["id IN (SELECT id FROM 'secrets.csv')", "'secrets.csv'", 'files'],
  ['id IN (FROM "secrets.parquet")', '"secrets.parquet"', 'relations'],
  ['id IN (SELECT id FROM other.customers)', 'other.customers', 'relations'],
  ['EXISTS (SELECT 1 FROM customers WHERE customers.id = 1)', 'customers', 'relations'],
  ["id > 0) OR EXISTS (SELECT 1 FROM customers WHERE email LIKE 'a%'", 'customers', 'relations'],
])('%s reads what no tag names', (condition, name, effect) => {
  expect(outsideOfCondition(condition, engine)).toMatchObject([{ kind: 'table', name, effect }])
})

it.each([
  "id > 0 AND name LIKE 'a%'",
  'id IN (WITH few AS (SELECT 1 AS id) SELECT id FROM few)',
  'EXISTS (SELECT 1 FROM unnest(tags) AS t(tag) WHERE tag = name)',
  'id IN (VALUES (1), (2))',
])('%s reads columns alone', condition => {
  for (const each of [engine, postgres]) expect(outsideOfCondition(condition, each)).toEqual([])
})

it('thousands of calls and operators are told apart as few are', () => {
  const many = (text: string) => Array.from({ length: 10_000 }, () => text).join(' AND ')
  const start = performance.now()
  expect(outsideOfCondition(many("nextval('ids') > 1"), engine)).toHaveLength(10_000)
  expect(outsideOfCondition(many("name GLOB ('a')"), engine)).toEqual([])
  expect(performance.now() - start).toBeLessThan(10_000)
})
