/** Shows a notification when a command in a terminal has failed, with a link to the failed asset. */
import { DiagnosticSeverity, languages, Range, Uri, window } from 'vscode'
import type { Background } from '../background.ts'
import { languageId } from '../contributions.ts'
import type { Projects } from '../projects/projects.ts'
import { isWithin } from '../projects/uris.ts'
import { listRuns, placeOf, type RunEntry } from '../runs.ts'
import { type ExitCode, type RunningCommand, showTerminalOf } from './terminals.ts'

const interrupted = 130
/**
 * The exit code of a failed check or test; the other codes are about wrong usage, the world outside, or a
 * bug.
 */
const checkFailed = 1
const openAsset = 'Open Asset'
const showTerminal = 'Show Terminal'

export interface TellNeeds {
  readonly background: Background
  readonly projects: Projects
}

interface Failure {
  readonly text: string
  /** Undefined if no asset caused the failure. */
  readonly open: (() => Promise<void>) | undefined
}

export async function tellFailure(needs: TellNeeds, command: RunningCommand, code: ExitCode): Promise<void> {
  if (code === 0 || code === interrupted || code === undefined) return
  const ofRun = await failureOfRun(needs.background, command)
  const failure = ofRun ?? (code === checkFailed ? problemOf(needs.projects, command) : undefined)
  const what = `svc ${command.words[0]} failed`
  const message = failure === undefined ? `${what} (exit code ${code}).` : `${what}: ${ended(failure.text)}`
  const actions = failure?.open === undefined ? [showTerminal] : [openAsset, showTerminal]
  const chosen = await window.showErrorMessage(message, ...actions)
  if (chosen === showTerminal) showTerminalOf(command)
  if (chosen === openAsset) await failure?.open?.()
}

/** Opens a place as `svc` prints it, relative to the project. */
export async function openPlace(root: string, text: string): Promise<void> {
  const place = placeOf(text)
  if (place === undefined) return
  const { path, line, character } = place
  const selection = new Range(line, character, line, character)
  await window.showTextDocument(Uri.joinPath(Uri.parse(root), path), { selection })
}

/** Returns the failure of the run that the command started. */
async function failureOfRun(background: Background, command: RunningCommand): Promise<Failure | undefined> {
  try {
    const runs = await listRuns(background, command.root)
    const mine = runs.find(run => run.started_at !== null && new Date(run.started_at) >= command.startedAt)
    return mine?.failure == null ? undefined : failureOf(command.root, mine.failure)
  } catch {
    // The terminal shows why the command failed; an unreadable log needs no second message.
    return undefined
  }
}

function failureOf(root: string, { asset, message, place }: NonNullable<RunEntry['failure']>): Failure {
  const text = asset === null || message.includes(asset) ? message : `${asset}: ${message}`
  return { text, open: place === null ? undefined : () => openPlace(root, place) }
}

/** A command that was refused before its run leaves no log, so the problem in the editor is shown. */
function problemOf(projects: Projects, { root, words }: RunningCommand): Failure | undefined {
  const selectors = words
    .slice(1)
    .join(',')
    .split(/[^\w-]+/)
  const problems = languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    const errors = diagnostics.filter(
      ({ severity, source }) => severity === DiagnosticSeverity.Error && source === languageId,
    )
    return isWithin(uri.toString(), root) ? errors.map(({ message, range }) => ({ uri, message, range })) : []
  })
  const isNamed = (uri: Uri) => selectors.includes(projects.assetOf(uri.toString())?.asset.name ?? '')
  const problem = problems.find(({ uri }) => isNamed(uri)) ?? problems[0]
  if (problem === undefined) return undefined
  const { uri, message, range } = problem
  const [text = message] = message.split('\n')
  const name = projects.assetOf(uri.toString())?.asset.name
  return {
    text: name === undefined || text.includes(name) ? text : `${name}: ${text}`,
    async open() {
      await window.showTextDocument(uri, { selection: range })
    },
  }
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
