/** Runs `svc promote` after a question that names preview, assets and environment. */
import type { ProjectSummary } from '@svc/server/protocol'
import { window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { listRuns, previewsIn, type RunEntry, waitingPreview } from '../runs.ts'
import { clickedAsset, projectTarget } from '../targets/target.ts'
import { isRunNode } from '../views/run-node.ts'
import type { Command, Services } from './command.ts'
import { confirmed, runVerb } from './run-verb.ts'

export const promote: Command = {
  id: commandIds.promote,
  async run(services, argument) {
    if (isRunNode(argument)) return promoteRun(services, argument.project, argument.run)
    const clicked = await clickedAsset(services.projects, argument)
    const project = clicked?.project ?? (await projectTarget(services.projects, argument))
    const preview =
      project === undefined ? undefined : await pickPreview(services, project, clicked?.asset.name)
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

/**
 * The newest build of an asset is chosen without asking, because the question before the promotion names it.
 */
async function pickPreview(
  services: Services,
  project: ProjectSummary,
  asset: string | undefined,
): Promise<RunEntry | undefined> {
  const environment = services.environments.of(project.root)
  const runs = await listRuns(services.background, project.root)
  const waiting = asset === undefined ? undefined : waitingPreview(runs, environment, asset)
  if (waiting !== undefined) return waiting
  const previews = previewsIn(runs, environment, asset)
  if (previews.length === 0) {
    const what = asset === undefined ? 'no preview' : `no preview of ${asset}`
    void window.showInformationMessage(
      `SVC: there is ${what} in ${environment} to promote. Preview an asset first.`,
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
