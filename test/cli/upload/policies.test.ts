/** The hosted store finds the same breaches of policies in an uploaded project as `svc validate` in its files. */
import { afterEach, describe, expect, it } from 'vitest'
import { bootstrapToken, engines, useHosted } from '../../hosted/support/engines.ts'
import type { TestProject } from '../../support/cli.ts'
import { createProjectHere } from '../../support/cli-here.ts'

let project: TestProject | undefined
afterEach(() => project?.dispose())

const model = (name: string, sql: string, more = '') =>
  `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n${more}`

const files = {
  'svc.yaml': 'name: shop\n',
  'models/customers.svc': [
    'name: customers',
    'ingest: {type: rows, rows: [{id: 1, email: a@b.co, phone: "1", name: Ann}]}',
    'contract: {columns: {phone: {type: VARCHAR, pii: true}}}',
    'transform: SELECT id, email, phone, name FROM {{ source }}',
    'columns: {name: {pii: true}}',
    '',
  ].join('\n'),
  'models/hashed.svc': [
    'name: hashed',
    'ingest: {type: rows, rows: [{id: 1, email: a@b.co}]}',
    'transform: SELECT id, md5(email) AS email FROM {{ source }}',
    '',
  ].join('\n'),
  'models/staging/people.svc': model(
    'people',
    "SELECT id, email AS contact, upper(phone) AS number, name AS full_name, left(name, 1) AS letter FROM {{ ref('customers') }}",
    'columns: {letter: {pii: false}}\n',
  ),
  'models/marts/report.svc': model(
    'report',
    "SELECT contact AS c, md5(contact) AS h, number, count(full_name) AS names, any_value(letter) AS letter FROM {{ ref('people') }} GROUP BY ALL",
  ),
  'models/marts/faces.svc': model('faces', "SELECT full_name, letter FROM {{ ref('people') }}"),
  'models/marts/constants.svc': model('constants', "SELECT id, 'none' AS email FROM {{ ref('customers') }}"),
  'models/marts/hashes.svc': model('hashes', "SELECT email FROM {{ ref('hashed') }}"),
  'models/marts/counts.svc': model(
    'counts',
    "SELECT count(*) AS email, count(phone) AS phone FROM {{ ref('customers') }}",
  ),
  'glossary.yaml': [
    'policies:',
    '  - {name: Marked, rule: R., applies_to: [marts.*], enforcement: warn}',
    '  - {name: Everywhere, rule: R., enforcement: warn}',
    '  - {name: Mails, rule: R., pii_columns: [email], applies_to: [analytics.*], enforcement: warn}',
    '  - {name: Phones, rule: R., pii_columns: [customers.phone, hashed.email], enforcement: warn}',
    '  - {name: Nothing, rule: R., pii_columns: [email], enforcement: "off"}',
    '',
  ].join('\n'),
}

const [engine] = engines
if (engine === undefined) throw new Error('there is no engine to test on')

describe('policies in the hosted store', () => {
  const hosted = useHosted(engine)

  it('are broken by the same columns as in the files', async () => {
    project = createProjectHere(files)
    const { value } = await project.json(['validate', '--json'])
    const { files: checked } = value as {
      files: { path: string; diagnostics: { code: string; message: string }[] }[]
    }
    const local = checked.flatMap(({ path, diagnostics }) =>
      diagnostics
        .filter(({ code }) => code === 'policy-breach')
        .map(({ message }) => {
          const [, column, policy] = /^"([^"]+)" .*policy "([^"]+)"$/.exec(message) ?? []
          return `${policy}: ${path.replace(/^.*\/|\.svc$/g, '')}.${column}`
        }),
    )
    const sent = await project.svc(['upload'], {
      env: { SVC_HOSTED_URL: hosted.service.url, SVC_HOSTED_TOKEN: bootstrapToken },
    })
    expect(sent.code).toBe(0)
    const { body } = await hosted.admin.get('/api/svc/policies/check?project=1')
    const told = body.policies.flatMap(
      (policy: { name: string; breaches: { asset_name: string; column: string }[] }) =>
        policy.breaches.map(each => `${policy.name}: ${each.asset_name}.${each.column}`),
    )
    expect(local.length).toBeGreaterThan(10)
    expect(told.sort()).toEqual(local.sort())
  })
})
