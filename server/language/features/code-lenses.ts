/** Code lenses above an asset and above each of its tests. The server assigns the commands. */
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import { secondsText } from './hover/time-text.ts'
import type { Knowledge, LastRun } from './knowledge.ts'

export interface CodeLens {
  readonly range: Range
  readonly title: string
  readonly action: LensAction
  readonly asset: string
  /** The test to run; undefined for all tests of the asset. */
  readonly test?: string
}

export type LensAction =
  | 'run'
  | 'runUpstream'
  | 'runDownstream'
  | 'preview'
  | 'test'
  | 'sample'
  | 'lineage'
  | 'rollback'
  | 'history'

/** Returns the lenses. `now` is in milliseconds since 1970. */
export function codeLenses(knowledge: Knowledge, path: string, now: number): readonly CodeLens[] {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined || knowledge.project.byName.get(asset.name) !== asset) return []
  return [...assetLenses(knowledge, asset, now), ...testLenses(asset)]
}

function assetLenses({ project, lastRuns }: Knowledge, asset: Asset, now: number): readonly CodeLens[] {
  const range = locate(asset, ['name'], 'key')
  const lens = (title: string, action: LensAction): CodeLens => ({ range, title, action, asset: asset.name })
  return [
    lens('Run', 'run'),
    ...(project.parents(asset.name).length > 0 ? [lens('Run with upstreams', 'runUpstream')] : []),
    ...(project.children(asset.name).length > 0 ? [lens('Run with downstreams', 'runDownstream')] : []),
    lens('Preview', 'preview'),
    ...(asset.definition.tests.length > 0 ? [lens('Test', 'test')] : []),
    lens('Sample', 'sample'),
    lens('Lineage', 'lineage'),
    ...(lastRuns.get(asset.name)?.activeHash === undefined ? [] : [lens('Roll back', 'rollback')]),
    lens(lastRunTitle(lastRuns.get(asset.name), now), 'history'),
  ]
}

/**
 * Returns a lens for each test. Tests of one list (`not_null: [a, b]`) share their place, so their titles
 * include the name.
 */
function testLenses(asset: Asset): readonly CodeLens[] {
  const { tests } = asset.definition
  return tests.map(test => ({
    // The lens is above the first line of the test, which may be its name.
    range: beginningOf(locate(asset, ['tests', test.index])),
    title: tests.some(other => other !== test && other.index === test.index)
      ? `Run ${test.name}`
      : 'Run test',
    action: 'test',
    asset: asset.name,
    test: test.name,
  }))
}

function beginningOf({ start }: Range): Range {
  return { start, end: start }
}

/** Returns `deployed 3,000,000 rows in 1.3 s, 2 hours ago`. */
export function lastRunTitle(run: LastRun | undefined, now: number): string {
  if (run === undefined) return 'never run'
  const rows = run.rows === undefined ? '' : ` ${grouped(run.rows)} ${run.rows === 1 ? 'row' : 'rows'}`
  const took = run.seconds === undefined ? '' : ` in ${secondsText(run.seconds)}`
  const finished = run.finishedAt === undefined ? Number.NaN : Date.parse(run.finishedAt)
  const ago = Number.isNaN(finished) ? '' : `, ${timeAgo(now - finished)}`
  return `${run.status}${rows}${took}${ago}${run.environment === 'dev' ? '' : ` (${run.environment})`}`
}

/** Groups the digits of a number by three. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

const units: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

function timeAgo(ms: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(ms / length)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
