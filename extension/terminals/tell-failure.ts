/** Shows a notification when a command in a terminal has failed, with a link to the failed asset. */

import { DiagnosticSeverity, languages, Range, Uri, window } from 'vscode'
import type { Background } from '../background.ts'
import type { Services } from '../commands/command.ts'
import { languageId } from '../contributions.ts'
import { messageOf } from '../first-error.ts'
import { withProgress } from '../progress.ts'
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
/** The world outside: the warehouse, the network, a file. */
const worldFailed = 3
const openAsset = 'Open Asset'
const waitAndRun = 'Wait and Run'
const showTerminal = 'Show Terminal'

type TellNeeds = Pick<Services, 'background' | 'projects' | 'others' | 'terminals'>

interface Failure {
  readonly text: string
  /** Undefined if no asset caused the failure. */
  readonly open: (() => Promise<void>) | undefined
}

export async function tellFailure(needs: TellNeeds, command: RunningCommand, code: ExitCode): Promise<void> {
  if (code === 0 || code === interrupted || code === undefined) return
  const ofRun = await failureOfRun(needs.background, command)
  const failure = ofRun ?? (await withoutRun(needs, command, code))
  const what = `svc ${command.words[0]} failed`
  const message = failure === undefined ? `${what} (exit code ${code}).` : `${what}: ${ended(failure.text)}`
  const holder = code === worldFailed ? needs.others.now : undefined
  const actions = [
    ...(holder === undefined ? [] : [waitAndRun]),
    ...(failure?.open === undefined ? [] : [openAsset]),
    showTerminal,
  ]
  const chosen = await window.showErrorMessage(message, ...actions)
  if (chosen === waitAndRun) await runWhenFree(needs, command)
  if (chosen === showTerminal) showTerminalOf(command)
  if (chosen === openAsset) await failure?.open?.()
}

/** The reason of a command that was refused before its run began, as far as the editor knows it or can ask for it. */
async function withoutRun(
  { background, projects, others }: TellNeeds,
  command: RunningCommand,
  code: number,
): Promise<Failure | undefined> {
  if (code === checkFailed) return problemOf(projects, command)
  if (code !== worldFailed) return undefined
  if (others.now !== undefined) return { text: others.now.tooltip.replace(/^SVC: /, ''), open: undefined }
  const at = command.words.indexOf('--env')
  const environment = at < 0 ? [] : command.words.slice(at, at + 2)
  try {
    // It opens the same warehouse and is refused for the same reason.
    await background.json(command.root, ['status', ...environment])
    return undefined
  } catch (error) {
    return { text: messageOf(error), open: undefined }
  }
}

/** Runs the command again as soon as nobody else changes the environment. */
async function runWhenFree({ others, terminals }: TellNeeds, { root, words }: RunningCommand): Promise<void> {
  const isFree = await withProgress('waiting for the environment', async token => {
    while (others.now !== undefined && !token.isCancellationRequested)
      await new Promise(resolve => setTimeout(resolve, lookAgainMs))
    return !token.isCancellationRequested
  })
  if (isFree) await terminals.run({ root, words })
}

const lookAgainMs = 1_000

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
  const text = asset === null ? message : `${asset}: ${message}`
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
