import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { commands, Selection, type TextDocument, window } from 'vscode'
import { behind, fileUri, open, replace, revert } from './documents.ts'
import { until } from './until.ts'

function compiled(): TextDocument | undefined {
  const editor = window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'svc-compiled')
  return editor?.document
}

describe('compiled SQL', () => {
  it('stands beside its source and follows it', async () => {
    const source = await open('models/daily_revenue.svc')
    await commands.executeCommand('svc.showCompiledSql')
    const sql = await until('the compiled SQL', () => compiled())
    await until('its text', () => sql.getText().includes('SELECT'))
    assert.doesNotMatch(sql.getText(), /\{\{/, 'no tag is left')
    assert.match(sql.getText(), /100 \+ 20/, 'variables have their values')
    assert.equal(sql.languageId, 'sql')
    await replace(source, 'count(*) AS orders', 'count(*) AS how_many')
    await until('the new name', () => sql.getText().includes('how_many'))
    await revert(source)
    await until('the old name', () => !sql.getText().includes('how_many'))
  })

  it('moves with the cursor of its source', async () => {
    const source = await open('models/daily_revenue.svc')
    await commands.executeCommand('svc.showCompiledSql')
    const sql = await until('the compiled SQL', () => compiled())
    const editor = await window.showTextDocument(source, { viewColumn: 1 })
    const place = behind(source, 'GROUP BY')
    editor.selection = new Selection(place, place)
    const wanted = sql.positionAt(sql.getText().indexOf('GROUP BY')).line
    await until('the same line in sight', () =>
      window.visibleTextEditors
        .find(({ document }) => document === sql)
        ?.visibleRanges.some(range => range.start.line <= wanted && wanted <= range.end.line),
    )
  })

  it('says why there is none', async () => {
    const path = fileUri('models/nothing.svc').fsPath
    writeFileSync(path, 'name: nothing\ningest: none\n')
    try {
      await open('models/nothing.svc')
      await commands.executeCommand('svc.showCompiledSql')
      await until('the reason, as a comment', () => /^-- \S/.test(compiled()?.getText() ?? ''))
    } finally {
      rmSync(path)
    }
  })
})
