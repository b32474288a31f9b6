/** Offers the servers of `svc mcp` to the agents of the editor, which start one when they need it. */
import { EventEmitter, lm, McpStdioServerDefinition, Uri, workspace } from 'vscode'
import type { ChosenSvc } from '../chosen-svc.ts'
import type { Services } from '../commands/command.ts'
import { agentServersId, languageId, settingNames } from '../contributions.ts'
import { setting, variablesOf } from '../settings.ts'
import { type ServedProject, serverFacts } from './server-facts.ts'

type Ground = Pick<Services, 'context' | 'log' | 'projects' | 'environments'>

/** The settings with which a server starts. */
const startSettings = [
  settingNames.allowWrite,
  settingNames.env,
  settingNames.envFile,
  settingNames.useProjectSvc,
]

export function offerAgentServers(svc: ChosenSvc, { context, log, projects, environments }: Ground): void {
  // Editors that are built on VS Code may leave it out.
  if (typeof lm?.registerMcpServerDefinitionProvider !== 'function') {
    log.info(
      'this editor takes no servers for agents from extensions; docs/agents.md says how to name svc mcp',
    )
    return
  }
  const changes = new EventEmitter<void>()
  const { version } = context.extension.packageJSON as { readonly version: string }
  const served = (): readonly ServedProject[] =>
    projects.all.map(({ name, root }) => {
      const uri = Uri.parse(root)
      return {
        name,
        cli: svc.of(root),
        folder: uri.fsPath,
        environment: environments.of(root),
        allowsWriting: setting(settingNames.allowWrite, uri, false),
        variables: variablesOf(uri, log),
      }
    })
  context.subscriptions.push(
    changes,
    projects.onDidChange(() => changes.fire()),
    environments.onDidChange(() => changes.fire()),
    workspace.onDidGrantWorkspaceTrust(() => changes.fire()),
    workspace.onDidChangeConfiguration(event => {
      if (startSettings.some(name => event.affectsConfiguration(`${languageId}.${name}`))) changes.fire()
    }),
    lm.registerMcpServerDefinitionProvider(agentServersId, {
      onDidChangeMcpServerDefinitions: changes.event,
      async provideMcpServerDefinitions() {
        await projects.loaded
        return serverFacts(served(), workspace.isTrusted).map(facts => {
          const { label, executable, args, env, cwd } = facts
          const server = new McpStdioServerDefinition(label, executable, [...args], { ...env }, version)
          server.cwd = Uri.file(cwd)
          return server
        })
      },
    }),
  )
}
