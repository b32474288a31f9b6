/** What the manifest holds of an asset's file. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { blocksOf } from '../../../cli/engine/artifacts/blocks.ts'
import { parseAsset } from '../../../server/language/index.ts'
import { reading } from '../../support/engine.ts'

it('the values of rows in a file stay there, with the names of their columns known', () => {
  const text = `name: people
ingest:
  type: rows
  rows:
    - {id: 1, email: ada@example.org, address: {city: London}, since: null}
    - {id: 2, email: grace@example.org}
columns: {email: {pii: true}}
transform: SELECT * FROM {{ source }}
`
  const asset = parseAsset('models/people.svc', text, reading, input =>
    createHash('sha256').update(input).digest('hex'),
  )
  const blocks = blocksOf(asset)
  expect(JSON.stringify(blocks)).not.toMatch(/ada|grace|London/)
  expect(blocks['ingest']).toEqual({
    type: 'rows',
    rows: [
      { id: '***', email: '***', address: { city: '***' }, since: null },
      { id: '***', email: '***' },
    ],
  })
  expect(blocks['columns']).toEqual({ email: { pii: true } })
})
