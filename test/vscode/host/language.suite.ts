import assert from 'node:assert/strict'
import { join } from 'node:path'
import {
  commands,
  extensions,
  languages,
  Position,
  Range,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode'
import { until } from './until.ts'

const folder = (): string => workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''

async function open(path: string) {
  const document = await workspace.openTextDocument(Uri.file(join(folder(), path)))
  await window.showTextDocument(document)
  return document
}

describe('the extension', () => {
  it('is activated by the project, and its start is short', async () => {
    const extension = extensions.getExtension('svc.svc')
    assert.ok(extension !== undefined, 'it is installed')
    await extension.activate()
    assert.equal(extension.isActive, true)
  })

  it('gives .svc files their language', async () => {
    const document = await open('models/orders.svc')
    assert.equal(document.languageId, 'svc')
  })

  it('has every command of its manifest', async () => {
    const manifest = extensions.getExtension('svc.svc')?.packageJSON as {
      contributes: { commands: { command: string }[] }
    }
    const known = new Set(await commands.getCommands(true))
    const missing = manifest.contributes.commands.filter(({ command }) => !known.has(command))
    assert.deepEqual(missing, [])
  })
})

describe('the language server in the editor', () => {
  it('shows a mistake while it is typed, and takes it back', async () => {
    const document = await open('models/orders.svc')
    const end = document.positionAt(document.getText().length)
    const edit = new WorkspaceEdit()
    edit.insert(document.uri, end, '\nnonsense: 1\n')
    await workspace.applyEdit(edit)
    const found = await until('a diagnostic', () =>
      languages.getDiagnostics(document.uri).find(one => one.message.includes('nonsense')),
    )
    assert.equal(document.getText(found.range), 'nonsense')
    const undo = new WorkspaceEdit()
    undo.delete(document.uri, new Range(end, document.positionAt(document.getText().length)))
    await workspace.applyEdit(undo)
    await until('no diagnostic', () => languages.getDiagnostics(document.uri).length === 0)
    assert.equal(new Position(0, 0).line, 0)
  })
})
