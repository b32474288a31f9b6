/** Many files that change at once, and files that others are typing in: what an editor is told meanwhile. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CompletionList, Diagnostic, WorkspaceEdit } from 'vscode-languageserver-protocol/node'
import type { ProjectsResult } from '../../server/lsp/protocol.ts'
import { buildCommand } from '../support/cli.ts'
import { type Editor, startEditor } from './editor.ts'

beforeAll(buildCommand, 240_000)

let root = ''
let editor: Editor
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-lsp-')))
})
afterEach(async () => {
  if (editor.child.exitCode === null && editor.child.signalCode === null) expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  rmSync(root, { recursive: true, force: true })
})

const uriOf = (path: string) => pathToFileURL(join(root, path)).href
const messages = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ message }) => String(message).split('\n')[0] ?? '')

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return uriOf(path)
}

async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  put('svc.yaml', 'name: p\n')
  for (const [path, text] of Object.entries(files)) put(path, text)
  editor = await startEditor({ folders: [root] })
}

async function summary() {
  const [project] = await editor.connection.sendRequest<ProjectsResult>('svc/projects', null)
  if (project === undefined) throw new Error('there is no project')
  return project
}

/** Of every file, each list that it was told to have from now on. */
function recorded(): Map<string, string[][]> {
  const told = new Map<string, string[][]>()
  editor.onPublished(({ uri, diagnostics }) => {
    told.set(uri, [...(told.get(uri) ?? []), messages(diagnostics)])
  })
  return told
}

describe('hundreds of files that change at once', () => {
  const count = 600
  const pathOf = (index: number) => `models/m${index}.svc`
  const good = (index: number) => `name: m${index}\ningest: none\ntransform: SELECT ${index} AS id, 1 AS a\n`
  const bad = (index: number) => good(index).replace('1 AS a', 'nope AS a')
  const indexes = Array.from({ length: count }, (_, index) => index)

  it('are told as they are known, and nothing is counted before it is true', async () => {
    await begin(Object.fromEntries(indexes.map(index => [pathOf(index), good(index)])))
    await expect.poll(async () => (await summary()).assets.length, { timeout: 30_000 }).toBe(count)
    await expect.poll(async () => (await summary()).checking, { timeout: 30_000 }).toBeUndefined()
    for (const index of indexes) put(pathOf(index), bad(index))
    editor.filesChanged(indexes.map(index => uriOf(pathOf(index))))
    const seen: { readonly done: number; readonly of: number }[] = []
    const toldThen: number[] = []
    for (;;) {
      const { checking, problems } = await summary()
      if (checking === undefined) {
        expect(problems.errors).toBe(count)
        break
      }
      seen.push(checking)
      toldThen.push(problems.errors)
    }
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.every(({ done, of }) => done <= of)).toBe(true)
    // Some were known to the editor while others were still being looked at.
    expect(toldThen.some(errors => errors > 0 && errors < count)).toBe(true)
  }, 240_000)

  it('take their problems with them when they go', async () => {
    await begin(Object.fromEntries(indexes.map(index => [pathOf(index), bad(index)])))
    await expect.poll(async () => (await summary()).problems.errors, { timeout: 240_000 }).toBe(count)
    for (const index of indexes) if (index > 0) rmSync(join(root, pathOf(index)))
    editor.filesChanged(
      indexes.filter(index => index > 0).map(index => uriOf(pathOf(index))),
      3,
    )
    await expect.poll(async () => (await summary()).problems.errors, { timeout: 240_000 }).toBe(1)
    expect(editor.diagnostics.get(uriOf(pathOf(count - 1)))).toEqual([])
  }, 240_000)
})

describe('a rename that hundreds of files read', () => {
  const indexes = Array.from({ length: 600 }, (_, index) => index)
  const orders = 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 2 AS amount\n'
  const reader = (index: number) =>
    `name: r${index}\ningest: none\ntransform: SELECT o.amount + ${index} AS amount FROM {{ ref('orders') }} AS o\n`

  async function beginWithReaders() {
    const readers = indexes.map(index => [`models/r${index}.svc`, reader(index)] as const)
    await begin({ 'models/orders.svc': orders, ...Object.fromEntries(readers) })
    const uri = uriOf('models/orders.svc')
    editor.open(uri, orders)
    await expect.poll(async () => (await summary()).assets.length, { timeout: 30_000 }).toBe(601)
    await expect.poll(async () => (await summary()).checking, { timeout: 30_000 }).toBeUndefined()
    const position = { line: 2, character: orders.split('\n')[2]?.indexOf('amount') ?? 0 }
    return { textDocument: { uri }, position, newName: 'total' }
  }

  it('lets everything else be answered meanwhile', async () => {
    const asked = await beginWithReaders()
    let isOver = false
    const renamed = editor.connection.sendRequest<WorkspaceEdit>('textDocument/rename', asked).finally(() => {
      isOver = true
    })
    let answers = 0
    while (!isOver) {
      await editor.connection.sendRequest('svc/alive')
      answers += 1
    }
    expect(answers).toBeGreaterThan(3)
    expect(Object.keys((await renamed).changes ?? {})).toHaveLength(601)
  }, 240_000)

  it('is refused if one of them changes meanwhile: its places would be wrong', async () => {
    const asked = await beginWithReaders()
    const renamed = editor.connection.sendRequest('textDocument/rename', asked)
    editor.open(uriOf('models/r599.svc'), `# ${reader(599)}`)
    await expect(renamed).rejects.toThrow('files of the project were changed meanwhile; rename it once more')
  }, 240_000)
})

