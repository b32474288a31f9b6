/** Runs `svc` for a command: saves files, asks for confirmation where required, adds the environment. */
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
  /**
   * False for commands about files only, which have no `--env`, and if the words name an environment already.
   */
  readonly withEnvironment?: boolean
  /** The environment to use instead of the picked one. */
  readonly environment?: string
  /**
   * Whether it changes what readers of the environment see; the environments of `svc.confirmEnvironments`
   * then ask first.
   */
  readonly changes?: boolean
}

/** Returns undefined if it was not confirmed, or a file could not be saved. */
export async function runVerb(
  services: Services,
  verb: Verb,
): Promise<{ readonly ended: Promise<ExitCode> } | undefined> {
  const { project, words, withEnvironment = true, changes = false } = verb
  const environment = verb.environment ?? services.environments.of(project.root)
  if (changes && !(await mayChange(project, words, environment))) return undefined
  if (!(await saved(project.root))) return undefined
  const all = withEnvironment ? [...words, '--env', environment] : words
  // The command continues in its terminal, which shows its result together with `tellFailure`.
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

/** Saves changed files, because `svc` reads files. */
export async function saved(root: string): Promise<boolean> {
  const dirty = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && isWithin(uri.toString(), root),
  )
  const results = await Promise.all(dirty.map(document => document.save()))
  return results.every(Boolean)
}
