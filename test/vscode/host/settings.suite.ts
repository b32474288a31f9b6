import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { type CompletionList, ConfigurationTarget, tasks, workspace } from 'vscode'
import { ask, behind, fileUri, open, problemsOf } from './documents.ts'
import { until } from './until.ts'

async function withSetting(name: string, value: unknown, work: () => Promise<unknown>): Promise<void> {
  const settings = workspace.getConfiguration('svc')
  await settings.update(name, value, ConfigurationTarget.Workspace)
  try {
    await work()
  } finally {
    await settings.update(name, undefined, ConfigurationTarget.Workspace)
    rmSync(fileUri('.vscode').fsPath, { recursive: true, force: true })
  }
}

describe('settings', () => {
  it('svc.environment is that of every command', async () => {
    await withSetting('environment', 'prod', async () => {
      const names = (await tasks.fetchTasks({ type: 'svc' })).map(({ name }) => name)
      assert.ok(names.includes('run --env prod'), names.join())
    })
  })

  it('svc.env and svc.envFile are known to the language server, and a change holds at once', async () => {
    const path = fileUri('models/remote.svc').fsPath
    writeFileSync(path, 'name: remote\ningest:\n  type: rest_api\n  endpoint: env:\n')
    writeFileSync(fileUri('own.env').fsPath, 'SVC_TEST_URL=http://127.0.0.1:9\n')
    const document = await open('models/remote.svc')
    const isOffered = async () => {
      const list = await ask<CompletionList>(
        'executeCompletionItemProvider',
        document.uri,
        behind(document, 'env:'),
      )
      return list.items.some(({ label }) => JSON.stringify(label).includes('SVC_TEST_URL'))
    }
    const isKnown = () => until('the variable', isOffered)
    const isUnknown = () => until('no such variable', async () => !(await isOffered()))
    try {
      assert.equal(await isOffered(), false)
      await withSetting('env', { SVC_TEST_URL: 'http://127.0.0.1:9' }, isKnown)
      await isUnknown()
      await withSetting('envFile', 'own.env', isKnown)
    } finally {
      rmSync(path)
      rmSync(fileUri('own.env').fsPath)
    }
    await until('no problem of a file that is gone', () => problemsOf(document).length === 0)
  })
})
