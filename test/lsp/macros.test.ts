/** Macros in a session of an editor: what is typed in their files counts in the models that call them, and nowhere else. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Diagnostic, Location } from 'vscode-languageserver-protocol/node'
import { buildCommand } from '../support/cli.ts'
import { type Editor, startEditor } from './editor.ts'

beforeAll(buildCommand, 240_000)

const cents = 'CREATE MACRO cents(amount) AS amount / 100.0;\n'
const files = {
  'svc.yaml': 'name: p\n',
  'macros/money.sql': cents,
  'models/orders.svc': 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 2 AS amount\n',
  'models/prices.svc':
    "name: prices\ningest: none\ntransform: |\n  SELECT {{ cents(amount) }} AS price FROM {{ ref('orders') }}\n",
}

let root = ''
let editor: Editor
const uriOf = (path: string) => pathToFileURL(join(root, path)).href
const has = (code: string) => (diagnostics: readonly Diagnostic[]) =>
  diagnostics.some(each => each.code === code)
const none = (diagnostics: readonly Diagnostic[]) => diagnostics.length === 0

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-lsp-')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  editor = await startEditor({ folders: [root] })
})

afterEach(async () => {
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  rmSync(root, { recursive: true, force: true })
})

describe('a file of macros', () => {
  it('is checked as it is typed, with the models that call them', async () => {
    const [macros, prices] = [uriOf('macros/money.sql'), uriOf('models/prices.svc')]
    editor.open(macros, cents)
    editor.change(macros, { text: cents.replace('amount / 100.0', 'amout / 100.0') })
    const [problem] = await editor.published(prices, has('sql-unknown-column'))
    expect(problem).toMatchObject({
      range: { start: { line: 3, character: 9 }, end: { line: 3, character: 28 } },
      message: expect.stringContaining('in the macro "cents" (macros/money.sql:1:31)'),
      relatedInformation: [
        {
          location: {
            uri: macros,
            range: { start: { line: 0, character: 30 }, end: { line: 0, character: 35 } },
          },
        },
      ],
    })
    await editor.published(macros, has('macro-unused-parameter'))
    editor.change(macros, { text: 'CREATE MACRO cents(amount) AS amount / ;\n' })
    await editor.published(macros, has('macro-syntax'))
    editor.close(macros)
    await editor.published(macros, none)
    await editor.published(prices, none)
    const found = await editor.connection.sendRequest<Location[]>('textDocument/references', {
      textDocument: { uri: prices },
      position: { line: 3, character: 13 },
      context: { includeDeclaration: true },
    })
    expect(found.map(({ uri }) => uri)).toEqual([prices, macros])
  })

  it('counts as it is on disk: changed, removed, new', async () => {
    const prices = uriOf('models/prices.svc')
    const tell = (path: string, type: number) =>
      editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: uriOf(path), type }],
      })
    rmSync(join(root, 'macros/money.sql'))
    await tell('macros/money.sql', 3)
    await editor.published(prices, has('unknown-macro'))
    writeFileSync(join(root, 'macros/more.sql'), cents)
    await tell('macros/more.sql', 1)
    await editor.published(prices, none)
  })

  it('is SQL of others where no project is', async () => {
    const stray = pathToFileURL(join(tmpdir(), 'macros', 'stray.sql')).href
    editor.open(stray, 'SELECT 1')
    const answer = await editor.connection.sendRequest('textDocument/hover', {
      textDocument: { uri: stray },
      position: { line: 0, character: 2 },
    })
    expect(answer).toBe(null)
    editor.close(stray)
  })
})
