/** The servers that the editor's agents are offered, and what one of them says when it is started as the editor would. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, vi } from 'vitest'
import type { ProjectSummary } from '../../server/lsp/protocol.ts'
import { createProject } from '../support/cli.ts'

interface Definition {
  readonly label: string
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
  readonly version: string
  cwd?: { readonly fsPath: string }
}

interface Provider {
  readonly onDidChangeMcpServerDefinitions: (listener: () => void) => void
  provideMcpServerDefinitions(): Promise<readonly Definition[]>
}

const editor = vi.hoisted(() => ({
  isTrusted: true,
  settings: {} as Record<string, unknown>,
  providers: new Map<string, unknown>(),
  hasApi: true,
}))

vi.mock('vscode', () => {
  class EventEmitter {
    readonly listeners: (() => void)[] = []
    readonly event = (listener: () => void) => {
      this.listeners.push(listener)
      return { dispose: () => undefined }
    }
    fire() {
      for (const listener of this.listeners) listener()
    }
  }
  class McpStdioServerDefinition {
    constructor(label: string, command: string, args: string[], env: object, version: string) {
      Object.assign(this, { label, command, args, env, version })
    }
  }
  const none = () => ({ dispose: () => undefined })
  return {
    EventEmitter,
    McpStdioServerDefinition,
    Uri: {
      parse: (text: string) => ({ fsPath: new URL(text).pathname }),
      file: (fsPath: string) => ({ fsPath }),
    },
    lm: {
      get registerMcpServerDefinitionProvider() {
        if (!editor.hasApi) return undefined
        return (id: string, provider: unknown) => {
          editor.providers.set(id, provider)
          return none()
        }
      },
    },
    workspace: {
      get isTrusted() {
        return editor.isTrusted
      },
      onDidGrantWorkspaceTrust: none,
      onDidChangeConfiguration: none,
      getConfiguration: () => ({ get: (name: string) => editor.settings[name] }),
    },
  }
})

// Files that share this process may have loaded the modules with an editor of their own.
vi.resetModules()
const { offerAgentServers } = await import('../../extension/agents/agent-servers.ts')
const cli = join(import.meta.dirname, '../../cli/bin/svc.cjs')

function offered(projects: readonly Pick<ProjectSummary, 'name' | 'root'>[], environment = 'dev') {
  const changed: (() => void)[] = []
  const said: string[] = []
  const follow = (listener: () => void) => {
    changed.push(listener)
    return { dispose: () => undefined }
  }
  editor.providers.clear()
  offerAgentServers({ of: () => cli }, {
    context: { subscriptions: [], extension: { packageJSON: { version: '9.9.9' } } },
    log: { info: (text: string) => said.push(text), warn: () => undefined },
    projects: { all: projects, loaded: Promise.resolve(), onDidChange: follow },
    environments: { of: () => environment, onDidChange: follow },
  } as unknown as Parameters<typeof offerAgentServers>[1])
  return { provider: editor.providers.get('svc') as Provider | undefined, changed, said }
}

it('a server a project, which only looks, and writes when a setting says so', async () => {
  editor.settings = { env: { SHOP: 'x' } }
  const projects = [
    { name: 'shop', root: 'file:///a/shop' },
    { name: 'shop', root: 'file:///b/shop' },
    { name: 'crm', root: 'file:///crm' },
  ]
  const { provider, changed } = offered(projects, 'staging')
  const servers = (await provider?.provideMcpServerDefinitions()) ?? []
  expect(servers.map(({ label }) => label)).toEqual([
    'svc: shop (/a/shop)',
    'svc: shop (/b/shop)',
    'svc: crm',
  ])
  expect(servers[2]).toMatchObject({
    command: process.execPath,
    args: [cli, 'mcp', '--env', 'staging'],
    env: { SHOP: 'x', ELECTRON_RUN_AS_NODE: '1' },
    cwd: { fsPath: '/crm' },
    version: '9.9.9',
  })
  editor.settings = { 'agents.allowWrite': true }
  expect((await provider?.provideMcpServerDefinitions())?.[0]?.args).toContain('--allow-write')
  const told = vi.fn()
  provider?.onDidChangeMcpServerDefinitions(told)
  for (const change of changed) change()
  expect(told).toHaveBeenCalledTimes(changed.length)
  editor.isTrusted = false
  expect(await provider?.provideMcpServerDefinitions()).toEqual([])
  editor.isTrusted = true
})

it('an editor without the interface is told of in the log, and nothing fails', () => {
  editor.hasApi = false
  const { provider, said } = offered([])
  expect(provider).toBeUndefined()
  expect(said[0]).toContain('docs/agents.md')
  editor.hasApi = true
})

it('an offered server answers in the folder of its project', async () => {
  editor.settings = {}
  const project = createProject({
    'svc.yaml': 'name: shop\n',
    'models/a.svc': 'name: a\ningest: none\ntransform: SELECT 1 AS a_id\n',
  })
  const client = new Client({ name: 'test', version: '1' })
  try {
    const { provider } = offered([{ name: 'shop', root: `file://${project.root}` }])
    const [server] = (await provider?.provideMcpServerDefinitions()) ?? []
    const { command = '', args = [], env = {}, cwd } = server ?? {}
    const path = { PATH: process.env['PATH'] ?? '', HOME: project.root }
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...path, ...env }, cwd: cwd?.fsPath ?? '' }),
    )
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('list_assets')
    expect(names).not.toContain('apply_patch')
    expect(await client.callTool({ name: 'list_assets', arguments: {} })).toMatchObject({
      structuredContent: { assets: [{ name: 'a' }] },
    })
  } finally {
    await client.close()
    project.dispose()
  }
}, 240_000)
