/** Hints about `glossary.yaml`: its entries, its links, its policies, what is imported. */
import { orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'

const one = {
  [orders]:
    'name: orders\ningest: {type: rows, rows: [{id: 1, email: a@example.com}]}\ntransform: SELECT id, email FROM {{ source }}\n',
}
const path = 'glossary.yaml'
const term = { [path]: 'terms:\n  - name: Customer\n' }
const metric = {
  [path]: 'metrics:\n  - {name: Total, sql_definition: "SELECT count(*) FROM {{ ref(\'orders\') }}"}\n',
}
const policy = (more: string) =>
  `policies:\n  - {name: No mail, rule: Nobody sees mail., pii_columns: [email], ${more}}\n`
const said = (words: string) => words.split('|')
const linked = (p: Stage) => p.works('glossary link-term Customer --asset orders --column id')

/** A hosted store of its own, which the environment leads to. */
async function store(p: Stage, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { startStore } = await import('../../support/hosted-store.ts')
  const hosted = await startStore()
  p.atEnd(() => hosted.dispose())
  Object.assign(p.notes, hosted.env)
  Object.assign(p.env, hosted.env, env)
}

const refused: readonly Scenario[] = [
  {
    hint: '… has no project 7 that the token may see: check --project.',
    files: one,
    before: p => store(p),
    act: 'upload --project 7',
    follow: () => undefined,
    works: 'upload --project 1',
  },
  {
    hint: 'The token is unknown, expired or revoked: make a new one with svc-hosted token create.',
    files: term,
    before: p => store(p, { SVC_HOSTED_TOKEN: 'svc_of_another_store_0123456789abcdef' }),
    act: 'glossary push --project 1',
    follow: p => Object.assign(p.env, p.notes),
  },
]

export const errors: ErrorTable = {
  'hosted-refused': refused,
  'term-exists': [
    {
      hint: 'Give this one another with --id.',
      files: { [path]: 'terms:\n  - {name: Buyer, id: term.customer}\n' },
      act: 'glossary add-term Customer',
      follow: () => undefined,
      works: 'glossary add-term Customer --id term.client',
    },
    {
      hint: 'Choose another name, or change the other: svc glossary edit.',
      files: term,
      act: 'glossary add-term Customer',
      follow: p => p.works(said('glossary|edit|Customer|--set|description=Somebody who buys')),
      works: 'glossary add-term Client',
    },
  ],
  'entry-exists': [
    {
      hint: 'Choose another name, or change the other: svc glossary edit.',
      files: { ...one, ...metric },
      act: said("glossary|add-metric|Total|--sql-definition|SELECT max(id) FROM {{ ref('orders') }}"),
      follow: p => p.works(said('glossary|edit|Total|--set|description=How many')),
      works: said("glossary|add-metric|Greatest|--sql-definition|SELECT max(id) FROM {{ ref('orders') }}"),
    },
  ],
  'entry-in-use': [
    {
      hint: '--with-references removes these too.',
      files: { ...one, ...term },
      before: linked,
      act: 'glossary remove Customer',
      follow: () => undefined,
      works: 'glossary remove Customer --with-references',
    },
  ],
  'unknown-term': [
    {
      hint: 'svc glossary add-term "Client" makes one.',
      files: { ...one, ...term },
      act: 'glossary link-term Client --asset orders --column id',
      follow: p => p.works('glossary add-term Client'),
    },
  ],
  'unknown-entry': [
    {
      hint: 'svc glossary search finds entries by their words.',
      files: term,
      act: 'glossary edit custmer --set owner=a@b.co',
      follow: p => p.works('glossary search custom'),
      works: 'glossary edit Customer --set owner=a@b.co',
    },
    {
      hint: 'Its links are orders.id.',
      files: { ...one, ...term },
      before: linked,
      act: 'glossary unlink-term Customer --asset orders',
      follow: () => undefined,
      works: 'glossary unlink-term Customer --asset orders --column id',
    },
    {
      hint: 'svc metric lists all metrics.',
      files: { ...one, ...metric },
      before: p => p.works('run'),
      act: 'metric nothing',
      follow: () => undefined,
      works: 'metric',
      shows: 'metric.total',
    },
  ],
  'unknown-column': [
    {
      hint: 'svc inspect orders lists its columns.',
      files: { ...one, ...term },
      act: 'glossary link-term Customer --asset orders --column nr',
      follow: p => p.works('inspect orders'),
      works: 'glossary link-term Customer --asset orders --column id',
    },
  ],
  'invalid-glossary': [
    {
      hint: 'svc validate shows every mistake at its place.',
      files: { ...one, [path]: 'terms:\n  - {nme: Customer}\n' },
      act: 'glossary add-term Client',
      follow: async p => {
        if (!(await p.svc('validate')).stdout.includes('glossary.yaml')) throw new Error('it is not shown')
        p.edit(path, 'nme', 'name')
      },
    },
  ],
  'import-unreadable': [
    {
      hint: 'Columns are called as the keys of glossary.yaml: …',
      files: { 'terms.csv': 'kind,nme\nterm,Customer\n' },
      act: 'glossary import terms.csv',
      follow: p => p.edit('terms.csv', 'nme', 'name'),
    },
    {
      hint: 'Was it downloaded completely?',
      files: { 'terms.json': '{"terms": [' },
      act: 'glossary import terms.json',
      follow: async p => {
        await p.works('glossary add-term Customer')
        await p.works('glossary export --path terms.json')
      },
    },
    {
      hint: 'It reads tables (.csv), …, and what svc glossary export writes.',
      files: { ...term, 'terms.yml': 'hello: 1\n' },
      act: 'glossary import terms.yml',
      follow: p => p.works('glossary export --path terms.json'),
      works: 'glossary import terms.json',
    },
    {
      hint: 'Nothing was written. Fix the file, and run the command again.',
      files: { 'terms.csv': 'kind,name\nterm,Customer\nnothing,Order\n' },
      act: 'glossary import terms.csv',
      follow: p => p.edit('terms.csv', 'nothing', 'term'),
    },
  ],
  'policy-breach': [
    {
      hint: 'Nobody sees mail. Leave it out, count it, or say pii: false under columns.',
      files: { ...one, [path]: policy('applies_to: [orders], enforcement: strict') },
      follow: p => p.edit(orders, 'id, email FROM', 'id FROM'),
      rows: { orders: [{ id: 1 }] },
    },
    {
      hint: 'or say pii: false under columns.',
      files: { ...one, [path]: policy('applies_to: [orders], enforcement: strict') },
      follow: p => p.edit(orders, 'transform:', 'columns: {email: {pii: false}}\ntransform:'),
      rows: { orders: [{ id: 1, email: 'a@example.com' }] },
    },
  ],
}

const reported = { works: 'run' as const, act: 'run' as const }

export const warnings: WarningTable = {
  'policy-breach': [
    {
      hint: 'Nobody sees mail. Leave it out, count it, or say pii: false under columns.',
      files: { ...one, [path]: policy('applies_to: [orders], enforcement: warn') },
      ...reported,
      follow: p => p.edit(orders, 'id, email FROM', 'id FROM'),
    },
  ],
  'policy-without-asset': [
    {
      hint: 'did you mean "orders"?…',
      files: { ...one, [path]: policy('applies_to: [ordrs], enforcement: warn').replace('email', 'id') },
      ...reported,
      follow: p => p.edit(path, 'ordrs', 'orders'),
    },
  ],
  'policy-without-column': [
    {
      hint: 'did you mean "email"?',
      files: { ...one, [path]: policy('applies_to: [orders], enforcement: warn').replace('email', 'e-mail') },
      ...reported,
      follow: p => p.edit(path, 'e-mail', 'id'),
    },
  ],
}
