import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commands, languages, type SymbolInformation, tasks, Uri, window, workspace } from 'vscode'
import { ask, behind, folder, noProblem, problem, replace, revert } from './documents.ts'
import { exitCodeOf } from './exit-code.ts'
import { until } from './until.ts'

describe('several folders in one window', () => {
  it('are checked each for itself', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map(index => workspace.openTextDocument(Uri.file(join(folder(index), 'models/orders.svc')))),
    )
    assert.ok(first !== undefined && second !== undefined)
    await window.showTextDocument(second)
    await replace(second, 'o.status,', 'o.statu,')
    await problem(second, 'statu')
    assert.deepEqual(languages.getDiagnostics(first.uri), [])
    await revert(second)
    await noProblem(second)
    assert.ok(behind(first, 'name: ').line >= 0)
  })

  it('are both searched for symbols', async () => {
    const found = await until('both', async () => {
      const all = await ask<SymbolInformation[]>('executeWorkspaceSymbolProvider', 'daily_revenue')
      const folders = new Set(all.map(({ location }) => workspace.getWorkspaceFolder(location.uri)?.index))
      return folders.size === 2 && folders
    })
    assert.deepEqual([...found].sort(), [0, 1])
  })

  it('have tasks each, which run where the name of the folder has blanks, quotes and signs', async () => {
    const all = await until('the tasks of both', async () => {
      const found = await tasks.fetchTasks({ type: 'svc' })
      return found.length === 12 && found
    })
    const odd = all.find(
      ({ name, scope }) => name === 'run --env dev' && typeof scope === 'object' && scope.index === 1,
    )
    assert.ok(odd !== undefined)
    assert.equal(await exitCodeOf(odd), 0)
    assert.ok(existsSync(join(folder(1), '.svc')), 'it ran in that folder')
    assert.ok(!existsSync(join(folder(0), '.svc')), 'and in no other')
  })

  it('take a lens to the project of its file', async () => {
    const uri = Uri.file(join(folder(0), 'models/products.svc')).toString()
    const ended = new Promise<number | undefined>(resolve => {
      const listening = tasks.onDidEndTaskProcess(({ exitCode }) => {
        listening.dispose()
        resolve(exitCode)
      })
    })
    await commands.executeCommand('svc.runAsset', { asset: 'products', uri })
    assert.equal(await ended, 0)
    assert.ok(existsSync(join(folder(0), '.svc')))
  })
})
