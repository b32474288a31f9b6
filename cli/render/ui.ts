/** Renders the messages of `svc ui`: the address of the dashboard, and what happens to a run when it ends. */
import { svcIn } from '@svc/server/language'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

export interface UiStart {
  readonly project: string
  readonly environment: string
  readonly address: string
  readonly readOnly: boolean
  /** Whether a run has written a catalogue in this environment. */
  readonly hasRun: boolean
  /** Whether a browser was opened. */
  readonly opened: boolean
}

export function renderUiStart(start: UiStart, style: Style) {
  const { project, environment, address, readOnly, hasRun, opened } = start
  const notes = [
    ...(hasRun ? [] : [`Nothing has run in ${environment} yet; ${svcIn(environment)('run --all')} begins.`]),
    opened ? 'Opened in your browser.' : 'Open it in a browser.',
    'Whoever has the address can run this project: keep it to yourself.',
    'Ctrl-C ends it.',
  ]
  return {
    before: [`Dashboard of ${style.bold(project)} (${environment})${readOnly ? ', read-only' : ''}`],
    // The address, which is data for stdout.
    address: [`  ${address}`],
    after: wrap(notes.join(' '), style.width),
  }
}

/**
 * Renders the message while a run is cancelled. `run` is its selector, null for everything, undefined if
 * there is none.
 */
export function renderCancelling(end: {
  readonly environment: string
  readonly run: string | null | undefined
}): string[] {
  if (end.run === undefined) return []
  const what = end.run ?? 'everything'
  return [`Cancelling the run of ${what}: ${end.environment} stays as it was, what is fetched is kept.`]
}

export function renderUiEnd(): string[] {
  return ['The dashboard has stopped.']
}
