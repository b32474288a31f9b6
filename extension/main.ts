/** The extension's two entry points. Everything is registered at once and initialised on first use. */

import { commands, type ExtensionContext, type LogOutputChannel, Uri, window } from 'vscode'
import { offerAgentServers } from './agents/agent-servers.ts'
import { offerFixes } from './ai/fix-action.ts'
import { offerParticipant } from './ai/participant.ts'
import { createProposals } from './ai/proposals.ts'
import { offerTools } from './ai/tools.ts'
import { createVirtualTexts } from './ai/virtual-texts.ts'
import { createBackground } from './background.ts'
import { findCli } from './bundled-cli.ts'
import { type ChosenSvc, chooseSvc, tellOtherBuilds } from './chosen-svc.ts'
import { type Server, startServer } from './client.ts'
import type { Services } from './commands/command.ts'
import { allCommands } from './commands/index.ts'
import { createCompiledSql } from './compiled/compiled-sql.ts'
import { settingNames } from './contributions.ts'
import { createEnvironments } from './environments.ts'
import { messageOf } from './first-error.ts'
import { createHistory } from './history.ts'
import { createLineage } from './lineage/lineage.ts'
import { followProjects } from './projects/projects.ts'
import { showPromoteLens } from './promote-lens.ts'
import { createResults } from './results/results.ts'
import { setting } from './settings.ts'
import { watchLeases } from './status/lease-watch.ts'
import { showStatus } from './status/status-bar.ts'
import { isRowLost, tellLostRow } from './targets/lost-row.ts'
import { tellEnvironments } from './tell-environments.ts'
import { putCommandOnPath } from './terminals/command-on-path.ts'
import { provideTasks } from './terminals/task-provider.ts'
import { tellFailure } from './terminals/tell-failure.ts'
import { createTerminals } from './terminals/terminals.ts'
import { showTests } from './testing/test-explorer.ts'
import { showAssets } from './views/assets-view.ts'
import { showGlossary } from './views/glossary-view.ts'
import { showRunHistory } from './views/runs-view.ts'

let running: Server | undefined

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('SVC', { log: true })
  context.subscriptions.push(log)
  const cli = findCli(context.extensionPath)
  if (cli === undefined) {
    const message = 'this installation is not whole: it lacks the command svc; install the extension again'
    log.error(message)
    void window.showErrorMessage(`SVC: ${message}.`)
    return
  }
  const svc = chooseSvc(cli)
  const services = createServices(context, { cli, svc }, log)
  running = services.server
  registerCommands(services)
  putCommandOnPath(context, cli, log)
  showAssets(services)
  showRunHistory(services)
  showGlossary(services)
  showStatus(services)
  showTests(services)
  showPromoteLens(services)
  provideTasks(svc, services)
  offerAgentServers(svc, services)
  offerParticipant(services)
  offerTools(services)
  offerFixes(services)
  tellEnds(services)
  tellEnvironments(services)
  tellOtherBuilds(services, cli)
}

/** The editor waits for this, so that the server can shut down cleanly. */
export async function deactivate(): Promise<void> {
  await running?.stop()
}

function createServices(
  context: ExtensionContext,
  { cli, svc }: { readonly cli: string; readonly svc: ChosenSvc },
  log: LogOutputChannel,
): Services {
  const server = startServer(context, svc, log)
  const background = createBackground(svc, log)
  const projects = followProjects(context, server, log)
  const environments = createEnvironments(context)
  const texts = createVirtualTexts(context)
  const services: Services = {
    context,
    log,
    server,
    background,
    projects,
    environments,
    terminals: createTerminals(context, svc, log),
    history: createHistory(context, background, log),
    results: createResults(context, background),
    lineage: createLineage({ context, cli, svc, log, environments, services: () => services }),
    compiled: createCompiledSql(context, { server, projects, environments }),
    others: watchLeases(context),
    texts,
    proposals: createProposals(context, texts),
  }
  return services
}

function registerCommands(services: Services): void {
  for (const { id, run } of allCommands) {
    services.context.subscriptions.push(
      commands.registerCommand(id, async (...clicked: unknown[]) => {
        try {
          if (isRowLost(clicked)) tellLostRow()
          else await run(services, clicked[0], clicked[1])
        } catch (error) {
          services.log.error(`${id}: ${(error instanceof Error && error.stack) || messageOf(error)}`)
          void window.showErrorMessage(`SVC: ${messageOf(error)}`)
        }
      }),
    )
  }
}

function tellEnds(services: Services): void {
  const { context, terminals, history } = services
  context.subscriptions.push(
    terminals.onDidEnd(({ command, code }) => {
      history.refresh()
      void tellFailure(services, command, code)
      if (code === 0 && setting(settingNames.notifyOnSuccess, Uri.parse(command.root), false)) {
        void window.showInformationMessage(`svc ${command.words.join(' ')} is done.`)
      }
    }),
  )
}
