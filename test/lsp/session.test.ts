/** A session of an editor with the server: what is typed, saved, made, moved and deleted is what counts. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { Editor, plainCapabilities, startEditor } from './editor.ts'

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

const orders = 'name: orders\ningest: none\ntransform: SELECT 1 AS id, 2 AS amount\n'
const sums = `name: sums\ningest: none\ntransform: SELECT sum(amount) AS total FROM {{ ref('orders') }}\n`

function put(path: string, text: string | Buffer): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return uriOf(path)
}

const uriOf = (path: string) => pathToFileURL(join(root, path)).href
const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code)
const has = (code: string) => (diagnostics: readonly Diagnostic[]) => codes(diagnostics).includes(code)
const none = (diagnostics: readonly Diagnostic[]) => diagnostics.length === 0

async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) put(path, text)
  editor = await startEditor({ folders: [root] })
}

describe('what is typed', () => {
  it('counts at once, for files downstream too, saved or not', async () => {
    await begin({ 'svc.yaml': 'name: p\n', 'models/orders.svc': orders, 'models/sums.svc': sums })
    const uri = uriOf('models/orders.svc')
    editor.open(uri, orders)
    editor.change(uri, { text: orders.replace('AS amount', 'AS price') })
    const [problem] = await editor.published(uriOf('models/sums.svc'), has('sql-unknown-column'))
    expect(problem).toMatchObject({
      range: { start: { line: 2, character: 22 }, end: { line: 2, character: 28 } },
      source: 'svc',
      severity: 1,
      message: expect.stringContaining('unknown column "amount"'),
    })
    editor.close(uri)
    await editor.published(uriOf('models/sums.svc'), none)
  })

  it('is told before what it means for other open files', async () => {
    await begin({ 'svc.yaml': 'name: p\n', 'models/orders.svc': orders, 'models/sums.svc': sums })
    const uri = uriOf('models/orders.svc')
    editor.open(uriOf('models/sums.svc'), sums)
    editor.open(uri, orders)
    editor.change(uri, { text: orders.replace('2 AS amount', '2 AS amount, 3 AS id') })
    await editor.published(uri, has('sql-duplicate-column'))
    const told: string[] = []
    editor.onPublished(params => void told.push(params.uri))
    editor.change(uri, { text: orders.replace('AS amount', 'AS price') })
    await editor.published(uriOf('models/sums.svc'), has('sql-unknown-column'))
    expect(told).toEqual([uri, uriOf('models/sums.svc')])
  })

  it('is taken in pieces, each behind the one before', async () => {
    await begin({ 'svc.yaml': 'name: p\n', 'models/orders.svc': orders })
    const uri = uriOf('models/orders.svc')
    editor.open(
      uri,
      'name: orders\r\ningest: none\r\ntransform: |\r\n  SELECT 1 AS "größe 🛒",\r\n    nope AS b\r\n',
    )
    const [problem] = await editor.published(uri, has('sql-unknown-column'))
    expect(problem?.range).toEqual({ start: { line: 4, character: 4 }, end: { line: 4, character: 8 } })
    editor.change(
      uri,
      { range: { start: { line: 3, character: 9 }, end: { line: 3, character: 10 } }, text: "'🛒'" },
      { range: { start: { line: 4, character: 4 }, end: { line: 4, character: 8 } }, text: '2' },
    )
    await editor.published(uri, none)
  })

  it.runIf(process.platform === 'linux')(
    'in a dozen files of no project is checked by one process',
    async () => {
      await begin({})
      const files = Array.from({ length: 12 }, (_, index) => `untitled:Untitled-${index}`)
      for (const uri of files) editor.open(uri, 'name: u\ningest: none\ntransform: SELECT nope\n')
      for (const uri of files) await editor.published(uri, has('sql-unknown-column'))
      editor.change('untitled:Untitled-3', {
        text: 'name: u\ningest: none\ntransform: SELECT nope, neither\n',
      })
      await editor.published('untitled:Untitled-3', found => found.length === 2)
      const { stdout } = spawnSync('ps', ['--ppid', String(editor.child.pid), '-o', 'pid='], {
        encoding: 'utf8',
      })
      // One checks, and those that were started ahead of time wait.
      expect(stdout.trim().split('\n').length).toBeLessThan(4)
    },
  )

  it('in a file that is in no project is checked by itself', async () => {
    editor = await startEditor({ folders: [] })
    const uri = put('alone.svc', '')
    editor.open(
      uri,
      `name: alone\ningest: none\ntransform: SELECT nope FROM {{ ref('elsewhere') }} WHERE 1 = = 1\n`,
    )
    expect(codes(await editor.published(uri, list => list.length > 0))).not.toContain('unknown-ref')
    editor.change(uri, {
      text: `nme: alone\ningest: none\ntransform: SELECT a FROM {{ ref('elsewhere') }}\n`,
    })
    await editor.published(uri, has('unknown-key'))
    editor.close(uri)
    await editor.published(uri, none)
    const untitled = 'untitled:Untitled-1'
    editor.open(untitled, 'name: u\ningest: none\ntransform: SELECT nope\n')
    await editor.published(untitled, has('sql-unknown-column'))
  })

  it('in svc.yaml counts for the whole project', async () => {
    const uses = `name: uses\ningest: none\ntransform: SELECT {{ var('least') }} AS a\n`
    await begin({ 'svc.yaml': 'name: p\nvars: {least: 1}\n', 'models/uses.svc': uses })
    const uri = uriOf('svc.yaml')
    editor.open(uri, 'name: p\n')
    await editor.published(uriOf('models/uses.svc'), has('unknown-var'))
    editor.change(uri, { text: 'name: p\nvars: {least: 2}\nmodls: x\n' })
    await editor.published(uriOf('models/uses.svc'), none)
    await editor.published(uri, has('unknown-key'))
    editor.change(uri, { text: 'name: [broken\n' })
    await editor.published(uriOf('models/uses.svc'), has('unknown-var'))
    await editor.published(uri, list => list.length > 0 && !has('unknown-key')(list))
  })
})

describe('what happens on disk', () => {
  it('is taken over when the editor tells of it', async () => {
    await begin({ 'svc.yaml': 'name: p\n', 'models/sums.svc': sums })
    await editor.published(uriOf('models/sums.svc'), has('unknown-ref'))
    editor.filesChanged([put('models/orders.svc', orders)], 1)
    await editor.published(uriOf('models/sums.svc'), none)
    editor.filesChanged([put('models/orders.svc', orders.replace('amount', 'price'))])
    await editor.published(uriOf('models/sums.svc'), has('sql-unknown-column'))
    rmSync(join(root, 'models/orders.svc'))
    editor.filesChanged([uriOf('models/orders.svc')], 3)
    await editor.published(uriOf('models/sums.svc'), has('unknown-ref'))
  })

  it('includes folders that come and go', async () => {
    await begin({ 'svc.yaml': 'name: p\n', 'models/sums.svc': sums, 'models/base/orders.svc': orders })
    put('models/base/other.svc', 'nme: other\n')
    editor.filesChanged([uriOf('models/base/other.svc')], 1)
    await editor.published(uriOf('models/base/other.svc'), list => list.length > 0)
    renameSync(join(root, 'models/base'), join(root, 'elsewhere'))
    editor.filesChanged([uriOf('models/base')], 3)
    await editor.published(uriOf('models/sums.svc'), has('unknown-ref'))
    await editor.published(uriOf('models/base/other.svc'), none)
    renameSync(join(root, 'elsewhere'), join(root, 'models/back'))
    editor.filesChanged([uriOf('models/back')], 1)
    await editor.published(uriOf('models/sums.svc'), none)
  })

  it('includes the data that a source reads', async () => {
    put('data/a.csv', 'id,amount\n1,2\n')
    const source =
      'name: orders\ningest: {type: file, endpoint: data, resource: a.csv}\ntransform: SELECT amount FROM {{ source }}\n'
    await begin({
      'svc.yaml': 'name: p\n',
      'models/orders.svc': source,
      'models/sums.svc': `${sums}nope: 1\n`,
    })
    await editor.published(uriOf('models/sums.svc'), has('unknown-key'))
    put('data/a.csv', 'id,price\n1,2\n')
    editor.filesChanged([uriOf('data/a.csv')])
    await editor.published(uriOf('models/orders.svc'), has('sql-unknown-column'))
    rmSync(join(root, 'data/a.csv'))
    editor.filesChanged([uriOf('data/a.csv')], 3)
    await editor.published(uriOf('models/orders.svc'), has('source-file-missing'))
  })

  it('does not change what is open', async () => {
    await begin({ 'svc.yaml': 'name: p\n', 'models/orders.svc': orders, 'models/sums.svc': sums })
    const uri = uriOf('models/orders.svc')
    editor.open(uri, orders.replace('amount', 'price'))
    await editor.published(uriOf('models/sums.svc'), has('sql-unknown-column'))
    rmSync(join(root, 'models/orders.svc'))
    editor.filesChanged([uri], 3)
    editor.change(uri, { text: orders })
    await editor.published(uriOf('models/sums.svc'), none)
    editor.close(uri)
    await editor.published(uriOf('models/sums.svc'), has('unknown-ref'))
  })

  it('is looked at when a document is saved or opened, for editors that cannot watch', async () => {
    await begin({
      'svc.yaml': 'name: p\n',
      'models/orders.svc': orders,
      'models/sums.svc': `${sums}nope: 1\n`,
    })
    await editor.published(uriOf('models/sums.svc'), has('unknown-key'))
    put('models/orders.svc', orders.replace('amount', 'price'))
    editor.open(uriOf('svc.yaml'), 'name: p\n')
    await editor.published(uriOf('models/sums.svc'), has('sql-unknown-column'))
  })
})

describe('a workspace', () => {
  it('may hold several projects, each with its own names, come and go', async () => {
    for (const name of ['one', 'two', 'later/three']) {
      put(`${name}/svc.yaml`, 'name: p\n')
      put(`${name}/models/sums.svc`, sums)
    }
    put('one/models/orders.svc', orders)
    put('one/node_modules/x/svc.yaml', 'nme: x\n')
    editor = await startEditor({ folders: [join(root, 'one'), join(root, 'two')] })
    await editor.published(uriOf('two/models/sums.svc'), has('unknown-ref'))
    void editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: {
        added: [{ uri: uriOf('later'), name: 'later' }],
        removed: [{ uri: uriOf('two'), name: 'two' }],
      },
    })
    await editor.published(uriOf('later/three/models/sums.svc'), has('unknown-ref'))
    await editor.published(uriOf('two/models/sums.svc'), none)
    expect(editor.diagnostics.has(uriOf('one/models/sums.svc'))).toBe(false)
    expect(editor.diagnostics.has(uriOf('one/node_modules/x/svc.yaml'))).toBe(false)
  })

  it('with links in circles, a folder in place of a file and wrong bytes is read all the same', async () => {
    put('svc.yaml', 'name: p\n')
    put(
      'models/latin.svc',
      Buffer.from('name: latin\ningest: none\ntransform: SELECT 1 AS a -- gr\xfcn\n', 'latin1'),
    )
    mkdirSync(join(root, 'models/folder.svc'))
    symlinkSync(join(root, 'models'), join(root, 'models/loop'))
    symlinkSync(join(root, 'nowhere'), join(root, 'models/dead.svc'))
    put('models/big.svc', `name: big\ningest: none\ntransform: SELECT '${'x'.repeat(9_000_000)}' AS a\n`)
    put('models/sums.svc', sums)
    editor = await startEditor({ folders: [root] })
    await editor.published(uriOf('models/latin.svc'), has('not-utf8'))
    await editor.published(uriOf('models/big.svc'), list => list.length > 0)
    await editor.published(uriOf('models/sums.svc'), has('unknown-ref'))
  })
})

describe('the command', () => {
  it('says how it is started where it was started in another way', async () => {
    editor = await startEditor({ folders: [] })
    const launched = spawnSync(process.execPath, [svcLauncher, 'lsp'], { encoding: 'utf8' })
    expect(launched).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('svc lsp --stdio'),
    })
  })

  it('ends with the process that it was given, before the first message', async () => {
    const words = ['--clientProcessId', String(2 ** 22 - 1)]
    editor = new Editor({ folders: [], words })
    expect(await editor.ended).toBe(1)
  })
})

describe('the end', () => {
  it('is clean after shutdown', async () => {
    await begin({ 'svc.yaml': 'name: p\n' })
    expect(await editor.quit()).toBe(0)
  })

  it('without shutdown is told by the exit code', async () => {
    await begin({ 'svc.yaml': 'name: p\n' })
    await editor.connection.sendNotification('exit')
    expect(await editor.ended).toBe(1)
  })

  it('comes when the editor goes away: by its streams', async () => {
    await begin({ 'svc.yaml': 'name: p\n' })
    editor.connection.dispose()
    editor.child.stdin?.end()
    expect(await editor.ended).toBe(1)
  })

  it('comes when the editor goes away: by its process', async () => {
    put('svc.yaml', 'name: p\n')
    editor = await startEditor({ folders: [root], capabilities: plainCapabilities, processId: 2 ** 22 - 1 })
    expect(await editor.ended).toBe(1)
  })
})
