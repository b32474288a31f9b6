/** Clients that ask for diagnostics: one document, the workspace in parts, and the word that answers are out of date. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  CancellationTokenSource,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  WorkspaceDiagnosticRequest,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver-protocol/node'
import { buildCommand } from '../support/cli.ts'
import { type Editor, pullCapabilities, startEditor } from './editor.ts'

beforeAll(buildCommand, 240_000)

const orders = 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 2 AS amount\n'
const sums = `name: sums\ningest: none\ntransform: SELECT sum(amount) AS total FROM {{ ref('orders') }}\n`

let root = ''
let editor: Editor
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-pull-')))
  put('svc.yaml', 'name: p\n')
  put('models/orders.svc', orders)
  put('models/sums.svc', sums)
  editor = await startEditor({ folders: [root], capabilities: pullCapabilities })
})
afterEach(async () => {
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  // A client that asks is not sent anything.
  expect([...editor.diagnostics]).toEqual([])
  rmSync(root, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const uriOf = (path: string) => pathToFileURL(join(root, path)).href

function ask(path: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
  return editor.connection.sendRequest(DocumentDiagnosticRequest.type, {
    textDocument: { uri: uriOf(path) },
    ...(previousResultId !== undefined && { previousResultId }),
  })
}

function codesOf(
  report: DocumentDiagnosticReport | WorkspaceDocumentDiagnosticReport | undefined,
): unknown[] {
  return report?.kind === 'full' ? report.items.map(({ code }) => code) : [report?.kind]
}

describe('a client that asks', () => {
  it('is told how in the first answer', () => {
    expect(editor.initialized.capabilities.diagnosticProvider).toEqual({
      identifier: 'svc',
      interFileDependencies: true,
      workspaceDiagnostics: true,
    })
  })

  it('gets the answer for the text as it is, and a short one where nothing changed', async () => {
    editor.open(uriOf('models/orders.svc'), orders.replace('2 AS', 'nope AS'))
    const first = await ask('models/orders.svc')
    expect(codesOf(first)).toEqual(['sql-unknown-column'])
    expect(codesOf(await ask('models/orders.svc', first.resultId))).toEqual(['unchanged'])
    editor.change(uriOf('models/orders.svc'), { text: orders })
    expect(codesOf(await ask('models/orders.svc', first.resultId))).toEqual([])
  })

  it('gets what else changed among the open documents with it', async () => {
    editor.open(uriOf('models/orders.svc'), orders)
    editor.open(uriOf('models/sums.svc'), sums)
    expect(codesOf(await ask('models/sums.svc'))).toEqual([])
    editor.change(uriOf('models/orders.svc'), { text: orders.replace('AS amount', 'AS price') })
    const { relatedDocuments } = await ask('models/orders.svc')
    expect(Object.keys(relatedDocuments ?? {})).toEqual([uriOf('models/sums.svc')])
    expect(codesOf(relatedDocuments?.[uriOf('models/sums.svc')] as DocumentDiagnosticReport)).toEqual([
      'sql-unknown-column',
    ])
  })

  it('gets the answer for the file that is typed in where other open files read much that has changed', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `part_${index}`)
    for (const name of names)
      put(
        `models/${name}.svc`,
        `name: ${name}\ningest: none\ntransform: SELECT id, amount FROM {{ ref('orders') }}\n`,
      )
    const parts = names.map(name => `SELECT amount FROM {{ ref('${name}') }}`).join(' UNION ALL ')
    const wide = `name: wide\ningest: none\ntransform: ${parts}\n`
    put('models/wide.svc', wide)
    editor.filesChanged(
      [...names, 'wide'].map(name => uriOf(`models/${name}.svc`)),
      1,
    )
    editor.open(uriOf('models/wide.svc'), wide)
    editor.open(uriOf('models/orders.svc'), orders)
    expect(codesOf(await ask('models/wide.svc'))).toEqual([])
    editor.change(uriOf('models/orders.svc'), { text: orders.replace('AS amount', 'AS price, 3 AS id') })
    expect(codesOf(await ask('models/orders.svc'))).toEqual(['sql-duplicate-column'])
    expect(codesOf(await ask('models/part_59.svc'))).toEqual(['sql-unknown-column'])
    editor.change(uriOf('models/orders.svc'), { text: orders })
    expect(codesOf(await ask('models/part_59.svc'))).toEqual([])
    expect(codesOf(await ask('models/wide.svc'))).toEqual([])
  })

  it('is told when a file on disk makes its answers old', async () => {
    editor.open(uriOf('models/sums.svc'), sums)
    expect(codesOf(await ask('models/sums.svc'))).toEqual([])
    const refreshed = new Promise<void>(resolve => {
      editor.connection.onRequest('workspace/diagnostic/refresh', () => {
        resolve()
        return null
      })
    })
    put('models/orders.svc', orders.replace('amount', 'price'))
    editor.filesChanged([uriOf('models/orders.svc')])
    await refreshed
    expect(codesOf(await ask('models/sums.svc'))).toEqual(['sql-unknown-column'])
  })

  it('of the workspace gets an answer as soon as there is something to tell', async () => {
    const request = editor.connection.sendRequest(WorkspaceDiagnosticRequest.type, { previousResultIds: [] })
    put('models/other.svc', 'nme: other\n')
    editor.filesChanged([uriOf('models/other.svc')], 1)
    const { items } = await request
    const found = items.find(({ uri }) => uri === uriOf('models/other.svc'))
    expect(codesOf(found)).toContain('unknown-key')
    const next = editor.connection.sendRequest(WorkspaceDiagnosticRequest.type, {
      previousResultIds: items.map(({ uri, resultId }) => ({ uri, value: resultId ?? '' })),
    })
    rmSync(join(root, 'models/other.svc'))
    editor.filesChanged([uriOf('models/other.svc')], 3)
    expect((await next).items.map(item => [item.uri, codesOf(item)])).toEqual([
      [uriOf('models/other.svc'), []],
    ])
  })

  it('of the workspace in parts gets each change, until it has heard enough', async () => {
    const told: WorkspaceDocumentDiagnosticReport[] = []
    let wake = (): void => {}
    editor.connection.onProgress(WorkspaceDiagnosticRequest.partialResult, 'parts', ({ items }) => {
      told.push(...items)
      wake()
    })
    const stop = new CancellationTokenSource()
    const request = editor.connection.sendRequest(
      WorkspaceDiagnosticRequest.type,
      { previousResultIds: [], partialResultToken: 'parts' },
      stop.token,
    )
    const next = async () => {
      if (told.length === 0) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      return told.splice(0).map(item => [item.uri, codesOf(item)])
    }
    put('models/orders.svc', orders.replace('amount', 'price'))
    editor.filesChanged([uriOf('models/orders.svc')])
    expect(await next()).toEqual([[uriOf('models/sums.svc'), ['sql-unknown-column']]])
    put('models/orders.svc', orders)
    editor.filesChanged([uriOf('models/orders.svc')])
    expect(await next()).toEqual([[uriOf('models/sums.svc'), []]])
    stop.cancel()
    await expect(request).rejects.toMatchObject({ code: -32800 })
  })
})