describe('an asset that is half typed', () => {
  const orders = 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 2 AS amount\n'
  const sums = `name: sums\ningest: none\ntransform: SELECT amount, nope FROM {{ ref('orders') }}\n`
  const files = { 'models/orders.svc': orders, 'models/sums.svc': sums }
  const broken = [
    orders.replace('2 AS amount', '2 AS'),
    orders.replace('2 AS amount', '2 AS (amount'),
    orders.replace('1 AS id, 2 AS amount', ''),
    `${orders}tests: [`,
  ]

  it.each(broken)('leaves its readers with the columns that it had: %j', async text => {
    await begin(files)
    const [uri, reader] = [uriOf('models/orders.svc'), uriOf('models/sums.svc')]
    editor.open(uri, orders)
    await editor.published(reader, list => list.length === 1)
    const told = recorded()
    editor.change(uri, { text })
    await editor.published(uri, list => list.length > 0)
    editor.change(uri, { text: text.replace('name: orders', 'name: orders ') })
    await summary()
    // A reader that is written only now is told just the same what there is not.
    editor.open(reader, sums.replace('nope', 'nope, gone'))
    const found = await editor.published(reader, list => list.length === 2)
    expect(messages(found)).toEqual([
      expect.stringContaining('unknown column "nope"'),
      expect.stringContaining('unknown column "gone"'),
    ])
    // What stands is never taken back while somebody types.
    expect(told.get(reader)?.filter(list => list.length === 0) ?? []).toEqual([])
  })

  it('is seen as it is once it can be read again', async () => {
    await begin(files)
    const [uri, reader] = [uriOf('models/orders.svc'), uriOf('models/sums.svc')]
    editor.open(uri, orders)
    await editor.published(reader, list => list.length === 1)
    editor.change(uri, { text: orders.replace('2 AS amount', '2 AS (amount') })
    await editor.published(uri, list => list.length > 0)
    editor.change(uri, { text: orders.replace('2 AS amount', '2 AS nope') })
    const found = await editor.published(reader, list => messages(list).some(text => text.includes('amount')))
    expect(messages(found)).toEqual([expect.stringContaining('unknown column "amount"')])
  })

  it('says nothing about columns that nobody has known', async () => {
    await begin({ ...files, 'models/orders.svc': broken[1] ?? '' })
    await editor.published(uriOf('models/orders.svc'), list => list.length > 0)
    await expect.poll(async () => (await summary()).problems.errors).toBe(1)
    expect(editor.diagnostics.get(uriOf('models/sums.svc')) ?? []).toEqual([])
  })
})

it('problems that stand are not taken back at any key', async () => {
  const text = `name: a\ningest: none\ntransform: |\n  SELECT 1 AS id,\n    nope AS b\n  FROM (SELECT 2 AS c)\n`
  await begin({ 'models/a.svc': text })
  const uri = uriOf('models/a.svc')
  editor.open(uri, text)
  await editor.published(uri, list => list.length === 1)
  const told = recorded()
  for (let length = 1; length <= 12; length++) {
    editor.change(uri, { text: text.replace('AS id', `AS id${'x'.repeat(length)}`) })
    await summary()
  }
  editor.change(uri, { text: text.replace('nope', '3') })
  await editor.published(uri, list => list.length === 0)
  expect(told.get(uri)?.filter(list => list.length === 0)).toHaveLength(1)
})

it('two thousand CTEs, each reading the one before, can be completed', async () => {
  const ctes = Array.from({ length: 2000 }, (_, index) =>
    index === 0 ? 'c0 AS (SELECT 1 AS id)' : `c${index} AS (SELECT id FROM c${index - 1})`,
  )
  const lines = [
    'name: a',
    'ingest: none',
    'transform: |',
    `  WITH ${ctes.join(', ')}`,
    '  SELECT t. FROM c1999 AS t',
    '',
  ]
  await begin({ 'models/a.svc': lines.join('\n') })
  editor.open(uriOf('models/a.svc'), lines.join('\n'))
  const list = await editor.connection.sendRequest<CompletionList>('textDocument/completion', {
    textDocument: { uri: uriOf('models/a.svc') },
    position: { line: 4, character: 11 },
  })
  expect(list.items.map(({ label }) => label)).toContain('id')
}, 240_000)
