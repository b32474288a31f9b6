/** Commands that run `svc` for a whole project. */
import { commandIds } from '../contributions.ts'
import { projectTarget } from '../targets/target.ts'
import type { Command } from './command.ts'
import { runVerb, type Verb } from './run-verb.ts'

type ProjectVerb = Omit<Verb, 'project'> & { readonly id: Command['id'] }

const verbs: readonly ProjectVerb[] = [
  { id: commandIds.runAll, words: ['run'], changes: true },
  { id: commandIds.runModified, words: ['run', 'state:modified+'], changes: true },
  { id: commandIds.previewAll, words: ['preview'] },
  { id: commandIds.retry, words: ['retry'], changes: true },
  { id: commandIds.plan, words: ['plan'] },
  { id: commandIds.validate, words: ['validate'], withEnvironment: false },
  { id: commandIds.testAll, words: ['test', '--all-tests'] },
  { id: commandIds.unitTests, words: ['test', '--unit'] },
  { id: commandIds.logs, words: ['logs'], withEnvironment: false },
  { id: commandIds.status, words: ['status'] },
  { id: commandIds.freshness, words: ['freshness'] },
  { id: commandIds.doctor, words: ['doctor'] },
  { id: commandIds.gc, words: ['gc'] },
  { id: commandIds.manifest, words: ['manifest'], withEnvironment: false },
]

export const projectVerbs: readonly Command[] = verbs.map(({ id, ...verb }) => ({
  id,
  async run(services, argument) {
    const project = await projectTarget(services.projects, argument)
    if (project !== undefined) await runVerb(services, { project, ...verb })
  },
}))
