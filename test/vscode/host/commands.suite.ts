import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { commands, tasks } from 'vscode'
import { fileUri, noProblem, open } from './documents.ts'

/** The words and the exit code of the next `svc` that is started in a terminal. */
function nextCommand(): Promise<{ readonly words: string; readonly code: number | undefined }> {
  return new Promise(resolve => {
    const listening = tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      listening.dispose()
      resolve({ words: execution.task.name, code: exitCode })
    })
  })
}

async function runs(command: string, argument: unknown, words: string, code = 0): Promise<void> {
  const ended = nextCommand()
  await commands.executeCommand(command, argument)
  assert.deepEqual(await ended, { words: `${words} --env dev`, code }, `${command} runs ${words}`)
}

describe('the commands of an asset', () => {
  /** What the places that one can click on hand over (see extension/targets). */
  const places: Readonly<Record<string, () => unknown>> = {
    'a lens': () => ({ asset: 'products', uri: fileUri('models/products.svc').toString() }),
    'the title of the editor, or the explorer': () => fileUri('models/products.svc'),
    'the tree': () => ({ kind: 'asset', uri: fileUri('models/products.svc').toString() }),
    'the palette, for the active editor': () => undefined,
  }

  before(() => runs('svc.runAll', undefined, 'run'))

  beforeEach(async () => {
    await noProblem(await open('models/products.svc'))
  })

  for (const [place, argument] of Object.entries(places))
    it(`run svc from ${place}`, async () => {
      await runs('svc.runAsset', argument(), 'run products')
      await runs('svc.testAsset', argument(), 'test products --all-tests')
    })

  it('are Run with Upstreams, with Downstreams, Preview, Plan and Show Versions too', async () => {
    const lens = { asset: 'orders', uri: fileUri('models/orders.svc').toString() }
    await runs('svc.runWithUpstreams', lens, 'run +orders')
    await runs('svc.runWithDownstreams', lens, 'run orders+')
    await runs('svc.previewAsset', lens, 'preview orders')
    await runs('svc.planAsset', lens, 'plan orders')
    await runs('svc.versions', lens, 'versions orders')
    assert.ok(existsSync(fileUri('svc_catalog.json').fsPath), 'they ran in the project')
  })

  it('do nothing for a row of the tree that the editor has forgotten, whatever file is open', async () => {
    const lens = { asset: 'orders', uri: fileUri('models/orders.svc').toString() }
    await commands.executeCommand('svc.runAsset', undefined, undefined)
    await commands.executeCommand('svc.rollbackAsset', undefined, undefined)
    await runs('svc.planAsset', lens, 'plan orders')
  })

  it('run its tests', async () => {
    const uri = fileUri('models/orders.svc').toString()
    await runs('svc.testAsset', { asset: 'orders', uri }, 'test orders --all-tests')
  })
})

describe('the commands of a project', () => {
  it('run svc in its environment', async () => {
    await open('models/products.svc')
    await runs('svc.plan', undefined, 'plan')
    await runs('svc.runModified', undefined, 'run state:modified+')
    await runs('svc.unitTests', undefined, 'test --unit')
    await runs('svc.status', undefined, 'status')
  })
})
