import { expect, it } from 'vitest'
import type { PackColumn } from '../../../hosted-api/metadata/pack/pack.ts'
import { columnsOf, columnsText } from '../../../hosted-api/storage/column-text.ts'

const values = {
  type: ['integer', null],
  nullable: [undefined, true, false],
  description: [undefined, null, '', 'Where we write to, [0] "or" not'],
  pii: [undefined, true, false],
  masked: [undefined, true],
}

function* everyColumn(): Generator<PackColumn> {
  for (const type of values.type)
    for (const nullable of values.nullable)
      for (const description of values.description)
        for (const pii of values.pii)
          for (const masked of values.masked) {
            const members = { name: 'id', type, nullable, description, pii, masked }
            // A member that is absent differs from one that is null.
            yield JSON.parse(JSON.stringify(members))
          }
}

it('columns come back with the members that they had, in their order', () => {
  const columns = [...everyColumn()]
  expect(columns).toHaveLength(144)
  expect(JSON.stringify(columnsOf(columnsText(columns)))).toBe(JSON.stringify(columns))
})

it('a column with few members is a short list', () => {
  const columns = [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'email', type: null, description: 'Where we write to', pii: true },
  ]
  expect(columnsText(columns)).toBe('[["id","integer",false],["email",null,0,"Where we write to",true]]')
})
