/** `svc policy report`: every way of personal data, its policies, its ends, and where it leaves the project. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'

const files = {
  'svc.yaml': `name: shop
destinations:
  crm: {type: http, endpoint: 'https://crm.example.com/people', resource: people}
`,
  'glossary.yaml': `policies:
  - name: No people in reports
    applies_to: [marts.*]
  - name: No phones
    pii_columns: [phone, reach]
    enforcement: warn
  - name: Nothing to the CRM
    applies_to: [publish.crm]
  - name: Written down
    enforcement: off
`,
  'models/customers.svc': `name: customers
ingest:
  type: rows
  rows: [{id: 1, email: ada@example.com, phone: "555", city: Paris, note: x}]
contract:
  columns:
    email: {type: varchar, pii: true}
    note: {type: varchar, pii: true}
transform: SELECT id, email, phone, city FROM {{ source }}
`,
  'models/marts/report.svc': `name: report
ingest: none
transform: |
  SELECT id, email AS contact, upper(email) AS loud, phone AS reach,
    email IS NULL AS nobody, left(email, 1) AS letter, concat(email, phone) AS both
  FROM {{ ref('customers') }}
columns:
  letter: {pii: false}
exposures:
  - {name: Board, type: dashboard}
`,
  'models/contacts.svc': `name: contacts
ingest: none
transform: SELECT id, email, city FROM {{ ref('customers') }}
publish:
  crm: {key: [id], fields: {mail: email, id: id}}
`,
}

interface Flow {
  readonly asset: string
  readonly column: string
  readonly grade: string
  readonly breaches: readonly string[]
  readonly target?: string
}
interface Mark {
  readonly asset: string
  readonly column: string
  readonly source: string | null
  readonly place: string
  readonly declared: boolean
  readonly policies: readonly string[]
  readonly flows: readonly Flow[]
  readonly exemptions: readonly object[]
  readonly destinations: readonly Flow[]
  readonly exposures: readonly { readonly name: string; readonly columns: readonly string[] }[]
}
interface Report {
  readonly marks: readonly Mark[]
  readonly policies: readonly { readonly name: string; readonly breaches: number }[]
  readonly summary: Readonly<Record<string, number>>
  readonly builds: readonly object[] | null
  readonly broken: readonly string[]
}

let project: ProjectHere
const read = (path: string) => readFileSync(join(project.root, path), 'utf8')
beforeAll(() => {
  project = createProjectHere(files)
})
afterAll(() => project.dispose())

async function report(...words: string[]): Promise<Report> {
  const { stdout, stderr } = await project.svc(['policy', 'report', '--json', ...words])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Report
}

const lines = (flows: readonly Flow[]) =>
  flows.map(({ asset, column, grade, breaches }) =>
    `${asset}.${column} ${grade} ${breaches.join(',')}`.trim(),
  )

describe('svc policy report', () => {
  it('follows each mark through all columns, also a second one in the same column', async () => {
    const { marks, summary } = await report()
    expect(marks.map(({ asset, column, source }) => [asset, column, source])).toEqual([
      ['customers', 'email', ''],
      ['customers', 'phone', ''],
      ['customers', 'note', ''],
    ])
    const [email, phone, note] = marks
    expect(lines(email?.flows ?? [])).toEqual([
      'customers.email direct',
      'contacts.email direct',
      'report.contact direct No people in reports',
      'report.loud changed No people in reports',
      'report.nobody derived',
      'report.both changed No people in reports',
    ])
    expect(lines(phone?.flows ?? [])).toEqual([
      'customers.phone direct No phones',
      'report.reach direct No phones',
      'report.both changed No phones',
    ])
    expect(note?.flows).toEqual([])
    expect(phone).toMatchObject({ declared: false, policies: ['No phones'] })
    expect(summary).toMatchObject({ marks: 3, strict_breaches: 4 })
  })

  it('says where a mark ends, where it leaves, and where it is shown', async () => {
    const [email] = (await report()).marks
    expect(email?.exemptions).toEqual([{ asset: 'report', column: 'letter', reason: 'pii: false' }])
    expect(email?.destinations).toMatchObject([
      { asset: 'contacts', column: 'email', target: 'crm', type: 'http', breaches: ['Nothing to the CRM'] },
    ])
    expect(email?.exposures).toMatchObject([
      { name: 'Board', columns: ['contact', 'loud', 'nobody', 'both'] },
    ])
    expect(email?.place).toBe('models/customers.svc:7:5')
  })

  it('says the breaches that validate says', async () => {
    const { stdout } = await project.svc(['validate', '--format', 'lines'])
    const said = stdout.split('\n').filter(line => /\[(policy-breach|publish-personal)\]/.test(line))
    const { policies } = await report()
    const breaches = policies.reduce((sum, each) => sum + each.breaches, 0)
    expect(breaches).toBe(said.length)
  })

  it('is about a policy, and about assets', async () => {
    const phones = await report('--policy', 'no PHONES')
    expect(phones.marks.map(({ column }) => column)).toEqual(['phone'])
    expect(phones.policies.map(({ name }) => name)).toEqual(['No phones'])
    const some = await report('contacts')
    expect(some.marks.flatMap(({ flows }) => lines(flows))).toEqual(['contacts.email direct'])
    const wrong = await project.svc(['policy', 'report', '--policy', 'No fones'])
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain('did you mean "No phones"?')
  })

  it('ends with 1 for a strict breach only', async () => {
    expect((await project.svc(['policy', 'report'])).code).toBe(1)
    expect((await project.svc(['policy', 'report', '--policy', 'No phones'])).code).toBe(0)
    expect((await project.svc(['policy', 'report', 'customers'])).code).toBe(0)
  })

  it('fits 80 columns, in Markdown too, and goes to a file', async () => {
    const { stdout } = await project.svc(['policy', 'report'])
    expect(stdout).toMatchSnapshot()
    for (const line of stdout.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80)
    const { stdout: said } = await project.svc([
      'policy',
      'report',
      '--format',
      'markdown',
      '-o',
      'privacy.md',
    ])
    expect(said).toBe('Wrote privacy.md\n')
    expect(read('privacy.md')).toMatchSnapshot()
    await project.svc(['policy', 'report', '--json', '-o', 'privacy.json'])
    expect(JSON.parse(read('privacy.json'))).toEqual(await report())
  })
})

describe('a mask of the source', () => {
  const masked = (kind: string) => ({
    'svc.yaml': 'name: shop\n',
    'glossary.yaml': 'policies:\n  - {name: No mail, enforcement: strict, pii_columns: [email]}\n',
    'models/people.svc': `name: people
ingest: {type: rows, rows: [{id: 1, email: ada@example.com}], mask: {email: ${kind}}}
transform: SELECT id, email FROM {{ source }}
`,
    'models/mails.svc': "name: mails\ningest: none\ntransform: SELECT email FROM {{ ref('people') }}\n",
  })

  it.each([
    ['redact', []],
    // It leaves a part of the address.
    ['partial', ['people.email direct No mail', 'mails.email direct No mail']],
  ])(
    '%s says the same in the report as while typing, also of columns that a policy names',
    async (kind, broken) => {
      const shop = createProjectHere(masked(kind))
      const { stdout } = await shop.svc(['policy', 'report', '--json'])
      const { marks } = JSON.parse(stdout) as Report
      expect(marks.flatMap(({ flows }) => lines(flows))).toEqual(broken)
      expect((await shop.svc(['validate'])).code).toBe(broken.length === 0 ? 0 : 1)
      shop.dispose()
    },
  )
})

describe('what is live', () => {
  it('keeps its marks until a run, and broken files are named', async () => {
    const shop = createProjectHere({
      'svc.yaml': 'name: shop\n',
      'models/people.svc':
        'name: people\ningest: none\ntransform: SELECT 1 AS id, 2 AS mail\ncolumns: {mail: {pii: true}}\n',
    })
    const ask = async () => JSON.parse((await shop.svc(['policy', 'report', '--json'])).stdout) as Report
    expect((await ask()).builds).toBe(null)
    await shop.svc(['run'])
    expect((await ask()).builds).toEqual([])
    shop.write('models/people.svc', 'name: people\ningest: none\ntransform: SELECT 1 AS id, 2 AS mail\n')
    const after = await ask()
    expect(after.marks).toEqual([])
    expect(after.builds).toEqual([
      { asset: 'people', column: 'mail', build: 'personal', files: 'none', unknown: false },
    ])
    shop.write('models/people.svc', 'name: people\ningest: none\ntransform: SELECT FROM\n')
    const broken = await shop.svc(['policy', 'report', '--json'])
    expect(broken.code).toBe(1)
    expect((JSON.parse(broken.stdout) as Report).broken).toEqual(['models/people.svc'])
    shop.dispose()
  })
})
