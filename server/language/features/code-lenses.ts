/** Code lenses above an asset. The server assigns the commands. */
import { locate } from '../project/locate.ts'
import type { Range } from '../text/range.ts'
import { secondsText } from './hover/time-text.ts'
import type { Knowledge, LastRun } from './knowledge.ts'
import { counted } from './markdown.ts'

export interface CodeLens {
  readonly range: Range
  readonly title: string
  readonly action: LensAction
  readonly asset: string
}

/** `trust`: opens the editor's page about trust. */
export type LensAction = 'run' | 'preview' | 'test' | 'sample' | 'lineage' | 'history' | 'trust'

/**
 * Returns the lenses of an asset. Its tests have none: the editor has a button beside each of them. `now` is in
 * milliseconds since 1970; without trust nothing can be run, and a lens says so.
 */
export function codeLenses(
  { project, lastRuns }: Knowledge,
  path: string,
  { now, isTrusted }: { readonly now: number; readonly isTrusted: boolean },
): readonly CodeLens[] {
  const asset = project.assets.get(path)
  if (asset === undefined || project.byName.get(asset.name) !== asset) return []
  const range = locate(asset, ['name'], 'key')
  const lens = (title: string, action: LensAction): CodeLens => ({ range, title, action, asset: asset.name })
  if (!isTrusted) return [lens('Restricted Mode: nothing runs before you trust this folder', 'trust')]
  return [
    lens('Run', 'run'),
    lens('Preview', 'preview'),
    ...(asset.definition.tests.length > 0 ? [lens('Test', 'test')] : []),
    lens('Sample', 'sample'),
    lens('Lineage', 'lineage'),
    lens(lastRunTitle(lastRuns.get(asset.name), now), 'history'),
  ]
}

/**
 * Returns `deployed 3,000,000 rows in 1.3 s, 2 hours ago`. Where the run made again what somebody had dropped, that stands
 * first: beside the lineage an editor shows little more than the first words.
 */
export function lastRunTitle(run: LastRun | undefined, now: number): string {
  if (run === undefined) return 'never run'
  // The rows are those of what is live, and only a run that was deployed made them so.
  const rows = run.rows === undefined || run.status !== 'deployed' ? '' : ` ${counted(run.rows, 'row')}`
  const took = run.seconds === undefined ? '' : ` in ${secondsText(run.seconds)}`
  const finished = run.finishedAt === undefined ? Number.NaN : Date.parse(run.finishedAt)
  const ago = Number.isNaN(finished) ? '' : `, ${timeAgo(now - finished)}`
  const again = run.repaired === undefined ? '' : `made again (${run.repaired}), `
  return `${again}${outcomeWord(run.status)}${rows}${took}${ago}${run.environment === 'dev' ? '' : ` (${run.environment})`}`
}

/** A run that did not try the asset has held it back. */
export function outcomeWord(status: string): string {
  return status === 'skipped' ? 'held back' : status
}

const units: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

function timeAgo(ms: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(ms / length)
    if (count >= 1) return `${counted(count, unit)} ago`
  }
  return 'just now'
}
