/** Sends the events of a run, within a bounded time. It never fails the run that it tells of. */
import type { OpenLineage } from '@svc/server/language'
import { personalValues } from '../agents/personal-values.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { replaceSecrets } from '../workspace/secrets.ts'
import { type Given, lineageOf } from './events.ts'
import type { Heard } from './heard.ts'
import { postEvents } from './post-events.ts'
import { writeFile } from './write-file.ts'

/** Returns a sentence if something could not be sent. */
export async function sendLineage(
  workspace: OpenedWorkspace,
  settings: OpenLineage,
  heard: Heard,
): Promise<string | undefined> {
  try {
    const { project, environment } = workspace
    const namespace = settings.namespace ?? `${project.settings.name}.${environment.name}`
    const lineage = lineageOf(heard, { workspace, namespace, ...(await knownOf(workspace, heard)) })
    return settings.type === 'file'
      ? await writeFile(workspace.root, settings.path, lineage)
      : await postEvents(settings, lineage, workspace)
  } catch {
    return `The OpenLineage events of run ${heard.runId} were not sent: the project cannot be analysed.`
  }
}

/** A run that was refused may be of files that nobody can analyse, and has no text to send. */
async function knownOf(workspace: OpenedWorkspace, heard: Heard): Promise<Pick<Given, 'analysis' | 'clean'>> {
  if (heard.assets.length + heard.tests.length === 0 && heard.published === undefined)
    return { analysis: undefined, clean: text => text }
  const personal = await personalValues(workspace)
  return {
    analysis: await workspace.analysis(),
    clean: text => replaceSecrets(workspace.withoutSecrets?.(text) ?? text, personal),
  }
}
