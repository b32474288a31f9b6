/**
 * Determines the environment of commands (`--env`): the one that was picked in the status bar for a project,
 * otherwise the setting.
 */
import { EventEmitter, type ExtensionContext, Uri, workspace } from 'vscode'
import { languageId, settingNames } from './contributions.ts'
import { setting } from './settings.ts'

export type Environments = ReturnType<typeof createEnvironments>

const defaultEnvironment = 'dev'

export function createEnvironments(context: ExtensionContext) {
  const changes = new EventEmitter<void>()
  const key = (root: string) => `environment:${root}`
  context.subscriptions.push(
    changes,
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration(`${languageId}.${settingNames.environment}`)) changes.fire()
    }),
  )
  return {
    /** `root` is the URI of the project. */
    of: (root: string): string =>
      context.workspaceState.get<string>(key(root)) ??
      setting(settingNames.environment, Uri.parse(root), defaultEnvironment),
    async pick(root: string, environment: string): Promise<void> {
      await context.workspaceState.update(key(root), environment)
      changes.fire()
    },
    onDidChange: changes.event,
  }
}
