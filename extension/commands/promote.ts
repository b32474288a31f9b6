/** `svc promote`: names preview, assets and environment, and asks first. */
import type { ProjectSummary } from '@svc/server/protocol'
import { window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { listRuns, type RunEntry } from '../runs.ts'
import { projectTarget } from '../targets/target.ts'
import { isRunNode } from '../views/run-node.ts'
import type { Command, Services } from './command.ts'
import { confirmed, runVerb } from './run-verb.ts'

export const promote: Command = {
  id: commandIds.promote,
  async run(services, argument) {
    if (isRunNode(argument)) return promoteRun(services, argument.project, argument.run)
    const project = await projectTarget(services.projects, argument)
    const preview = project === undefined ? undefined : await pickPreview(services, project)
    if (project !== undefined && preview !== undefined) await promoteRun(services, project, preview)
  },
}

async function promoteRun(services: Services, project: ProjectSummary, preview: RunEntry): Promise<void> {
  const environment = preview.environment ?? services.environments.of(project.root)
  const assets = preview.selector ?? `all ${project.assets.length} assets`
  const question = `Promote ${assets} of preview ${preview.run_id} in ${environment}?`
  const detail = `Project ${project.name}. What the preview built becomes production of ${environment} in one step.`
  if (!(await confirmed(question, detail, 'Promote'))) return
  await runVerb(services, { project, words: ['promote', preview.run_id], environment })
}

async function pickPreview(services: Services, project: ProjectSummary): Promise<RunEntry | undefined> {
  const environment = services.environments.of(project.root)
  const runs = await listRuns(services.background, project.root)
  const previews = runs.filter(
    run => run.kind === 'preview' && run.status === 'deployed' && run.environment === environment,
  )
  if (previews.length === 0) {
    void window.showInformationMessage(
      `SVC: there is no preview of ${environment} to promote. Preview an asset first.`,
    )
    return undefined
  }
  const items = previews.map(run => ({
    label: run.run_id,
    description: run.selector ?? 'all assets',
    detail: run.finished_at === null ? '' : new Date(run.finished_at).toLocaleString(),
    run,
  }))
  return (await window.showQuickPick(items, { placeHolder: `Preview to promote in ${environment}` }))?.run
}
