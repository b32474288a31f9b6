/** `svc glossary …` as a user runs it: files that keep their comments, refusals, documents for programs. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

let project: ProjectHere | undefined
afterEach(() => project?.dispose())

const orders = 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 2 AS customer_id\n'

function shop(glossary?: string): ProjectHere {
  project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/marts/orders.svc': orders,
    ...(glossary !== undefined && { 'glossary.yaml': glossary }),
  })
  return project
}

function written(of: ProjectHere): string {
  return readFileSync(join(of.root, 'glossary.yaml'), 'utf8')
}

function expectSchema(name: string, value: unknown): void {
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validate(outputSchemas[name] ?? false, value), ajv.errorsText()).toBe(true)
}

describe('svc glossary', () => {
  it('begins a glossary, links, lists and exports it', async () => {
    const { svc, json, root } = shop()
    const added = await json([
      'glossary',
      'add-term',
      'Active customer',
      '--description',
      'Bought, or will.',
      '--json',
    ])
    expect(added.code).toBe(0)
    expectSchema('glossary-add-term', added.value)
    expect(added.value).toMatchObject({ success: true, term: { id: 'term.active_customer' } })
    const linked = await json(
      [
        'glossary',
        'link-term',
        'active CUSTOMER',
        '--asset',
        'orders.svc',
        '--column',
        'CUSTOMER_ID',
        '--role',
        'foreign_key',
        '--json',
      ],
      { cwd: 'models/marts' },
    )
    expect(linked).toMatchObject({ code: 0, value: { created: true, link: { column: 'customer_id' } } })
    expectSchema('glossary-link-term', linked.value)
    expect(written({ root } as ProjectHere)).toBe(`terms:
  - name: Active customer
    id: term.active_customer
    description: "Bought, or will."
links:
  - {term: term.active_customer, asset: orders, column: customer_id, role: foreign_key}
`)
    expect((await svc(['validate'])).code).toBe(0)
    const list = await json(['glossary', 'list', '--json'])
    expectSchema('glossary-list', list.value)
    expect(list.value).toMatchObject({ terms: { count: 1, more: false }, links: 1 })
    const exported = await json(['glossary', 'export'])
    expectSchema('glossary-export', exported.value)
    expect(exported.value).toMatchObject({
      project: { id: 1, name: 'shop' },
      terms: [
        { id: 1, identifier: 'term.active_customer', links: [{ asset: 'orders', role: 'foreign_key' }] },
      ],
    })
    const cache: unknown = JSON.parse(readFileSync(join(root, '.svc', 'glossary.json'), 'utf8'))
    expect(cache).toEqual(exported.value)
    expect((await svc(['glossary', 'export', '--path', 'out/g.json'])).stdout).toBe('Wrote out/g.json\n')
    expect(JSON.parse(readFileSync(join(root, 'out', 'g.json'), 'utf8'))).toEqual(cache)
  })

  it('exports the links that assets have in their own files', async () => {
    const of = shop('terms: [{name: Order, synonyms: [purchase]}]\nlinks: [{term: Order, asset: orders}]\n')
    writeFileSync(
      join(of.root, 'models', 'own.svc'),
      'name: own\ningest: none\ntransform: SELECT 1 AS id, 2 AS n\ncolumns: {id: {term: purchase, role: primary_key}}\n',
    )
    const { value } = await of.json(['glossary', 'export'])
    expectSchema('glossary-export', value)
    expect(value).toMatchObject({
      terms: [
        {
          links: [
            { asset: 'orders', column: null, role: null },
            { asset: 'own', column: 'id', role: 'primary_key' },
          ],
        },
      ],
    })
  })

  it('leaves everything else in the file as it is', async () => {
    const of = shop('# words\nterms: [{name: Order}] # few\n\n# rules\npolicies:\n    - name: P # p\n')
    await of.svc(['glossary', 'add-term', 'Buyer, new'])
    await of.svc(['glossary', 'link-term', 'Order', '--asset', 'orders'])
    expect(written(of)).toBe(
      '# words\nterms: [{name: Order}, {name: "Buyer, new", id: term.buyer_new}] # few\n\n# rules\npolicies:\n    - name: P # p\nlinks:\n  - {term: term.order, asset: orders}\n',
    )
  })

  it('gives a link another role, and makes none twice', async () => {
    const of = shop('terms: [{name: Order}]\nlinks: [{term: Order, asset: orders}]\n')
    const same = await of.json(['glossary', 'link-term', 'Order', '--asset', 'orders', '--json'])
    expect(same).toMatchObject({ code: 0, value: { created: false } })
    const changed = await of.svc([
      'glossary',
      'link-term',
      'Order',
      '--asset',
      'orders',
      '--role',
      'attribute',
    ])
    expect(changed.stdout).toBe(
      'Changed the link from Order to orders as attribute (before: without a role)\n',
    )
    const again = await of.json(['glossary', 'link-term', 'Order', '--asset', 'orders', '--json'])
    expect(again.value).toMatchObject({ created: false, changed: false, link: { role: 'attribute' } })
    expect(written(of)).toContain('links: [{term: Order, asset: orders, role: attribute}]')
  })

  const refusals: readonly (readonly [string, readonly string[], number, string])[] = [
    ['a name that is taken', ['add-term', 'order'], 1, 'there is a term "Order" (term.order) already'],
    ['a synonym that is taken', ['add-term', 'Purchase'], 1, 'there is a term "Order"'],
    [
      'an identifier that is taken',
      ['add-term', 'X', '--id', 'term.order'],
      1,
      'the identifier "term.order"',
    ],
    ['a term that is not there', ['link-term', 'Ordr', '--asset', 'orders'], 2, 'did you mean "Order"?'],
    ['an asset that is not there', ['link-term', 'Order', '--asset', 'order'], 2, 'did you mean "orders"?'],
    ['a file that is no asset', ['link-term', 'Order', '--asset', 'x.svc'], 2, 'no asset is called'],
    [
      'a column that is not there',
      ['link-term', 'Order', '--asset', 'orders', '--column', 'idd'],
      2,
      'did you mean "id"?',
    ],
    ['no asset', ['link-term', 'Order'], 2, 'needs --asset'],
    [
      'a role that is none',
      ['link-term', 'Order', '--asset', 'orders', '--role', 'key'],
      2,
      '--role cannot be "key"',
    ],
    ['a word too few', ['add-term'], 2, 'needs <name>'],
  ]
  it.each(refusals)('refuses %s', async (_, words, code, message) => {
    const text = 'terms: [{name: Order, synonyms: purchase}]\n'
    const of = shop(text)
    const result = await of.svc(['glossary', ...words])
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(message)
    expect(written(of)).toBe(text)
  })

  it('writes nothing into a file with mistakes', async () => {
    const text = 'terms: [{nam: Order}]\n'
    const of = shop(text)
    const result = await of.svc(['glossary', 'add-term', 'Buyer'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('glossary.yaml: "terms[0]" has no "name"')
    expect(written(of)).toBe(text)
  })

  it('finds entries by words, names before meanings', async () => {
    const { svc, json } = shop(`terms:
  - {name: Order, description: Of a customer.}
  - {name: Customer, synonyms: [Buyer], description: Pays.}
metrics: [{name: Customers, sql_definition: SELECT 1}]
dimensions: [{name: Kind, values: [new customer]}]
policies: [{name: P, rule: No customer leaves.}]
`)
    const found = await json(['glossary', 'search', 'CUSTOMER', '--json'])
    expectSchema('glossary-search', found.value)
    const names = (value: unknown) => (value as { found: { name: string }[] }).found.map(({ name }) => name)
    expect(names(found.value)).toEqual(['Customer', 'Customers', 'Order', 'Kind', 'P'])
    expect(names((await json(['glossary', 'search', 'customer', 'new', '--json'])).value)).toEqual(['Kind'])
    expect(names((await json(['glossary', 'search', 'buyer', '--json'])).value)).toEqual(['Customer'])
    expect((await svc(['glossary', 'search', 'pays'])).stdout).toContain('term.customer')
    expect((await svc(['glossary', 'search', 'nobody'])).stdout).toContain(
      'Nothing in glossary.yaml has "nobody"',
    )
    expect((await svc(['glossary', 'search'])).code).toBe(2)
  })

  it('shows ten terms and says that there are more', async () => {
    const terms = Array.from({ length: 12 }, (_, index) => `  - {name: Word ${index + 1}, description: D}`)
    const { svc } = shop(`terms:\n${terms.join('\n')}\npolicies: [{name: P}]\n`)
    const { stdout } = await svc(['glossary', 'list'])
    expect(stdout).toContain('12 terms')
    expect(stdout).toContain('Word 10')
    expect(stdout).not.toContain('Word 11')
    expect(stdout).toContain('… and 2 more')
    expect(stdout).toContain('0 metrics, 0 dimensions, 1 policy')
  })
})
