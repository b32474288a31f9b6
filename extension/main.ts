/** The extension's two entry points. Everything is registered at once and asked for when somebody uses it. */
import { commands, type ExtensionContext, window } from 'vscode'
import { findCli } from './bundled-cli.ts'
import { type Server, startServer } from './client.ts'
import type { Services } from './commands/command.ts'
import { allCommands } from './commands/index.ts'
import { createEnvironments } from './environments.ts'
import { followProjects } from './projects/projects.ts'
import { createTerminals } from './terminals/terminals.ts'

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
  const server = startServer(context, cli, log)
  running = server
  const services: Services = {
    context,
    log,
    server,
    projects: followProjects(context, server, log),
    environments: createEnvironments(context),
    terminals: createTerminals(context, cli, log),
  }
  registerCommands(services)
}

/** The editor waits for this: the server gets the time to end by itself. */
export async function deactivate(): Promise<void> {
  await running?.stop()
}

function registerCommands(services: Services): void {
  for (const { id, run } of allCommands) {
    services.context.subscriptions.push(
      commands.registerCommand(id, async (argument: unknown, selected: unknown) => {
        try {
          await run(services, argument, selected)
        } catch (error) {
          services.log.error(
            `${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          )
          void window.showErrorMessage(`SVC: ${error instanceof Error ? error.message : String(error)}`)
        }
      }),
    )
  }
}
