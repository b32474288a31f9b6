/** Tells the language server which environment of each project is chosen: hover, types and completion are its engine's. */
import { type EnvironmentChosen, environmentChosen } from '@svc/server/protocol'
import type { Services } from './commands/command.ts'

type Ground = Pick<Services, 'context' | 'server' | 'projects' | 'environments' | 'log'>

export function tellEnvironments({ context, server, projects, environments, log }: Ground): void {
  const told = new Map<string, string>()
  function tell(): void {
    if (server.state !== 'running') return
    for (const { root } of projects.all) {
      const environment = environments.of(root)
      if (told.get(root) === environment) continue
      told.set(root, environment)
      const chosen: EnvironmentChosen = { root, environment }
      server.notify(environmentChosen, chosen).catch((error: unknown) => log.warn(String(error)))
    }
  }
  context.subscriptions.push(
    projects.onDidChange(tell),
    environments.onDidChange(tell),
    server.onDidChangeState(state => {
      // A server that starts again knows nothing of what the last one was told.
      if (state !== 'running') told.clear()
      tell()
    }),
  )
  tell()
}
