import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type CodeAction, CodeActionKind, commands, WorkspaceEdit, window, workspace } from 'vscode'
import { ask, behind, fileUri, noProblem, open, problem, replace, revert } from './documents.ts'
import { until } from './until.ts'

/** Files keep their names: the editor gives such an edit to this suite in another order than to a person's F2. */
async function changed(edit: WorkspaceEdit): Promise<readonly string[]> {
  const texts = new WorkspaceEdit()
  for (const [uri, edits] of edit.entries()) texts.set(uri, edits)
  assert.ok(await workspace.applyEdit(texts), 'the edit was applied')
  return edit.entries().map(([uri]) => uri.path.split('/').at(-1) ?? '')
}

async function revertAll(files: readonly string[]): Promise<void> {
  for (const file of files) await revert(await open(`models/${file}`))
}

describe('edits by the language server', () => {
  it('rename a column in every file that uses it', async () => {
    const document = await open('models/paid_orders.svc')
    const place = behind(document, 'order_day', 2)
    const edit = await ask<WorkspaceEdit>('executeDocumentRenameProvider', document.uri, place, 'paid_on')
    const files = await changed(edit)
    assert.deepEqual(files.toSorted(), ['daily_revenue.svc', 'paid_orders.svc'])
    const reader = await open('models/daily_revenue.svc')
    assert.match(reader.getText(), /paid_on/)
    assert.match(reader.getText(), /unique: (order_day|paid_on)/)
    await noProblem(document)
    await revertAll(files)
  })

  it('rename an asset in every ref to it', async () => {
    const document = await open('models/products.svc')
    const place = behind(document, 'name: ', 8)
    const edit = await ask<WorkspaceEdit>('executeDocumentRenameProvider', document.uri, place, 'goods')
    const files = await changed(edit)
    const reader = await open('models/orders.svc')
    assert.match(reader.getText(), /ref\('goods'\)/)
    await noProblem(reader)
    await revertAll(files)
  })

  it('repair a misspelt column with one click', async () => {
    const document = await open('models/orders.svc')
    await replace(document, 'line.quantity', 'line.quantiy')
    const found = await problem(document, 'quantiy')
    const actions = await ask<CodeAction[]>(
      'executeCodeActionProvider',
      document.uri,
      found.range,
      CodeActionKind.QuickFix.value,
      10,
    )
    const fix = actions.find(({ title }) => title.includes('quantity'))
    assert.ok(fix?.edit !== undefined, actions.map(({ title }) => title).join(' | '))
    await changed(fix.edit)
    await noProblem(document)
    assert.match(document.getText(), /line\.quantity/)
    await revert(document)
  })

  it('rewrite every ref when the file of an asset gets another name', async () => {
    writeFileSync(fileUri('models/stem.svc').fsPath, 'ingest: none\ntransform: SELECT 1 AS one\n')
    writeFileSync(
      fileUri('models/reader.svc').fsPath,
      "name: reader\ningest: none\ntransform: SELECT one FROM {{ ref('stem') }}\n",
    )
    const reader = await open('models/reader.svc')
    const edit = new WorkspaceEdit()
    await until('the new asset', async () => {
      const found = await ask<unknown[]>('executeDefinitionProvider', reader.uri, behind(reader, 'stem', 2))
      return found.length > 0
    })
    edit.renameFile(fileUri('models/stem.svc'), fileUri('models/trunk.svc'))
    assert.ok(await workspace.applyEdit(edit))
    await until('the new name in the reader', () => reader.getText().includes("ref('trunk')"))
    await noProblem(reader)
    await revert(reader)
    await commands.executeCommand('workbench.action.closeActiveEditor')
    for (const name of ['trunk', 'reader']) rmSync(fileUri(`models/${name}.svc`).fsPath, { force: true })
  })

  it('format on save', async () => {
    const document = await open('models/daily_revenue.svc')
    const path = document.uri.fsPath
    const before = readFileSync(path, 'utf8')
    const settings = workspace.getConfiguration('editor', { languageId: 'svc', uri: document.uri })
    await settings.update('formatOnSave', true, undefined, true)
    try {
      await replace(document, 'count(*) AS orders', 'count( * )    as orders')
      await replace(document, 'owner: finance@example.com', 'owner:    finance@example.com')
      await document.save()
      const saved = readFileSync(path, 'utf8')
      assert.match(saved, /count\(\*\) AS orders/)
      assert.doesNotMatch(saved, /owner: {2}/)
      assert.equal(window.activeTextEditor?.document.isDirty, false)
    } finally {
      await settings.update('formatOnSave', undefined, undefined, true)
      writeFileSync(path, before)
    }
    await until('the old text', () => document.getText() === before)
  })
})
