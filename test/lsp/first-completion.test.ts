/** Completion never waits: who asks before the functions of the warehouse are read gets the rest, and is to ask again. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import type { CompletionList } from 'vscode-languageserver-protocol/node'
import { buildCommand } from '../support/cli.ts'
import { pullCapabilities, startEditor } from './editor.ts'

beforeAll(buildCommand, 240_000)

it('a list without functions is one to ask for again', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-first-')))
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), 'name: p\n')
  const file = join(root, 'models', 'a.svc')
  const text = 'name: a\ningest: none\ntransform: SELECT strf\n'
  writeFileSync(file, text)
  const editor = await startEditor({ folders: [root], capabilities: pullCapabilities })
  const textDocument = { uri: pathToFileURL(file).href }
  editor.open(textDocument.uri, text)
  const complete = () =>
    editor.connection.sendRequest<CompletionList>('textDocument/completion', {
      textDocument,
      position: { line: 2, character: 'transform: SELECT strf'.length },
    })
  const knowsFunctions = ({ items }: CompletionList) => items.some(({ label }) => label === 'strftime')
  const first = await complete()
  expect(knowsFunctions(first)).toBe(false)
  expect(first.isIncomplete).toBe(true)
  await expect.poll(async () => knowsFunctions(await complete()), { timeout: 20_000 }).toBe(true)
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  rmSync(root, { recursive: true })
}, 240_000)
