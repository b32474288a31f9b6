/** Which tests keep their last result: those that ask for nothing but the data. */
import { parseAsset } from '@svc/server/language'
import { expect, it } from 'vitest'
import { asksForTime } from '../../../cli/engine/plan/volatile-test.ts'
import { engine, reading } from '../../support/engine.ts'

function asks(test: string): boolean {
  const text = `name: a\ningest: none\ntransform: SELECT 1 AS age\ntests:\n  - ${test}\n`
  const asset = parseAsset('models/a.svc', text, reading, input => input)
  const [first] = asset.definition.tests
  if (first === undefined) throw new Error(`no test in ${text}`)
  return asksForTime(asset, first, engine)
}

it.each([
  'expression: day < current_date',
  'expression: day < CURRENT_DATE',
  'expression: day < now()',
  'expression: age (born) > INTERVAL 1 YEAR',
  'expression: random() < 2',
  'expression: uuidv7() IS NOT NULL',
  '{unique: id, where: day < today()}',
  'sql: SELECT * FROM {{ this }} WHERE day > transaction_timestamp()',
  'fresh: {column: day, within: 1d}',
  'sql: SELECT * FROM {{ this }} USING SAMPLE 10% WHERE id IS NULL',
  'sql: SELECT * FROM {{ this }} TABLESAMPLE (5 ROWS) WHERE id IS NULL',
])('%s asks for the time, or for chance', test => {
  expect(asks(test)).toBe(true)
})

it.each([
  'expression: age > 18',
  "expression: name <> 'now()'",
  'expression: now > 1 -- now()',
  'expression: x > "current_date"',
  'unique: id',
])('%s does not', test => {
  expect(asks(test)).toBe(false)
})
