import assert from 'node:assert/strict'
import { commands } from 'vscode'
import { fileUri, open } from './documents.ts'
import { until } from './until.ts'

describe('the Test Explorer', () => {
  it('has the data tests and unit tests of the assets', async () => {
    await open('models/orders.svc')
    const controllers = await until('tests', async () => {
      const found = await commands.executeCommand<string[]>('vscode.testing.getControllersWithTests')
      return found.length > 0 && found
    })
    assert.deepEqual(controllers, ['svc.tests'])
    const found = await until('the tests of the file', async () => {
      const all = await commands.executeCommand<string[][]>(
        'vscode.testing.getTestsInFile',
        fileUri('models/orders.svc'),
      )
      return all.length > 1 && all
    })
    const names = found.map(path => path.at(-1)?.split('#').at(-1))
    assert.ok(names.includes('amount_adds_up_the_lines'), names.join())
    assert.equal(names.length, 6, names.join())
  })
})
