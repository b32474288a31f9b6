/** Columns of child tables that only a contract knows, in everything that an editor says of them before the first load. */
import { openCatalog, readSourceShapes } from '@svc/server/catalog'
import { type Catalog, createProject, definitionHash, parseSettings, projectFlow } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quickFixes } from '../../../server/language/features/actions/code-actions.ts'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { definition } from '../../../server/language/features/definition.ts'
import { hoverAt } from '../../../server/language/features/hover/hover-at.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { wholeMarking } from '../../../server/language/personal/marking.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { applyEdits, hash } from '../../support/spec-project.ts'

const path = 'models/baskets.svc'
const asset = (
  contract: string,
  sql: string,
  ingest = 'type: rest_api, endpoint: "https://a.example", resource: b',
) => `name: baskets\ningest: {${ingest}}\ncontract:\n${contract}transform: ${sql}\n`
const promised =
  '  tables:\n    lines:\n      columns:\n        qty: integer\n        mail: {type: varchar, pii: true}\n'
const known = 'type: rows, rows: [{id: 1, lines: [{sku: mug, qty: 2}]}]'

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog(engine)
})
afterAll(() => catalog.close())

async function read(text: string): Promise<Knowledge> {
  const project = projectWith(text)
  const { shapes, diagnostics } = await readSourceShapes(project, { root: '/nowhere', lockText: undefined })
  expect(diagnostics).toEqual([])
  return knowledgeOf(catalog, project, shapes)
}

const messages = (knowledge: Knowledge) =>
  knowledge.diagnostics(path).map(({ code, message }) => `${code} ${message}`)

describe('before the first load', () => {
  const text = asset(promised, "SELECT qty, upper(mail) AS who, qty + 1 AS more FROM {{ source('lines') }}")

  it('types are known, and a column that the contract does not name is not wrong', async () => {
    const knowledge = await read(text)
    const columns = knowledge.analysis.of('baskets')?.columns.map(({ name, type }) => `${name} ${type}`)
    expect(columns).toEqual(['qty INTEGER', 'who VARCHAR', 'more INTEGER'])
    expect(messages(await read(text.replace('qty + 1 AS more', 'other')))).toEqual([])
  })

  it('a mark of personal data reaches what is made of the column', async () => {
    const { project, analysis } = await read(text)
    const flow = projectFlow(project, analysis, wholeMarking([]))
    expect(flow.of('baskets', 'who')?.grade).toBe('personal')
    expect(flow.of('baskets', 'qty')).toBeUndefined()
  })

  it('hover and definition lead to the contract', async () => {
    const knowledge = await read(text)
    const inSql = text.indexOf('qty, upper')
    expect(hoverAt(knowledge, path, inSql)?.markdown).toContain('INTEGER')
    const [target] = definition(knowledge, path, inSql)?.targets ?? []
    expect(target?.range.start).toBe(text.indexOf('qty: integer'))
  })
})

describe('when the source is known', () => {
  it('tables and columns are completed from it', async () => {
    const start = '  tables:\n    '
    const labels = async (contract: string) => {
      const text = asset(contract, "SELECT sku FROM {{ source('lines') }}", known)
      const knowledge = await knowledgeOf(
        catalog,
        ...(await shaped(asset('  evolution: evolve\n', 'SELECT 1', known))),
      )
      const at = asset(contract, '', known).indexOf(contract) + contract.length - 1
      return completionsAt({ ...knowledge, project: knowledge.project.with(path, text) }, path, at).items.map(
        ({ label }) => label,
      )
    }
    expect(await labels(`${start}\n`)).toContain('lines')
    expect(await labels(`${start}lines:\n      columns:\n        \n`)).toEqual(
      expect.arrayContaining(['sku', 'qty']),
    )
    expect(await labels(`${start}lines:\n      required_columns: []\n`.replace('[]', '['))).toEqual(
      expect.arrayContaining(['sku', 'qty']),
    )
  })

  it.each([
    ['{skuu: varchar}', 'contract-absent-column the child table "lines" has no column "skuu"'],
    ['{qty: intger}', 'unknown-type unknown type "intger"'],
  ])('a misspelt word in %s is told', async (columns, message) => {
    const contract = `  tables:\n    lines:\n      columns: ${columns}\n`
    expect(messages(await read(asset(contract, "SELECT sku FROM {{ source('lines') }}", known)))).toContain(
      message,
    )
  })

  it('a misspelt table and a column that it must have are told', async () => {
    const sql = "SELECT sku FROM {{ source('lines') }}"
    const table = await read(asset('  tables: {line: {columns: {sku: varchar}}}\n', sql, known))
    expect(messages(table)).toContain('contract-absent-column the source has no child table "line"')
    const column = await read(asset('  tables: {lines: {required_columns: [price]}}\n', sql, known))
    expect(messages(column)).toContain(
      'contract-unknown-column the required column "price" is not in the child table "lines"',
    )
  })
})

it('a promised child table that is one value is told at its place, and can be taken out', async () => {
  const contract = '  columns: {id: bigint}\n  tables: {note: {columns: {text: varchar}}}\n'
  const text = asset(contract, 'SELECT id FROM {{ source }}', 'type: rows, rows: [{id: 1, note: gift}]')
  const found = async (written: string) => {
    const project = projectWith(written)
    return (await readSourceShapes(project, { root: '/nowhere', lockText: undefined })).diagnostics
  }
  const [diagnostic] = await found(text)
  expect(diagnostic?.code).toBe('child-not-a-list')
  expect(text.slice(diagnostic?.range.start, diagnostic?.range.end)).toContain('columns: {text')
  const knowledge = await knowledgeOf(catalog, projectWith(text))
  const [fix] = diagnostic === undefined ? [] : quickFixes({ knowledge, path, text, diagnostic })
  const repaired = applyEdits(new Map([[path, text]]), fix?.edits ?? []).get(path) ?? ''
  expect(repaired).not.toContain('note:\n')
  expect(await found(repaired)).toEqual([])
})

it('a contract of a child table counts for the hash, its descriptions and marks do not', async () => {
  const hashOf = async (contract: string) => {
    const { project } = await read(asset(contract, "SELECT qty FROM {{ source('lines') }}"))
    const found = project.byName.get('baskets')
    return found && definitionHash(found, engine, {}, hash)
  }
  const one = await hashOf('  tables: {lines: {columns: {qty: integer}}}\n')
  expect(await hashOf('  tables: {lines: {columns: {qty: {type: integer, pii: true}}}}\n')).toBe(one)
  expect(await hashOf('  tables: {lines: {columns: {qty: bigint}}}\n')).not.toBe(one)
  expect(await hashOf('  evolution: evolve\n')).toBe(await hashOf('  tables: {}\n'))
})

async function shaped(text: string) {
  const project = projectWith(text)
  const { shapes } = await readSourceShapes(project, { root: '/nowhere', lockText: undefined })
  return [project, shapes] as const
}

function projectWith(text: string) {
  return createProject({ settings: parseSettings('name: t'), files: [{ path, text }], hash })
}
