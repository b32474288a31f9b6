/** Tells that a command in a terminal has failed, and leads to the asset that did it. */
import { Range, Uri, window } from 'vscode'
import type { Background } from '../background.ts'
import { listRuns, placeOf, type RunEntry } from '../runs.ts'
import { type ExitCode, type RunningCommand, showTerminalOf } from './terminals.ts'

const interrupted = 130
const openAsset = 'Open Asset'
const showTerminal = 'Show Terminal'

export async function tellFailure(
  background: Background,
  command: RunningCommand,
  code: ExitCode,
): Promise<void> {
  if (code === 0 || code === interrupted || code === undefined) return
  const failure = await failureOf(background, command)
  const what = `svc ${command.words[0]} failed`
  const message = failure === undefined ? `${what} (exit code ${code}).` : `${what}: ${said(failure)}`
  const actions = failure?.place == null ? [showTerminal] : [openAsset, showTerminal]
  const chosen = await window.showErrorMessage(message, ...actions)
  if (chosen === showTerminal) showTerminalOf(command)
  if (chosen === openAsset && failure?.place != null) await openPlace(command.root, failure.place)
}

/** A place as `svc` prints it, relative to the project. */
export async function openPlace(root: string, text: string): Promise<void> {
  const place = placeOf(text)
  if (place === undefined) return
  const { path, line, character } = place
  const selection = new Range(line, character, line, character)
  await window.showTextDocument(Uri.joinPath(Uri.parse(root), path), { selection })
}

type Failure = NonNullable<RunEntry['failure']>

function said({ asset, message }: Failure): string {
  const text = asset === null || message.includes(asset) ? message : `${asset}: ${message}`
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Of the run that the command began; a command that was refused before it ran has none. */
async function failureOf(background: Background, command: RunningCommand): Promise<Failure | undefined> {
  try {
    const runs = await listRuns(background, command.root)
    const mine = runs.find(run => run.started_at !== null && new Date(run.started_at) >= command.startedAt)
    return mine?.failure ?? undefined
  } catch {
    // The terminal says why the command failed; that its log cannot be read is no second message.
    return undefined
  }
}
