import { expect, test } from 'vitest'
import { isOneSlip } from '../../../server/language/text/one-slip.ts'

test.each([
  ['amuont', 'amount'],
  ['amout', 'amount'],
  ['amountt', 'amount'],
  ['amoznt', 'amount'],
  ['Amount', 'amount'],
  ["{{ ref('ordrs') }}", "{{ ref('orders') }}"],
  ['"naem"', '"name"'],
  ['SELCT', 'SELECT'],
])('%s is one slip of %s', (written, meant) => {
  expect(isOneSlip(written, meant)).toBe(true)
})

test.each([
  ['COUNTIF', 'count'],
  ['SAFE_DIVIDE', 'divide'],
  ['GETDATE', 'date'],
  ['DATEDIFF', 'date'],
  ['IFF', 'if'],
  ['VAR', 'bar'],
  ['amount_2023', 'amount_2024'],
  ['q1', 'q2'],
  ['log2', 'log'],
  ['amount_12', 'amount_21'],
  ['', ','],
  [')', ''],
  ['= NULL', 'IS NULL'],
  ['orderid', 'order.id'],
  ['amuont oredr', 'amount order'],
  ['same', 'same;'],
  ['same', ''],
])('%s is another word than %s, or none', (written, meant) => {
  expect(isOneSlip(written, meant)).toBe(false)
})
