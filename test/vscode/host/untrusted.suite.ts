import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { commands, type Hover, tasks, workspace } from 'vscode'
import { ask, behind, fileUri, noProblem, open, problem, replace, revert } from './documents.ts'

describe('a workspace that nobody trusts', () => {
  it('is not trusted here', () => {
    assert.equal(workspace.isTrusted, false)
  })

  it('is checked, and its hovers are shown', async () => {
    const document = await open('models/orders.svc')
    await replace(document, 'o.status,', 'o.statu,')
    await problem(document, 'statu')
    await revert(document)
    await noProblem(document)
    const hovers = await ask<Hover[]>('executeHoverProvider', document.uri, behind(document, 'products', 3))
    assert.ok(hovers.length > 0)
  })

  it('runs nothing, whatever is clicked', async () => {
    const document = await open('models/orders.svc')
    const started: string[] = []
    const listening = tasks.onDidStartTask(({ execution }) => started.push(execution.task.name))
    for (const id of ['svc.runAsset', 'svc.sampleAsset', 'svc.runAll', 'svc.testAsset'])
      await commands.executeCommand(id, document.uri).then(undefined, () => undefined)
    assert.deepEqual(started, [])
    listening.dispose()
    assert.ok(!existsSync(fileUri('.svc').fsPath), 'no file was written')
  })
})
