/**
 * The word for what a run came to, and the word for what an asset is. Terminal, `svc status`, JSON, history, dashboard, editor
 * and notifications take them from here, so that one thing has one word (decisions 9, "The word for a run"). This module loads
 * no schema, because pages and the editor import it.
 */
import type { RunEnding, RunKind, RunStatus } from './parts.ts'

/** How a word is shown beside others: well, of interest, wrong, or incidental. */
export type VerdictRole = 'pass' | 'warn' | 'fail' | 'quiet'

interface Look {
  readonly glyph: string
  readonly role: VerdictRole
}

const well: Look = { glyph: '✓', role: 'pass' }
const noted: Look = { glyph: '!', role: 'warn' }
const wrong: Look = { glyph: '✕', role: 'fail' }
const still: Look = { glyph: '–', role: 'quiet' }
const working: Look = { glyph: '◐', role: 'warn' }

const runLooks = {
  Deployed: well,
  'Deployed with warnings': noted,
  /** What passed is live, and the rest is as before. */
  'Deployed in part': noted,
  /** A preview was built, and production is as before. */
  Previewed: well,
  Published: well,
  /** The target has not taken some rows, which are tried again. */
  'Published in part': noted,
  'Rolled back': well,
  'Nothing to do': well,
  Failed: wrong,
  /** A person ended it. */
  Stopped: still,
  /** Its process ended without a word. */
  Killed: wrong,
  Running: working,
} as const satisfies Readonly<Record<string, Look>>

export type RunVerdict = keyof typeof runLooks

export const runVerdicts = Object.keys(runLooks) as RunVerdict[]

/** What a publish may come to, the gravest first. */
export const publishVerdicts: readonly RunVerdict[] = [
  'Failed',
  'Killed',
  'Stopped',
  'Published in part',
  'Running',
  'Published',
  'Nothing to do',
]

/** What is known of a run. */
export interface RunOutcome {
  readonly kind: RunKind
  readonly status: RunStatus
  /** Absent where nobody looked for its process. */
  readonly ending?: RunEnding | undefined
  /** Whether something that it should have deployed is as before. */
  readonly isPart: boolean
  readonly warnings: number
  /** Whether nothing was built, moved or sent, because all was as it should be. */
  readonly isIdle: boolean
}

export function verdictOf({ kind, status, ending, isPart, warnings, isIdle }: RunOutcome): RunVerdict {
  if (ending === 'killed') return 'Killed'
  if (status === 'running') return 'Running'
  if (status === 'Failed') return ending === 'cancelled' ? 'Stopped' : 'Failed'
  if (isPart) return kind === 'publish' ? 'Published in part' : 'Deployed in part'
  if (kind === 'preview') return 'Previewed'
  if (isIdle) return 'Nothing to do'
  if (kind === 'publish') return 'Published'
  if (kind === 'rollback') return 'Rolled back'
  return warnings > 0 ? 'Deployed with warnings' : 'Deployed'
}

/**
 * Returns the verdict as it is read: `Deployed with 2 warnings`, `Previewed with 1 warning`. Of what did not come to its end the
 * warnings are no part of the word.
 */
export function verdictWords(verdict: RunVerdict, warnings: number): string {
  const { role } = runLooks[verdict]
  if (warnings === 0 || role === 'fail' || role === 'quiet' || verdict === 'Running') return verdict
  const word = verdict === 'Deployed with warnings' ? 'Deployed' : verdict
  return `${word} with ${warnings} warning${warnings === 1 ? '' : 's'}`
}

/** Returns its glyph and its role; what warned is not shown as well. */
export function verdictLook(verdict: RunVerdict, warnings: number): Look {
  const look = runLooks[verdict]
  return warnings > 0 && look.role === 'pass' ? noted : look
}

const assetLooks = {
  Running: working,
  Waiting: { glyph: '◌', role: 'quiet' },
  /** Its own fetch, build or test failed; what is live is older. */
  Failed: wrong,
  /** Its file has errors, and the next run leaves it out. */
  'File broken': wrong,
  /** Somebody dropped or replaced in the warehouse what it shows. */
  Gone: wrong,
  /** It is well itself, and what it reads failed. */
  'Held back': { glyph: '–', role: 'warn' },
  /** One of its clocks is past a limit. */
  Stale: noted,
  /** What is live was deployed with a warning. */
  Warned: noted,
  'Never run': { glyph: '○', role: 'quiet' },
  Deployed: well,
} as const satisfies Readonly<Record<string, Look>>

export type AssetState = keyof typeof assetLooks

/** The gravest first. */
export const assetStates = Object.keys(assetLooks) as AssetState[]

/** What is known of an asset. */
export interface AssetFacts {
  /** What the last run that looked at it made of it; null if none did. */
  readonly last: 'deployed' | 'Failed' | 'skipped' | null
  readonly isLive: boolean
  readonly live?: 'running' | 'waiting' | undefined
  /** The errors of its file. */
  readonly errors: number
  readonly isGone: boolean
  readonly freshness: 'OK' | 'WARN' | 'ERROR' | null
  /** The warnings of what is live, with the tests that warn. */
  readonly warnings: number
}

/** Returns the one word for an asset: the gravest of what holds. */
export function assetStateOf(facts: AssetFacts): AssetState {
  const { last, isLive, live, errors, isGone, freshness, warnings } = facts
  if (live !== undefined) return live === 'running' ? 'Running' : 'Waiting'
  if (last === 'Failed') return 'Failed'
  if (errors > 0) return 'File broken'
  if (isGone) return 'Gone'
  if (last === 'skipped') return 'Held back'
  if (!isLive) return 'Never run'
  if (freshness === 'ERROR' || freshness === 'WARN') return 'Stale'
  return warnings > 0 ? 'Warned' : 'Deployed'
}

/** Returns the state as it is read: of what is stale with the verdict of `svc freshness`. */
export function assetWords(state: AssetState, freshness: AssetFacts['freshness'] = null): string {
  return state === 'Stale' && freshness !== null ? `${state} (${freshness})` : state
}

/** Returns its glyph and its role; what is past `error_after` is wrong. */
export function assetLook(state: AssetState, freshness: AssetFacts['freshness'] = null): Look {
  return state === 'Stale' && freshness === 'ERROR' ? wrong : assetLooks[state]
}
