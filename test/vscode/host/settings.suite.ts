import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { type CompletionList, ConfigurationTarget, commands, languages, tasks, workspace } from 'vscode'
import { ask, behind, fileUri, open } from './documents.ts'
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

  describe('svc.env and svc.envFile', () => {
    const asset = 'models/remote.svc'
    const url = 'http://127.0.0.1:9'

    beforeEach(() => {
      const text = 'name: remote\ningest:\n  type: rest_api\n  endpoint: env:\n'
      writeFileSync(fileUri(asset).fsPath, text)
      writeFileSync(fileUri('own.env').fsPath, `SVC_TEST_URL=${url}\n`)
    })

    afterEach(async () => {
      const uri = fileUri(asset)
      rmSync(uri.fsPath)
      rmSync(fileUri('own.env').fsPath)
      // A server that is just starting may not hear of a file that goes: the next one begins without it.
      await commands.executeCommand('svc.restartServer')
      await until('no problem of a file that is gone', () => languages.getDiagnostics(uri).length === 0)
    })

    async function isOffered(variable: string): Promise<boolean> {
      const document = await open(asset)
      const place = behind(document, 'env:')
      const list = await ask<CompletionList>('executeCompletionItemProvider', document.uri, place)
      return list.items.some(({ label }) => JSON.stringify(label).includes(variable))
    }
    const isKnown = (variable: string) => () => until(variable, () => isOffered(variable))
    const isUnknown = (variable: string) => until(`no ${variable}`, async () => !(await isOffered(variable)))

    it('are known to the language server, and a change holds at once', async () => {
      assert.equal(await isOffered('SVC_TEST_URL'), false)
      await withSetting('env', { SVC_TEST_URL: url }, isKnown('SVC_TEST_URL'))
      await isUnknown('SVC_TEST_URL')
      await withSetting('envFile', 'own.env', isKnown('SVC_TEST_URL'))
    })

    it('hold as they were changed last, also while the server starts again', async () => {
      await withSetting('env', { SVC_TEST_FIRST: url }, async () => {
        await withSetting('env', { SVC_TEST_LAST: url }, isKnown('SVC_TEST_LAST'))
      })
    })
  })
})
