/** The columns of `svc_catalog.json` say what they stand for in the glossary, also where a column only passes it on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

interface Catalog {
  readonly assets: readonly {
    readonly name: string
    readonly columns: readonly { readonly name: string; readonly term?: unknown }[]
  }[]
}

const glossary = `terms:
  - {name: Order day, description: The day on which an order was placed.}
links:
  - {term: Order day, asset: orders, column: day}
`

it('terms of columns, inherited ones with where they come from', async () => {
  const ground = createGround({
    ...shop,
    'glossary.yaml': glossary,
    'models/days.svc':
      "name: days\ningest: none\ntransform: SELECT day, amount * 2 AS twice FROM {{ ref('orders') }}\n",
  })
  try {
    const said = await ground.line(['run'])
    expect(said.code, said.stderr).toBe(0)
    const catalog = JSON.parse(readFileSync(join(ground.root, 'svc_catalog.json'), 'utf8')) as Catalog
    const termsOf = (name: string) =>
      catalog.assets
        .find(asset => asset.name === name)
        ?.columns.flatMap(column => (column.term === undefined ? [] : [[column.name, column.term]]))
    const term = { name: 'Order day', description: 'The day on which an order was placed.' }
    expect(termsOf('orders')).toEqual([['day', { ...term, from: null }]])
    expect(termsOf('days')).toEqual([['day', { ...term, from: 'orders' }]])
    const validate = new Ajv2020({ strict: false }).compile(outputSchemas['catalog'] ?? false)
    expect(validate(catalog), JSON.stringify(validate.errors)).toBe(true)
  } finally {
    ground.dispose()
  }
})
