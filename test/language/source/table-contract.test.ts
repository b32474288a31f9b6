/** How a contract names child tables, of which a source may have thousands. */
import { expect, it } from 'vitest'
import { promisedOf, tableKey } from '../../../server/language/source/table-contract.ts'

const table = { columns: {}, requiredColumns: [] }
const contractOf = (names: readonly string[]) => ({
  columns: {},
  tables: Object.fromEntries(names.map(name => [name, table])),
})

it('a child table is found as the warehouse has it, and by the first spelling that becomes it', () => {
  const contract = contractOf(['Order.Lines', 'orderLines', 'order_lines', 'Notes'])
  const keyOf = (child: string) => tableKey(contract, child)
  expect(keyOf('order_lines')).toBe('order_lines')
  expect(keyOf('order__lines')).toBe('Order.Lines')
  expect(keyOf('notes')).toBe('Notes')
  expect(keyOf('others')).toBe(undefined)
  expect(tableKey(contractOf(['orderLines', 'OrderLines']), 'order_lines')).toBe('orderLines')
})

it('of thousands each is found as of a few', () => {
  const contract = contractOf(Array.from({ length: 5000 }, (_, index) => `Table ${index}`))
  const start = performance.now()
  for (let index = 0; index < 20_000; index += 1)
    expect(promisedOf(contract, `other_${index}`).columns).toEqual({})
  expect(performance.now() - start).toBeLessThan(10_000)
})
