/** Provides tasks of type `svc`: offers frequent commands, and resolves those in tasks.json. */
import { type Task, tasks, Uri, type WorkspaceFolder, workspace } from 'vscode'
import type { ChosenSvc } from '../chosen-svc.ts'
import type { Services } from '../commands/command.ts'
import { taskType } from '../contributions.ts'
import type { Projects } from '../projects/projects.ts'
import { isWithin } from '../projects/uris.ts'
import { variablesOf } from '../settings.ts'
import { type SvcTaskDefinition, svcTask } from './svc-task.ts'

const offered = ['validate', 'plan', 'run', 'preview', 'test', 'freshness']
/** Commands about files only. */
const withoutEnvironment = new Set(['validate', 'fmt', 'manifest'])

export function provideTasks(
  svc: ChosenSvc,
  { context, projects, environments, log }: Pick<Services, 'context' | 'projects' | 'environments' | 'log'>,
): void {
  const made = (root: string, words: readonly string[]) =>
    svcTask(svc.of(root), { root, words }, variablesOf(Uri.parse(root), log))
  context.subscriptions.push(
    tasks.registerTaskProvider(taskType, {
      async provideTasks() {
        await projects.loaded
        return projects.all.flatMap(({ root }) =>
          offered.map(verb =>
            made(root, withoutEnvironment.has(verb) ? [verb] : [verb, '--env', environments.of(root)]),
          ),
        )
      },
      async resolveTask(task) {
        await projects.loaded
        const definition = task.definition as SvcTaskDefinition
        const root = rootOf(task, projects)
        if (root === undefined || typeof definition.command !== 'string') return undefined
        const resolved = made(root, [definition.command, ...(definition.args ?? [])])
        // The editor identifies a task by its definition, so it must be the given object.
        resolved.definition = definition
        return resolved
      },
    }),
  )
}

function rootOf(task: Task, projects: Projects): string | undefined {
  const folder = isFolder(task.scope) ? task.scope.uri : workspace.workspaceFolders?.[0]?.uri
  const inFolder = projects.all.find(({ root }) => folder !== undefined && isWithin(root, folder.toString()))
  return inFolder?.root ?? folder?.toString()
}

function isFolder(scope: Task['scope']): scope is WorkspaceFolder {
  return typeof scope === 'object' && 'uri' in scope
}
