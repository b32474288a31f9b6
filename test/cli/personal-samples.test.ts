/** Samples are masked by the build that they show, whatever the files say by now. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWarehouse } from '../../cli/engine/warehouse/open.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const customers = (
  contract = 'contract: {columns: {email: {pii: true}, profile: {pii: true}}}',
) => `name: customers
ingest:
  type: rows
  rows:
    - {id: 1, email: anna@example.com, profile: {mail: private-anna}, contacts: [{phone: "5550001"}]}
    - {id: 2, email: bert@example.com, profile: {mail: private-bert}, contacts: [{phone: "5550002"}]}
${contract}
transform: SELECT id, email, profile__mail AS p FROM {{ source }}
`
const people = (
  sql = "SELECT id, lower(email) AS mail, p, count(email) OVER () AS n FROM {{ ref('customers') }}",
) => `name: people\ningest: none\ntransform: ${sql}\n`

let ground: Ground
beforeEach(async () => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/customers.svc': customers(),
    'models/people.svc': people(),
  })
  await run()
})
afterEach(() => ground.dispose())

async function run() {
  const { code, stderr } = await ground.line(['run'])
  expect(code, stderr).toBe(0)
}

/** The masked columns; no value of them is anywhere in what is printed. */
async function masked(...words: string[]): Promise<readonly string[]> {
  const said = await ground.line(['sample', ...words, '--json'])
  expect(said.code, said.stderr).toBe(0)
  const { masked } = JSON.parse(said.stdout) as { masked: readonly string[] }
  if (masked.length > 0) expect(said.stdout).not.toMatch(/@example|555000/i)
  return masked
}

describe('svc sample masks', () => {
  it('what flows into a column, nested data too, and not what is counted', async () => {
    expect(await masked('people')).toEqual(['mail', 'p'])
    expect(await masked('customers', '--source', 'raw')).toEqual(['email', 'profile__mail'])
  })

  it.each([
    ['a mark is removed', 'models/customers.svc', () => customers('description: x')],
    [
      'the file has a syntax error',
      'models/people.svc',
      () => 'name: people\ningest: none\ntransform: SELEC (\n',
    ],
    ['the file is gone', 'models/people.svc', () => undefined],
    [
      'a column is renamed',
      'models/people.svc',
      () => people("SELECT email AS id, id AS mail FROM {{ ref('customers') }}"),
    ],
    [
      'the parent is renamed',
      'models/customers.svc',
      () => customers().replace('name: customers', 'name: clients'),
    ],
    ['the parent is broken', 'models/customers.svc', () => 'name: customers\ningest: {\n'],
  ])('the build also when %s', async (_, path, text) => {
    ground.write(path, text() ?? '')
    if (text() === undefined) rmSync(join(ground.root, path))
    expect(await masked('people')).toEqual(expect.arrayContaining(['mail', 'p']))
    expect(await masked('people', '--source', 'model')).toEqual(expect.arrayContaining(['mail', 'p']))
  })

  it('the raw load by the build that reads it', async () => {
    ground.write('models/customers.svc', customers('description: x'))
    expect(await masked('customers', '--source', 'raw')).toEqual(['email', 'profile__mail'])
  })

  it('all of a child table whose list is marked', async () => {
    ground.write('models/customers.svc', customers('contract: {columns: {contacts: {pii: true}}}'))
    await run()
    expect(await masked('customers', '--source', 'raw', '--child', 'contacts')).toEqual(['phone'])
    expect(await masked('customers', '--source', 'raw')).toEqual([])
  })

  it('until a run has made the removal of a mark that of the build, and says so in the plan', async () => {
    ground.write('models/customers.svc', customers('contract: {columns: {email: {}, profile: {}}}'))
    const plan = await ground.line(['plan'])
    expect(plan.stdout).toMatch(/customers +marks +email of the source is no longer\s+marked as personal/)
    expect(JSON.parse((await ground.line(['plan', '--json'])).stdout)).toMatchObject({
      mark_changes: [
        { asset: 'customers', column: 'email', source: true, before: true, after: null },
        { asset: 'customers', column: 'profile', source: true, before: true, after: null },
      ],
    })
    expect(await masked('people')).toEqual(['mail', 'p'])
    await run()
    expect(await masked('people')).toEqual([])
    expect(JSON.parse((await ground.line(['plan', '--json'])).stdout)).not.toHaveProperty('mark_changes')
  })

  it('a new mark at once, and nothing that is declared harmless', async () => {
    ground.write('models/people.svc', `${people()}columns: {n: {pii: true}, p: {pii: false}}\n`)
    expect(await masked('people')).toEqual(['mail', 'p', 'n'])
    await run()
    expect(await masked('people')).toEqual(['mail', 'n'])
    const manifest = JSON.parse(readFileSync(join(ground.root, '.svc/manifest.json'), 'utf8')) as {
      schemas: Record<string, { columns: { name: string; pii: boolean }[] }>
    }
    const isMarked = new Map(manifest.schemas['people']?.columns.map(({ name, pii }) => [name, pii]))
    expect(isMarked.get('p')).toBe(false)
    expect(isMarked.get('mail')).toBe(true)
  })

  it('columns that a policy names', async () => {
    ground.write('glossary.yaml', 'policies: [{name: P, pii_columns: [customers.id], enforcement: warn}]\n')
    expect(await masked('people')).toEqual(['id', 'mail', 'p'])
  })

  it('everything of a build of which nothing is known', async () => {
    const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root: ground.root, project: 'shop' })
    const session = await warehouse.open('write')
    await session.execute(['DELETE FROM svc.svc_lineage'])
    await session.close()
    ground.write(
      'models/people.svc',
      people("SELECT id, 1 AS mail, 2 AS p, 3 AS n FROM {{ ref('customers') }}"),
    )
    expect(await masked('people')).toEqual(['id', 'mail', 'p', 'n'])
  })
})

describe('svc sample --query masks', () => {
  it('by the builds that it reads, also where their files are others', async () => {
    expect(await masked('people', '--query')).toEqual(['mail', 'p'])
    ground.write('models/customers.svc', customers('description: x'))
    expect(await masked('people', '--query')).toEqual(['mail', 'p'])
    ground.write(
      'models/customers.svc',
      "name: customers\ningest: none\ntransform: SELECT 'x' AS email, 'y' AS p, 1 AS id\n",
    )
    expect(await masked('people', '--query')).toEqual(['id', 'mail', 'p', 'n'])
  })
})
