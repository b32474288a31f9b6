/** What every command that runs `svc` does around it: save, ask where it matters, add the environment, run. */
import type { ProjectSummary } from '@svc/server/protocol'
import { Uri, window, workspace } from 'vscode'
import { settingNames } from '../contributions.ts'
import { isWithin } from '../projects/uris.ts'
import { setting } from '../settings.ts'
import type { ExitCode } from '../terminals/terminals.ts'
import type { Services } from './command.ts'

export interface Verb {
  readonly project: ProjectSummary
  readonly words: readonly string[]
  /** Commands about files alone know no `--env`, and some words name one already. */
  readonly withEnvironment?: boolean
  /** Instead of the one that is picked. */
  readonly environment?: string
  /** It changes what readers of the environment see: environments of `svc.confirmEnvironments` ask first. */
  readonly changes?: boolean
}

/** False: it was not confirmed, or a file could not be saved. */
export async function runVerb(services: Services, verb: Verb): Promise<boolean> {
  return (await beginVerb(services, verb)) !== undefined
}

/** Undefined: as above. */
export async function beginVerb(
  services: Services,
  verb: Verb,
): Promise<{ readonly ended: Promise<ExitCode> } | undefined> {
  const { project, words, withEnvironment = true, changes = false } = verb
  const environment = verb.environment ?? services.environments.of(project.root)
  if (changes && !(await mayChange(project, words, environment))) return undefined
  if (!(await saved(project.root))) return undefined
  const all = withEnvironment ? [...words, '--env', environment] : words
  // The command goes on in its terminal; what comes of it is told there and by `tellFailure`.
  const ended = services.terminals.run({ root: project.root, words: all })
  ended.catch((error: unknown) => {
    services.log.error(`svc ${all.join(' ')}: ${String(error)}`)
    void window.showErrorMessage(`SVC: the terminal cannot be opened: ${String(error)}`)
  })
  return { ended }
}

async function mayChange(
  project: ProjectSummary,
  words: readonly string[],
  environment: string,
): Promise<boolean> {
  const asking = setting<readonly string[]>(settingNames.confirmEnvironments, Uri.parse(project.root), [])
  if (!asking.includes(environment)) return true
  return confirmed(`Run "svc ${words.join(' ')}" in ${environment}?`, `Project ${project.name}.`, 'Run')
}

export async function confirmed(question: string, detail: string, button: string): Promise<boolean> {
  return (await window.showWarningMessage(question, { modal: true, detail }, button)) === button
}

/** `svc` reads files: what is shown is what is run. */
async function saved(root: string): Promise<boolean> {
  const dirty = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && isWithin(uri.toString(), root),
  )
  const results = await Promise.all(dirty.map(document => document.save()))
  return results.every(Boolean)
}
