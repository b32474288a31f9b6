/** A statement that asks for too much costs its own file an error, on the command line and in an editor, and nobody else. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { startEditor } from '../lsp/editor.ts'
import { buildCommand, createProject } from '../support/cli.ts'

beforeAll(buildCommand, 240_000)

const files = {
  'svc.yaml': 'name: p\nlimits: {sql: {time: 500ms, memory: 200MB}}\n',
  'models/good.svc': 'name: good\ningest: none\ntransform: SELECT 1 AS a\n',
  'models/bad.svc': `name: bad\ningest: none\ntransform: SELECT b FROM {{ ref('good') }}\n`,
  'models/reader.svc': `name: reader\ningest: none\ntransform: SELECT q FROM {{ ref('greedy') }}\n`,
}
const greedy = `name: greedy\ningest: none\ntransform: |\n  SELECT ${Array(20).fill("repeat('x', 100000000)").join(' || ')} AS q\n`

interface Report {
  readonly files: readonly {
    readonly path: string
    readonly diagnostics: readonly { readonly code: string; readonly message: string }[]
  }[]
}

it('svc validate names it, says all else, and says the same again', async () => {
  const project = createProject({ ...files, 'models/greedy.svc': greedy })
  for (let round = 0; round < 2; round++) {
    const { code, value } = await project.json(['validate', '--json'])
    const told = (value as Report).files.flatMap(({ path, diagnostics }) =>
      diagnostics.map(each => `${path} ${each.code}`),
    )
    expect(code).toBe(1)
    expect(told).toEqual(['models/bad.svc sql-unknown-column', 'models/greedy.svc sql-too-expensive'])
  }
  project.dispose()
}, 240_000)

it('an editor goes on answering while it is tried', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-greedy-')))
  mkdirSync(join(root, 'models'))
  const all = { ...files, 'models/greedy.svc': greedy.replaceAll('100000000', '1') }
  for (const [path, text] of Object.entries(all)) writeFileSync(join(root, path), text)
  const uriOf = (path: string) => pathToFileURL(join(root, path)).href
  const editor = await startEditor({ folders: [root] })
  const uri = uriOf('models/greedy.svc')
  editor.open(uri, greedy.replaceAll('100000000', '1'))
  await editor.published(uriOf('models/bad.svc'), list =>
    list.some(({ code }) => code === 'sql-unknown-column'),
  )
  let isTold = false
  editor.change(uri, { text: greedy })
  const told = editor
    .published(uri, list => list.some(({ code }) => code === 'sql-too-expensive'))
    .then(() => {
      isTold = true
    })
  const position = { line: 2, character: 12 }
  const items = await editor.connection.sendRequest<unknown>('textDocument/completion', {
    textDocument: { uri },
    position,
  })
  expect(items).not.toBeNull()
  expect(isTold).toBe(false)
  await told
  // The others keep what they have, and what is typed next is looked at as always.
  const bad = uriOf('models/bad.svc')
  editor.open(bad, files['models/bad.svc'])
  editor.change(bad, { text: files['models/bad.svc'].replace('SELECT b', 'SELECT a') })
  await editor.published(bad, list => list.length === 0)
  editor.change(uri, { text: greedy.replaceAll('100000000', '1') })
  await editor.published(uri, list => list.length === 0)
  expect(await editor.quit()).toBe(0)
  rmSync(root, { recursive: true, force: true })
}, 240_000)
