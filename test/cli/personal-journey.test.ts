/**
 * An e-mail address flows through six models to a dashboard: the editor shows the breach before anything ran, no command
 * lets it through, and masking it where it is shown puts all of that right.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import { type Editor, startEditor } from '../lsp/editor.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'

let project: ProjectHere
let editor: Editor | undefined
afterEach(async () => {
  await editor?.quit()
  editor = undefined
  project.dispose()
})

const board = `name: board
ingest: none
transform: |
  SELECT
    id,
    amount,
    person AS contact
  FROM {{ ref('per_person') }}
publish:
  crm: {type: file, endpoint: ./out, resource: board.csv, environments: [dev]}
exposures: [{name: Sales board, type: dashboard}]
`
const masked = board
  .replace('person AS contact', "left(person, 1) || '***' AS contact")
  .replace('publish:', 'columns:\n  contact: {pii: false}\npublish:')

const policy = `policies:
  - name: No people on boards
    rule: Boards never show who a customer is.
    applies_to: [marts.*]
`

/** Each model hands the address on in another way. */
const models = {
  'models/customers.svc': `name: customers
ingest: {type: rows, rows: [{id: 1, email: ada@example.com}, {id: 2, email: bob@example.com}]}
contract: {columns: {email: {type: varchar, pii: true}}}
transform: SELECT id, email FROM {{ source }}
`,
  'models/renamed.svc':
    "name: renamed\ningest: none\ntransform: SELECT id, email AS mail FROM {{ ref('customers') }}\n",
  'models/cleaned.svc': `name: cleaned
ingest: none
transform: |
  WITH c AS (SELECT id, lower(trim(mail)) AS address FROM {{ ref('renamed') }})
  SELECT * FROM c
`,
  'models/joined.svc': `name: joined
ingest: none
transform: |
  SELECT o.id, o.amount, c.address
  FROM (VALUES (10, 1, 5), (11, 2, 7)) AS o (id, customer, amount)
  JOIN {{ ref('cleaned') }} AS c ON c.id = o.customer
`,
  'models/per_person.svc': `name: per_person
ingest: none
transform: |
  SELECT min(id) AS id, sum(amount) AS amount, max(address) AS person
  FROM {{ ref('joined') }} GROUP BY address
`,
}

const uriOf = (path: string) => pathToFileURL(join(project.root, path)).href
const isBreach = ({ code }: Diagnostic) => code === 'policy-breach'

it('is seen while typing, stops every command, and is gone when the column is masked', async () => {
  project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'glossary.yaml': policy,
    'models/marts/board.svc': board,
    ...models,
  })
  const report = 'models/marts/board.svc'
  editor = await startEditor({ folders: [project.root] })
  const shown = await editor.published(uriOf(report), list => list.some(isBreach))
  const line = board.split('\n').findIndex(text => text.includes('person AS contact'))
  expect(shown.filter(isBreach)).toMatchObject([
    {
      range: { start: { line, character: 4 } },
      message: expect.stringContaining('"contact" carries personal data, email from the source of customers'),
      relatedInformation: [{ location: { uri: uriOf('models/customers.svc') } }],
    },
  ])
  for (const path of Object.keys(models)) expect(editor.diagnostics.get(uriOf(path)) ?? []).toEqual([])
  expect(existsSync(join(project.root, 'warehouse.duckdb'))).toBe(false)

  for (const words of [
    ['plan'],
    ['run'],
    ['run', '+board'],
    ['preview'],
    ['publish', 'board', '--to', 'crm'],
  ]) {
    const refused = await project.svc(words)
    expect([words, refused.code]).toEqual([words, 1])
    expect(refused.stdout + refused.stderr).not.toContain('ada@example.com')
  }
  expect((await project.svc(['plan'])).stderr).toContain('policy-breach')
  expect((await project.svc(['sample', 'board'])).code).not.toBe(0)
  expect(existsSync(join(project.root, 'out'))).toBe(false)

  editor.open(uriOf(report), board)
  editor.change(uriOf(report), { text: masked })
  await editor.published(uriOf(report), list => list.length === 0)
  project.write(report, masked)
  for (const words of [['plan'], ['run'], ['publish', 'board', '--to', 'crm']]) {
    const done = await project.svc(words)
    expect([words, done.code], done.stderr).toEqual([words, 0])
  }
  expect(readFileSync(join(project.root, 'out/board.csv'), 'utf8').split('\n').toSorted()).toEqual([
    '',
    '10,5,a***',
    '11,7,b***',
    'id,amount,contact',
  ])
})

it('keeps what is live from a target when its policy comes later', async () => {
  project = createProjectHere({ 'svc.yaml': 'name: shop\n', 'models/marts/board.svc': board, ...models })
  expect((await project.svc(['run'])).code).toBe(0)
  project.write('glossary.yaml', policy)
  const refused = await project.svc(['publish', 'board', '--to', 'crm'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('No people on boards')
  expect(existsSync(join(project.root, 'out'))).toBe(false)
  expect((await project.svc(['sample', 'board'])).stdout).not.toContain('example.com')
})
