/** The actions on a run of the history. */
import { Uri, window, workspace } from 'vscode'
import { commandIds } from '../contributions.ts'
import { wordsAgain } from '../runs.ts'
import { openPlace } from '../terminals/tell-failure.ts'
import { isRunNode, type RunNode } from '../views/run-node.ts'
import type { Command, Services } from './command.ts'
import { confirmed, runVerb } from './run-verb.ts'

export const runAgain = onRun(commandIds.runAgain, async (services, { project, run }) => {
  const words = wordsAgain(run)
  if (words === undefined) return
  await runVerb(services, { project, words, withEnvironment: false, changes: run.kind === 'run' })
})

export const rollbackTo = onRun(commandIds.rollbackTo, async (services, { project, run }) => {
  const environment = run.environment ?? services.environments.of(project.root)
  const question = `Roll back all assets of ${environment} to run ${run.run_id}?`
  const when = run.finished_at === null ? '' : ` at ${new Date(run.finished_at).toLocaleString()}`
  const detail = `Project ${project.name}. Production becomes what that run deployed${when}; a rollback undoes it.`
  if (!(await confirmed(question, detail, 'Roll Back'))) return
  await runVerb(services, { project, words: ['rollback', '--to', run.run_id], environment })
})

export const openLog = onRun(commandIds.openLog, async (_, { project, run }) => {
  const path = Uri.joinPath(Uri.parse(project.root), '.svc', 'logs', `${run.run_id}.ndjson`)
  await window.showTextDocument(await workspace.openTextDocument(path), { preview: true })
})

export const showLog = onRun(commandIds.showLog, async (services, { project, run }) => {
  await runVerb(services, { project, words: ['logs', run.run_id], withEnvironment: false })
})

export const openFailure = onRun(commandIds.openFailure, async (_, { project, run }) => {
  if (run.failure?.place != null) await openPlace(project.root, run.failure.place)
})

function onRun(id: Command['id'], work: (services: Services, node: RunNode) => Promise<void>): Command {
  return {
    id,
    async run(services, argument) {
      if (isRunNode(argument)) await work(services, argument)
    },
  }
}
