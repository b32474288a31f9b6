/** `svc glossary add-… | edit | remove | unlink-term`: every key of every kind, layout kept, nothing wrong written. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

let project: ProjectHere | undefined
afterEach(() => project?.dispose())

const customers = `name: customers
ingest: {type: rows, rows: [{id: 1, email: a@b.co}]}
contract: {columns: {email: {type: varchar, pii: true}}}
transform: SELECT id, email FROM {{ source }}
columns:
  # who
  id: {term: Customer, role: primary_key}
  email:
    term: term.mail
    description: Where letters go.
`

function shop(glossary?: string): ProjectHere {
  project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc':
      "name: orders\ningest: none\ntransform: SELECT 1 AS id, 9.5 AS amount, DATE '2026-01-31' AS day\n",
    'models/marts/report.svc':
      "name: report\ningest: none\ntransform: SELECT email FROM {{ ref('customers') }}\n",
    'models/customers.svc': customers,
    ...(glossary !== undefined && { 'glossary.yaml': glossary }),
  })
  return project
}

const terms = 'terms:\n  - name: Customer # people\n  - {name: Mail, id: term.mail, synonyms: [e-mail]}\n'

function written(of: ProjectHere, path = 'glossary.yaml'): string {
  return readFileSync(join(of.root, path), 'utf8')
}

const unwrapped = (text: string) => text.replace(/\s+/g, ' ')

function expectSchema(name: string, value: unknown): void {
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validate(outputSchemas[name] ?? false, value), ajv.errorsText()).toBe(true)
}

describe('svc glossary add-…', () => {
  it('writes every key of every kind, and validate finds nothing wrong', async () => {
    const of = shop(terms)
    const lines: readonly (readonly string[])[] = [
      [
        'add-term',
        'Churn',
        '--description',
        'Left.\nFor good.',
        '--synonyms',
        'loss,"lost, gone"',
        '--owner',
        'a@b.co',
      ],
      [
        ...['add-metric', 'Revenue', '--description', 'Paid.', '--time-grain', 'month', '--owner', 'a@b.co'],
        ...[
          '--sql-definition',
          "SELECT sum(amount)\nFROM {{ ref('orders') }}\n",
          '--source-assets',
          'orders',
        ],
      ],
      ['add-dimension', 'Status', '--values', 'open,paid', '--values', '"a, b"', '--description', 'How far.'],
      ['add-dimension', 'Stars', '--type', 'numerical', '--values', '1,2.5,many'],
      [
        ...['add-policy', 'No people', '--rule', 'Nobody is shown.', '--applies-to', 'marts.*,orders'],
        ...['--pii-columns', 'email', '--enforcement', 'warn', '--derived', 'deny'],
      ],
    ]
    for (const [command = '', ...words] of lines) {
      const said = await of.json(['glossary', command, ...words, '--json'])
      expect(said.code, JSON.stringify(said.value)).toBe(0)
      expectSchema(`glossary-${command}`, said.value)
    }
    expect(written(of)).toBe(`${terms}  - name: Churn
    id: term.churn
    description: |-
      Left.
      For good.
    synonyms: [loss, "lost, gone"]
    owner: "a@b.co"
metrics:
  - name: Revenue
    id: metric.revenue
    description: Paid.
    sql_definition: |-
      SELECT sum(amount)
      FROM {{ ref('orders') }}
    time_grain: month
    source_assets: [orders]
    owner: "a@b.co"
dimensions:
  - name: Status
    id: dim.status
    description: How far.
    values: [open, paid, "a, b"]
  - name: Stars
    id: dim.stars
    values: [1, 2.5, many]
    type: numerical
policies:
  - name: No people
    rule: Nobody is shown.
    pii_columns: [email]
    applies_to: ["marts.*", orders]
    enforcement: warn
    derived: deny
`)
    expect((await of.svc(['validate', '--format', 'lines'])).stdout).not.toContain('glossary.yaml')
    const { value } = await of.json(['glossary', 'export'])
    expect(value).toMatchObject({
      metrics: [{ sql_definition: "SELECT sum(amount)\nFROM {{ ref('orders') }}" }],
    })
  })

  it('begins a glossary with any kind', async () => {
    const of = shop()
    expect((await of.svc(['glossary', 'add-dimension', 'Status'])).stdout).toBe(
      'Added the dimension Status (dim.status) to glossary.yaml\n',
    )
    await of.svc(['glossary', 'add-metric', 'Sold'])
    expect(written(of)).toBe(
      'dimensions:\n  - name: Status\n    id: dim.status\nmetrics:\n  - name: Sold\n    id: metric.sold\n',
    )
  })

  it('says what a new policy is broken by, and writes it', async () => {
    const of = shop(terms)
    const said = await of.svc([
      'glossary',
      'add-policy',
      'Hidden',
      '--rule',
      'R.',
      '--applies-to',
      'marts.*,nothing',
    ])
    expect(said.code).toBe(0)
    expect(said.stdout).toContain('Added the policy Hidden to glossary.yaml')
    expect(said.stdout).toContain('warning models/marts/report.svc:3:19: "email" carries personal data')
    expect(said.stdout).toContain('glossary.yaml:7:29: no asset fits')
    expect(written(of)).toContain(
      'policies:\n  - name: Hidden\n    rule: R.\n    applies_to: ["marts.*", nothing]\n',
    )
  })

  const refusals: readonly (readonly [readonly string[], number, string])[] = [
    [
      ['add-metric', 'M', '--sql-definition', "SELECT nobody FROM {{ ref('orders') }}"],
      1,
      'unknown column "nobody"',
    ],
    [
      ['add-metric', 'M', '--sql-definition', "sum({{ ref('ordres') }})"],
      1,
      'glossary.yaml would have a mistake',
    ],
    [['add-metric', 'M', '--source-assets', 'ordres'], 1, 'did you mean "orders"?'],
    [['add-metric', 'M', '--time-grain', 'months'], 2, 'did you mean "month"?'],
    [['add-metric', ' '], 2, 'the name of the metric is empty'],
    [['add-dimension', 'D', '--values', 'a"b,"c'], 2, '--values is no list'],
    [['add-dimension', 'size'], 1, 'there is a dimension "Size" (dim.size) already'],
    [['add-dimension', 'X', '--id', 'dim.size'], 1, 'the dimension "Size" has the identifier "dim.size"'],
    [['add-policy', 'p'], 1, 'there is a policy "P" (policy.p) already'],
    [['add-policy', 'Q', '--enforcement', 'strickt'], 2, 'did you mean "strict"?'],
    [['edit', 'Customer'], 2, 'needs --set or --unset'],
    [['edit', 'Custmer', '--set', 'owner=a'], 2, 'did you mean "Customer"?'],
    [['edit', 'Customer', '--set', 'ownr=a'], 2, 'did you mean "owner"?'],
    [['edit', 'Customer', '--set', 'owner'], 2, '--set takes key=value'],
    [['edit', 'Customer', '--set', 'owner=a', '--unset', 'owner'], 2, '"owner" is given twice'],
    [['edit', 'Customer', '--unset', 'name'], 2, 'a term needs its name'],
    [['edit', 'Customer', '--set', 'name=mail'], 1, 'there is a term "Mail" (term.mail) already'],
    [['edit', 'Size', '--set', 'type=numbers'], 2, 'type cannot be "numbers"'],
    [['edit', 'P', '--set', 'id=policy.p'], 2, 'a policy has no key "id"'],
    [['remove', 'Nothing'], 2, 'nothing in the glossary is called "Nothing"'],
    [['remove', 'Size', '--kind', 'term'], 2, 'no term is called "Size"'],
    [['remove', 'Customer'], 1, 'customers.id in models/customers.svc'],
    [['unlink-term', 'Customer'], 2, 'needs --asset'],
    [['unlink-term', 'Customer', '--asset', 'orders'], 2, 'does not link "Customer" to orders'],
  ]
  it.each(refusals)('refuses %j and writes nothing', async (words, code, message) => {
    const before = `${terms}dimensions: [{name: Size, values: [s, m]}]\npolicies: [{name: P, rule: R, enforcement: "off"}]\n`
    const of = shop(before)
    const said = await of.svc(['glossary', ...words])
    expect([said.code, unwrapped(said.stderr)]).toEqual([code, expect.stringContaining(message)])
    expect(written(of)).toBe(before)
    expect(written(of, 'models/customers.svc')).toBe(customers)
  })

  it('writes into a glossary whose other entries name assets that are gone', async () => {
    const of = shop(`${terms}links:\n  - {term: Customer, asset: gone}\n`)
    expect((await of.svc(['glossary', 'add-metric', 'Sold'])).code).toBe(0)
    expect((await of.svc(['glossary', 'unlink-term', 'Customer', '--asset', 'gone'])).code).toBe(0)
    expect(written(of)).toBe(`${terms}metrics:\n  - name: Sold\n    id: metric.sold\n`)
  })
})

describe('svc glossary edit', () => {
  const glossary = `# ours
terms:
  - name: Customer # people
    description: | # long
      One.
      Two.
    synonyms:
      - client # old
      - buyer
    # last
  - {name: Mail, id: term.mail}
metrics:
  - name: Revenue
    sql_definition: SELECT 1
    owner: old
links:
  - {term: Customer, asset: orders}
  - {term: buyer, asset: report}
`

  it('changes keys and keeps comments and layout', async () => {
    const of = shop(glossary)
    const said = await of.json([
      ...[
        'glossary',
        'edit',
        'client',
        '--json',
        '--set',
        'description=Pays.',
        '--set',
        'synonyms=client,payer',
      ],
      ...['--set', 'owner=a@b.co'],
    ])
    expect(said.code, JSON.stringify(said.value)).toBe(0)
    expectSchema('glossary-edit', said.value)
    expect(said.value).toMatchObject({
      id: 'term.customer',
      changes: [
        { key: 'description', old: 'One.\nTwo.\n', new: 'Pays.' },
        { key: 'synonyms', old: ['client', 'buyer'], new: ['client', 'payer'] },
        { key: 'owner', old: null, new: 'a@b.co' },
      ],
    })
    await of.svc([
      'glossary',
      'edit',
      'Revenue',
      '--set',
      "sql_definition=SELECT 2\nFROM {{ ref('orders') }}",
      '--set',
      'owner=b',
    ])
    await of.svc([
      'glossary',
      'edit',
      'mail',
      '--set',
      'description=Two\nlines',
      '--set',
      'synonyms=a,"b, c"',
    ])
    expect(written(of)).toBe(`# ours
terms:
  - name: Customer # people
    description: Pays.
    synonyms:
      - client # old
      - payer
    owner: "a@b.co"
    # last
  - {name: Mail, id: term.mail, description: "Two\\nlines", synonyms: [a, "b, c"]}
metrics:
  - name: Revenue
    sql_definition: |-
      SELECT 2
      FROM {{ ref('orders') }}
    owner: b
links:
  - {term: Customer, asset: orders}
  - {term: Customer, asset: report}
`)
  })

  it('renames a term where links and columns name it, and keeps its identifier', async () => {
    const of = shop(glossary)
    const said = await of.svc([
      'glossary',
      'edit',
      'Customer',
      '--set',
      'name=Client, paying',
      '--unset',
      'synonyms',
    ])
    expect([said.code, said.stderr]).toEqual([0, ''])
    expect(said.stdout).toContain('models/customers.svc names it anew')
    expect(written(of)).toContain('- name: "Client, paying" # people\n')
    expect(written(of)).toContain('id: term.customer\n')
    expect(written(of)).toContain(
      '- {term: "Client, paying", asset: orders}\n  - {term: "Client, paying", asset: report}',
    )
    expect(written(of, 'models/customers.svc')).toBe(
      customers.replace('{term: Customer,', '{term: "Client, paying",'),
    )
    expect((await of.svc(['validate'])).code).toBe(0)
    await of.svc(['glossary', 'edit', 'Mail', '--set', 'id=term.email'])
    expect(written(of, 'models/customers.svc')).toContain('    term: term.email\n')
    expect((await of.svc(['validate'])).code).toBe(0)
  })

  it('says that nothing changes, and touches no file', async () => {
    const of = shop(glossary)
    const said = await of.svc(['glossary', 'edit', 'Mail', '--unset', 'owner'])
    expect([said.code, said.stdout]).toEqual([0, 'The term Mail is so already\n'])
    expect(written(of)).toBe(glossary)
  })
})

describe('svc glossary remove', () => {
  it('takes a term with its links and its columns', async () => {
    const of = shop(
      `${terms}links:\n  - {term: Customer, asset: orders} # one\n  - {term: Mail, asset: report} # two\n`,
    )
    const refused = await of.svc(['glossary', 'remove', 'Customer'])
    expect(refused.stderr).toContain('link to orders')
    const said = await of.json(['glossary', 'remove', 'Customer', '--with-references', '--json'])
    expect(said.code, JSON.stringify(said.value)).toBe(0)
    expectSchema('glossary-remove', said.value)
    expect(said.value).toMatchObject({
      references: [
        { path: 'glossary.yaml', asset: 'orders', column: null },
        { path: 'models/customers.svc', asset: 'customers', column: 'id' },
      ],
    })
    expect(written(of)).toBe(
      'terms:\n  - {name: Mail, id: term.mail, synonyms: [e-mail]}\nlinks:\n  - {term: Mail, asset: report} # two\n',
    )
    expect(written(of, 'models/customers.svc')).toBe(customers.replace('term: Customer, ', ''))
    expect((await of.svc(['validate'])).code).toBe(0)
  })

  it('says which assets a policy protected', async () => {
    const of = shop('policies: [{name: P, rule: R, applies_to: [orders, customers], enforcement: warn}]\n')
    const said = await of.svc(['glossary', 'remove', 'policy.p'])
    expect(said.stdout).toBe('Removed the policy P from glossary.yaml\n  it protected customers, orders\n')
    expect(written(of)).toBe('')
  })

  it('asks which, where two kinds have the name', async () => {
    const of = shop('terms: [{name: Revenue}]\nmetrics: [{name: Revenue}]\n')
    expect((await of.svc(['glossary', 'remove', 'Revenue'])).stderr).toContain('is a term and a metric')
    expect((await of.svc(['glossary', 'remove', 'Revenue', '--kind', 'metric'])).code).toBe(0)
    expect(written(of)).toBe('terms: [{name: Revenue}]\n')
  })
})
