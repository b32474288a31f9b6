import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CodeAction,
  commands,
  extensions,
  LanguageModelTextPart,
  lm,
  type TextDocument,
  window,
  workspace,
} from 'vscode'
import { ask, open, problem, replace, revert } from './documents.ts'
import { until } from './until.ts'

/** What is promised. The machine of a test is busy with the editor's own start at the same time: it is only told. */
const goalMs = 300

describe('the extension', () => {
  it('is activated by the project', async () => {
    const extension = await until('the extension', () => extensions.getExtension('svc.svc'))
    await until('its activation, which nobody asked for', () => extension.isActive)
  })

  it('is started by the project alone, and says how long that took', async () => {
    await commands.executeCommand('perfview.show')
    const report = await until('the editor’s own figures', () =>
      workspace.textDocuments.find(({ uri, lineCount }) => uri.scheme === 'perf' && lineCount > 10),
    )
    const { load, call, finish, event } = activationOf(report)
    console.log(`activation: load ${load} ms, call ${call} ms, finish ${finish} ms (goal ${goalMs} ms)`)
    assert.ok([load, call, finish].every(ms => ms >= 0))
    assert.match(event, /^workspaceContains/)
  })

  it('makes svc known in the terminals of the editor', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-typed-'))
    const said = join(folder, 'said.txt')
    const terminal = window.createTerminal({ name: 'typed', cwd: folder })
    try {
      terminal.sendText('svc --version > said.txt')
      const version = await until('what svc says of itself', () =>
        existsSync(said) ? /^svc \d.*/.exec(readFileSync(said, 'utf8'))?.[0] : undefined,
      )
      assert.match(version, /^svc \d+\.\d+\.\d+ \(/)
    } finally {
      terminal.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('gives .svc files their language', async () => {
    const document = await open('models/orders.svc')
    assert.equal(document.languageId, 'svc')
  })

  it('has every command of its manifest', async () => {
    const manifest = extensions.getExtension('svc.svc')?.packageJSON as {
      contributes: { commands: { command: string }[] }
    }
    assert.ok(manifest.contributes.commands.length > 30)
    const known = new Set(await commands.getCommands(true))
    const missing = manifest.contributes.commands.filter(({ command }) => !known.has(command))
    assert.deepEqual(missing, [])
  })

  it('has every tool of its manifest for language models, which answer with what svc knows', async () => {
    const manifest = extensions.getExtension('svc.svc')?.packageJSON as {
      contributes: { languageModelTools: { name: string }[] }
    }
    const promised = manifest.contributes.languageModelTools.map(({ name }) => name)
    await until('the tools', () => promised.every(name => lm.tools.some(tool => tool.name === name)))
    const input = { input: { asset: 'orders' }, toolInvocationToken: undefined }
    const { content } = await lm.invokeTool('svc_context', input)
    const text = content.map(part => (part instanceof LanguageModelTextPart ? part.value : '')).join('')
    const pack = JSON.parse(text) as { readonly assets: readonly { readonly name: string }[] }
    assert.equal(pack.assets[0]?.name, 'orders')
  })

  it('offers a fix by a language model beside a problem', async () => {
    const document = await open('models/orders.svc')
    await replace(document, 'o.status,', 'o.statu,')
    const { range } = await problem(document, 'statu')
    const actions = await ask<CodeAction[]>('executeCodeActionProvider', document.uri, range)
    const command = actions.find(({ title }) => title === 'Fix with AI')?.command
    assert.equal(command?.command, 'svc.aiFix')
    await revert(document)
  })
})

interface Activation {
  readonly load: number
  readonly call: number
  readonly finish: number
  readonly event: string
}

/** Of the table "Extension Activation Stats": | name | eager | load | call | finish | event | by |. */
function activationOf(report: TextDocument): Activation {
  const line = report
    .getText()
    .split('\n')
    .find(text => /\|\s*svc\.svc\s*\|/.test(text))
  assert.ok(line !== undefined, 'the figures name the extension')
  const [, , , load, call, finish, event] = line.split('|').map(cell => cell.trim())
  return { load: Number(load), call: Number(call), finish: Number(finish), event: event ?? '' }
}
