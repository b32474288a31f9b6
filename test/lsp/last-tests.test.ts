/** Hover on a test tells what came of it: of a data test in the last run, of a unit test on the text as it is. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Hover, MarkupContent } from 'vscode-languageserver-protocol/node'
import { buildCommand } from '../support/cli.ts'
import { type Editor, pullCapabilities, startEditor } from './editor.ts'

const text = `name: orders
ingest: none
transform: SELECT 1 AS id, 2 AS amount
tests:
  - not_null: id
  - unit:
      given: {}
      expect: [{id: 1, amount: 3}]
`
let root = ''
let editor: Editor
beforeAll(async () => {
  buildCommand()
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-last-tests-')))
  for (const folder of ['models', '.svc']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'svc.yaml'), 'name: p\n')
  writeFileSync(join(root, 'models/orders.svc'), text)
  writeResults('pass')
  editor = await startEditor({ folders: [root], capabilities: pullCapabilities })
}, 240_000)
afterAll(async () => {
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  rmSync(root, { recursive: true })
})

const uriOf = (path: string) => pathToFileURL(join(root, path)).href

function writeResults(status: string): void {
  const tests = [{ name: 'not_null_id', status, execution_time: 0.1 }, { name: 7 }]
  const entry = { asset_name: 'orders', timestamp: '2026-05-01T10:00:07Z', tests }
  writeFileSync(join(root, '.svc/test_results.json'), JSON.stringify({ orders: entry, broken: [] }))
}

async function hover(word: string): Promise<string> {
  const before = text.slice(0, text.indexOf(word)).split('\n')
  const found = await editor.connection.sendRequest<Hover | null>('textDocument/hover', {
    textDocument: { uri: uriOf('models/orders.svc') },
    position: { line: before.length - 1, character: (before.at(-1) ?? '').length + 1 },
  })
  return (found?.contents as MarkupContent | undefined)?.value ?? ''
}

async function settled(): Promise<void> {
  await editor.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri: uriOf('svc.yaml') } })
}

it('hover on a data test tells its last result', async () => {
  await settled()
  await expect.poll(() => hover('not_null')).toContain('`not_null_id`: passed, 2026-05-01 10:00 UTC')
  writeResults('fail')
  editor.filesChanged([uriOf('.svc/test_results.json')])
  await expect.poll(() => hover('not_null')).toContain('`not_null_id`: **failed**, 2026-05-01 10:00 UTC')
})

it('hover on a unit test tells what it finds in the text as it is', async () => {
  await settled()
  expect(await hover('unit')).toMatch(/`unit\w*` fails here: /)
})
