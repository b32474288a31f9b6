/** `svc glossary import`: every form of file, nothing overwritten unasked, nothing half done, rows named by line. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { outputSchemas } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

let project: ProjectHere | undefined
afterEach(() => project?.dispose())

const glossary = `terms:
  # who pays
  - name: Customer
    description: Somebody who buys.
    synonyms: [client]
`

function shop(files: Readonly<Record<string, string>>): ProjectHere {
  project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc':
      'name: orders\ningest: none\ntransform: SELECT 1 AS id, 9.5 AS amount, 3 AS customer_id\n',
    'models/customers.svc':
      'name: customers\ningest: none\ntransform: SELECT 1 AS id\ncolumns: {id: {term: Customer}}\n',
    'glossary.yaml': glossary,
    ...files,
  })
  return project
}

const written = (of: ProjectHere) => readFileSync(join(of.root, 'glossary.yaml'), 'utf8')
const entries = (of: ProjectHere) => parse(written(of)) as Record<string, readonly Record<string, unknown>[]>
const unwrapped = (text: string) => text.replace(/\s+/g, ' ')

async function imported(of: ProjectHere, ...words: readonly string[]) {
  const { value } = await of.json([...['glossary', 'import', ...words, '--json']])
  const said = value as { entries: { id: string; status: string }[]; ignored: string[] }
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validate(outputSchemas['glossary-import'] ?? false, said), ajv.errorsText()).toBe(true)
  return said
}

const statuses = (said: { entries: { id: string; status: string }[] }) =>
  said.entries.map(({ id, status }) => `${status} ${id}`)

describe('a table', () => {
  const table = `kind,name,id,description,synonyms,sql_definition,source_assets,type,values,applies_to,links
term,Order,,"What was
bought, once","purchase; buy",,,,,,orders; orders.id
term,Customer,,Somebody who pays.,,,,,,,
metric,Revenue,metric.rev,,,sum(amount),orders,,,,
dimension,Status,,,,,,categorical,open;paid,,
policy,No people,,,,,,,,orders,
`

  it('adds what is new with its links, keeps what exists, and changes it when told to', async () => {
    const of = shop({ 'all.csv': table })
    const dry = await of.svc(['glossary', 'import', 'all.csv', '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([
      0,
      `Would import all.csv, a table: 6 new, 0 changed, 0 unchanged, 1 said otherwise, and kept
  new term Order (term.order)
  new metric Revenue (metric.rev)
  new dimension Status (dim.status)
  new policy No people (policy.no_people)
  new link term.order -> orders (term.order orders)
  new link term.order -> orders.id (term.order orders.id)
  kept term Customer; line 4 says
    description: Somebody who buys. -> Somebody who pays.

Entries that exist are changed with --update only.
`,
    ])
    expect(written(of)).toBe(glossary)
    await imported(of, 'all.csv')
    expect(written(of).startsWith(glossary)).toBe(true)
    expect(entries(of)).toMatchObject({
      terms: [
        { name: 'Customer', description: 'Somebody who buys.' },
        { name: 'Order', description: 'What was\nbought, once', synonyms: ['purchase', 'buy'] },
      ],
      metrics: [{ name: 'Revenue', id: 'metric.rev', source_assets: ['orders'] }],
      dimensions: [{ name: 'Status', values: ['open', 'paid'] }],
      policies: [{ name: 'No people', applies_to: ['orders'] }],
      links: [
        { term: 'term.order', asset: 'orders' },
        { term: 'term.order', asset: 'orders', column: 'id' },
      ],
    })
    const again = await imported(of, 'all.csv', '--update')
    expect(statuses(again).filter(each => !each.startsWith('unchanged'))).toEqual(['changed term.customer'])
    expect(written(of)).toContain('  # who pays\n  - name: Customer\n    description: Somebody who pays.\n')
    expect(statuses(await imported(of, 'all.csv')).every(each => each.startsWith('unchanged'))).toBe(true)
  })

  it('tells the kind of its rows by its columns or by --kind, and a synonym is the term', async () => {
    const of = shop({
      'terms.csv': 'name;owner\nClient;a@b.co\nChurn;a@b.co\n',
      'links.csv': 'term,asset,column,role\nclient,orders,CUSTOMER_ID,foreign_key\ncustomer,customers,id,\n',
      'names.csv': 'name\nRegion\n',
    })
    expect(statuses(await imported(of, 'terms.csv', '--update'))).toEqual([
      'changed term.customer',
      'new term.churn',
    ])
    // The file of the asset says the second already.
    expect(statuses(await imported(of, 'links.csv'))).toEqual([
      'new term.customer orders.customer_id',
      'unchanged term.customer customers.id',
    ])
    expect(statuses(await imported(of, 'names.csv', '--kind', 'dimension'))).toEqual(['new dim.region'])
  })

  it('names every row that cannot be read, and writes nothing', async () => {
    const bad = `kind,name,time_grain,asset,column,synonyms
term,Good,,,,
metric,Sales,mnth,,,
trem,X,,,,
term,,,,,
term,A,day,,,
term,B,,ordrs,,
term,C,,orders,amuont,
term,Good,,,,other
term,D,,
"x
`
    const of = shop({ 'bad.csv': bad, 'head.csv': 'name,desription\nA,b\n', 'x.xlsx': 'PK' })
    const said = await of.svc(['glossary', 'import', 'bad.csv'])
    expect([said.code, unwrapped(said.stderr)]).toEqual([
      1,
      unwrapped(`error: 9 entries of bad.csv cannot be taken over:
        line 11: a quoted cell is never closed
        line 10: it has 4 cells, and the first row 6
        line 3: time_grain cannot be "mnth"; did you mean "month"?
        line 4: "trem" is no kind; kinds are term, metric, dimension, policy, link
        line 5: the term has no name
        line 6: a term has no time_grain
        line 9: it says another thing of term.good than line 2
        line 7: no asset is called "ordrs"; did you mean "orders"?
        line 8: orders has no column "amuont"; did you mean "amount"? [import-unreadable]
        Nothing was written. Fix the file, and run the command again. `),
    ])
    expect(written(of)).toBe(glossary)
    const head = await of.svc(['glossary', 'import', 'head.csv'])
    expect(unwrapped(head.stderr)).toContain('has a column "desription"; did you mean "description"?')
    expect((await of.svc(['glossary', 'import', 'x.xlsx'])).code).toBe(1)
    expect((await of.svc(['glossary', 'import', 'gone.csv'])).code).toBe(3)
  })

  it('takes what svc exports, as JSON and as YAML', async () => {
    const of = shop({})
    await of.svc(['glossary', 'import', 'glossary.yaml'])
    await of.svc(['glossary', 'link-term', 'Customer', '--asset', 'orders', '--column', 'customer_id'])
    await of.svc(['glossary', 'export', '--path', 'all.json'])
    writeFileSync(join(of.root, 'glossary.yaml'), '')
    expect(statuses(await imported(of, 'all.json'))).toEqual([
      'new term.customer',
      'new term.customer orders.customer_id',
      'unchanged term.customer customers.id',
    ])
  })
})

describe('DataHub', () => {
  const file = `version: "1"
source: DataHub
owners: {users: [mjames]}
nodes:
  - name: Classification
    description: Levels.
    terms:
      - name: Sensitive
        description: Handle with care.
        custom_properties: {level: "2"}
  - name: People
    owners: {groups: [privacy]}
    nodes:
      - name: Contact
        terms:
          - {name: Email, description: An address., inherits: [Classification.Sensitive]}
    terms:
      - {name: Sensitive, description: Of people., owners: {users: [ada, bob]}}
terms:
  - {name: customer, description: Somebody who buys.}
`

  it('is read as folders of terms: identifiers are their paths, names stay unique', async () => {
    const of = shop({ 'business_glossary.yml': file })
    const said = await imported(of, 'business_glossary.yml')
    expect(statuses(said)).toEqual([
      'conflict term.customer',
      'new term.classification.sensitive',
      'new term.people.sensitive',
      'new term.people.contact.email',
    ])
    expect(said.ignored).toEqual(['descriptions of nodes (1)', 'custom_properties (1)', 'inherits (1)'])
    expect(entries(of)['terms']?.slice(1)).toEqual([
      {
        name: 'Sensitive (Classification)',
        id: 'term.classification.sensitive',
        description: 'Handle with care.',
        owner: 'mjames',
      },
      {
        name: 'Sensitive (People)',
        id: 'term.people.sensitive',
        description: 'Of people.',
        owner: 'ada, bob',
      },
      { name: 'Email', id: 'term.people.contact.email', description: 'An address.', owner: 'privacy' },
    ])
  })

  it('names terms that cannot be read by line', async () => {
    const of = shop({
      'bad.yml': 'version: "1"\nnodes:\n  - name: A\n    terms:\n      - {description: x}\n  - terms: []\n',
    })
    const said = await of.svc(['glossary', 'import', 'bad.yml'])
    expect(said.code).toBe(1)
    expect(unwrapped(said.stderr)).toContain('line 5: the term has no name line 6: the node has no name')
  })

  it('is read as a list of changes, with the terms of data sets as links', async () => {
    const urn = 'urn:li:glossaryTerm:Sales.Order'
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)'
    const events = [
      {
        proposedSnapshot: {
          'com.linkedin.pegasus2avro.metadata.snapshot.GlossaryNodeSnapshot': {
            urn: 'urn:li:glossaryNode:Sales',
            aspects: [
              { 'com.linkedin.pegasus2avro.glossary.GlossaryNodeInfo': { definition: '', name: 'Sales' } },
            ],
          },
        },
      },
      {
        proposedSnapshot: {
          'com.linkedin.pegasus2avro.metadata.snapshot.GlossaryTermSnapshot': {
            urn,
            aspects: [
              {
                'com.linkedin.pegasus2avro.glossary.GlossaryTermInfo': {
                  name: 'Order',
                  definition: 'A purchase.',
                  parentNode: 'urn:li:glossaryNode:Sales',
                },
              },
              {
                'com.linkedin.pegasus2avro.common.Ownership': { owners: [{ owner: 'urn:li:corpuser:ada' }] },
              },
            ],
          },
        },
      },
      {
        entityType: 'glossaryTerm',
        entityUrn: 'urn:li:glossaryTerm:5a1c',
        changeType: 'UPSERT',
        aspectName: 'glossaryTermInfo',
        aspect: { contentType: 'application/json', value: '{"name": "Refund", "definition": "Money back."}' },
      },
      {
        entityType: 'dataset',
        entityUrn: dataset,
        changeType: 'UPSERT',
        aspectName: 'editableSchemaMetadata',
        aspect: {
          json: {
            editableSchemaFieldInfo: [
              { fieldPath: '[version=2.0].[type=int].id', glossaryTerms: { terms: [{ urn }] } },
            ],
          },
        },
      },
    ]
    const of = shop({ 'events.json': JSON.stringify(events) })
    expect(statuses(await imported(of, 'events.json'))).toEqual([
      'new term.sales.order',
      'new term.refund',
      'new term.sales.order orders.id',
    ])
    expect(entries(of)['terms']?.[1]).toMatchObject({
      name: 'Order',
      description: 'A purchase.',
      owner: 'ada',
    })
  })
})

describe('OpenMetadata', () => {
  it('is read as a table with the paths of parents', async () => {
    const of = shop({
      'om.csv': `parent,name*,displayName,description,synonyms,relatedTerms,references,tags,reviewers,owner,glossaryStatus,color,iconURL,extension
,Revenue,,What was paid.,income;turnover,,,PII.Sensitive,,user:ada;team:sales,Approved,,,
Business.Revenue,net_revenue,Net revenue,Without tax.,,relatedTo:Business.Revenue,,,,,Draft,,,
`,
    })
    const said = await imported(of, 'om.csv')
    expect(said.ignored).toEqual(['tags (1)', 'glossaryStatus (2)', 'relatedTerms (1)'])
    expect(entries(of)['terms']?.slice(1)).toEqual([
      {
        name: 'Revenue',
        id: 'term.revenue',
        description: 'What was paid.',
        synonyms: ['income', 'turnover'],
        owner: 'ada, sales',
      },
      {
        name: 'Net revenue',
        id: 'term.revenue.net_revenue',
        description: 'Without tax.',
        synonyms: ['net_revenue'],
      },
    ])
  })

  it('is read as the answer of its API, and refuses one page of several', async () => {
    const term = {
      name: 'net_revenue',
      displayName: 'Net revenue',
      fullyQualifiedName: 'Business."Rev.enue".net_revenue',
      description: 'Without tax.',
      synonyms: ['net'],
      owners: [{ name: 'ada', type: 'user' }],
      glossary: { name: 'Business' },
    }
    const of = shop({
      'om.json': JSON.stringify({
        data: [term, { ...term, name: 'old', deleted: true }],
        paging: { total: 2 },
      }),
      'page.json': JSON.stringify({ data: [term], paging: { after: 'x' } }),
    })
    expect(statuses(await imported(of, 'om.json'))).toEqual(['new term.rev_enue.net_revenue'])
    expect(entries(of)['terms']?.[1]).toMatchObject({
      name: 'Net revenue',
      synonyms: ['net', 'net_revenue'],
      owner: 'ada',
    })
    expect((await of.svc(['glossary', 'import', 'page.json'])).code).toBe(1)
  })
})
