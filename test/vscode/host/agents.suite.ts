/** The servers of `svc mcp`, started by the editor itself as it does for its agents. */
import assert from 'node:assert/strict'
import { ConfigurationTarget, commands, LanguageModelTextPart, lm, workspace } from 'vscode'
import { until } from './until.ts'

/** The editor puts a name for the server before that of a tool, and may cut the whole. */
const toolNamed = (name: string) =>
  lm.tools.find(tool => tool.name.startsWith('mcp_') && tool.name.endsWith(name))

const startServers = () =>
  commands.executeCommand('workbench.mcp.startServer', '*', { autoTrustChanges: true })

async function answerOf(name: string, input: object): Promise<string> {
  const tool = toolNamed(name)
  assert.ok(tool, `there is ${name}`)
  const { content } = await lm.invokeTool(tool.name, { input, toolInvocationToken: undefined })
  return content.map(part => (part instanceof LanguageModelTextPart ? part.value : '')).join('')
}

describe('the agents of the editor', () => {
  before('the server is started', async () => {
    // The list asks the extensions which servers they have.
    const listed = commands.executeCommand('workbench.mcp.listServer')
    await until('the tools of svc mcp', async () => {
      await startServers()
      return toolNamed('list_assets')
    })
    await commands.executeCommand('workbench.action.closeQuickOpen')
    await listed
  })

  it('have the tools of svc mcp that look, and none that changes anything', () => {
    const names = lm.tools.map(({ name }) => name).join(', ')
    for (const name of ['list_assets', 'get_lineage', 'validate', 'plan', 'check_patch'])
      assert.ok(toolNamed(name), `${name} is among ${names}`)
    assert.equal(toolNamed('apply_patch'), undefined)
  })

  it('learn from them what svc knows of the project that is open', async () => {
    const asset = JSON.parse(await answerOf('get_asset', { asset: 'orders' }))
    assert.equal(asset.path, 'models/orders.svc')
    assert.match(asset.text, /ref\('products'\)/)
    assert.ok(asset.schema.columns.some(({ name }: { name: string }) => name === 'status'))
  })

  it('are told what is wrong with a call', async () => {
    assert.match(await answerOf('get_asset', { asset: 'oders' }), /oders.*orders/s)
  })

  it('may apply patches where the settings allow it', async () => {
    const settings = workspace.getConfiguration('svc')
    await settings.update('agents.allowWrite', true, ConfigurationTarget.Workspace)
    await until('the tool that applies patches', async () => {
      await startServers()
      return toolNamed('apply_patch')
    })
    await settings.update('agents.allowWrite', undefined, ConfigurationTarget.Workspace)
  })
})
