/**
 * What a run, or a look at freshness, has found to tell. Nothing here is free text of an engine, a source or a test: such a
 * text may hold values of persons, and a message leaves the house. A code, names of the project and places are enough to
 * begin with, and `svc logs` has the rest.
 */
import type { EventOf, RunEvent } from '@svc/server/contract'
import type { NoticeEvent } from '@svc/server/language'
import { errorMeanings } from '../error-meanings.ts'
import type { FreshnessRow } from '../quality/freshness-report.ts'

export type ProblemEvent = Exclude<NoticeEvent, 'recovered'>

export interface Problem {
  readonly event: ProblemEvent
  /** Null for a run that failed as a whole. */
  readonly asset: string | null
  /** What tells the problem from others of the asset: the same text is the same problem. */
  readonly what: string
  readonly text: string
  readonly place: string | null
  /** When it began, if that was before it was found. */
  readonly since?: string
  /** It was before this run, which may have put it right at once. */
  readonly past?: true
}

export interface Found {
  readonly run: string | null
  readonly problems: readonly Problem[]
  /** Whether a problem of this kind with the asset (null: with the whole) is known to have ended. */
  isWell(event: ProblemEvent, asset: string | null): boolean
}

/** Listens to a run. */
export function collectRun(assetsOf: () => readonly string[]) {
  const problems: Problem[] = []
  const failed = new Set<string>()
  /** These and what was held back or skipped because of them. */
  const unwell = new Set<string>()
  /** What is live of these is what their files ask for, whatever becomes of the run. */
  const standing = new Set<string>()
  let end: EventOf<'run-finished'> | undefined
  return {
    hear(event: RunEvent): void {
      if (event.type === 'run-finished') end = event
      if (event.type === 'asset-skipped') unwell.add(event.asset)
      if (event.type === 'asset-reused' && event.made_by === undefined) standing.add(event.asset)
      const problem = problemIn(event, failed)
      if (problem === undefined) return
      if (problem.asset !== null && problem.event !== 'drifted') unwell.add(problem.asset)
      if (problem.asset !== null && problem.event === 'failed') failed.add(problem.asset)
      problems.push(problem)
    },
    /** Undefined if there is nothing to tell: no run has ended, or somebody interrupted it. */
    found(): Found | undefined {
      if (end === undefined || end.failure?.code === 'interrupted') return undefined
      const whole = failureOfAll(end, failed)
      const sound = end.promoted ? assetsOf() : [...standing]
      const well = new Set(sound.filter(name => !unwell.has(name)))
      const { promoted } = end
      return {
        run: end.run_id,
        problems: whole === undefined ? problems : [...problems, whole],
        isWell: (event, asset) =>
          (event === 'failed' || event === 'held_back') && (asset === null ? promoted : well.has(asset)),
      }
    },
  }
}

function problemIn(event: RunEvent, failed: ReadonlySet<string>): Problem | undefined {
  switch (event.type) {
    case 'asset-failed': {
      const { asset, code, place = null } = event
      return { event: 'failed', asset, what: code, text: `${asset} failed: ${meaningOf(code)}`, place }
    }
    case 'test-finished': {
      const { asset, name, status, severity, place } = event.result
      if (status === 'pass' || severity !== 'error') return undefined
      const text = `${asset} failed: its test ${name} does not hold`
      return { event: 'failed', asset, what: `test ${name}`, text, place }
    }
    case 'asset-kept': {
      const { asset, since } = event
      // What failed itself is told as that.
      if (failed.has(asset)) return undefined
      const text = `${asset} was held back: it is as deployed ${since ?? 'never'}`
      return { event: 'held_back', asset, what: since ?? '', text, place: null }
    }
    case 'source-drift': {
      if (event.between !== 'loads') return undefined
      const changes = event.changes.map(changeText)
      const { asset } = event
      const text = `the source of ${asset} has changed: ${changes.join(', ')}`
      return { event: 'drifted', asset, what: changes.join(', '), text, place: null }
    }
    case 'recovered': {
      const text = `the ${event.kind} ${event.stopped_run_id} was killed; production is ${event.production === 'promoted' ? 'what it promoted' : 'as before'}`
      return {
        event: 'failed',
        asset: null,
        what: event.stopped_run_id,
        text,
        place: null,
        since: event.stopped_at,
        past: true,
      }
    }
    default:
      return undefined
  }
}

/** The failure of a run that no asset has been told of. */
function failureOfAll(
  { failure, run_id }: EventOf<'run-finished'>,
  failed: ReadonlySet<string>,
): Problem | undefined {
  if (failure === null || (failure.asset !== null && failed.has(failure.asset))) return undefined
  const { code, asset, place } = failure
  const who = asset ?? `the run ${run_id}`
  return { event: 'failed', asset, what: code, text: `${who} failed: ${meaningOf(code)}`, place }
}

/** The first sentence of what the code means, without its full stop. */
export function meaningOf(code: string): string {
  const means = code in errorMeanings ? errorMeanings[code as keyof typeof errorMeanings].means : undefined
  const sentence = means?.replace(/\.(\s.*)?$/s, '')
  return sentence === undefined ? code : `${sentence} (${code})`
}

type Change = EventOf<'source-drift'>['changes'][number]

function changeText({ kind, child, column, from, to }: Change): string {
  const name = [child, column].filter(part => part !== undefined && part !== null).join('.') || 'a table'
  if (kind === 'retyped') return `${name} was ${from ?? 'unknown'} and is ${to ?? 'unknown'}`
  return kind === 'added' ? `${name} is new` : `${name} is gone`
}

/** What `svc freshness` has found. */
export function staleOf(rows: readonly FreshnessRow[]): Found {
  const fresh = new Set(rows.filter(({ status }) => status === 'OK').map(({ asset }) => asset))
  return {
    run: null,
    problems: rows.flatMap(row =>
      row.status === 'OK'
        ? []
        : [
            {
              event: 'stale',
              asset: row.asset,
              what: row.status,
              text: staleText(row, row.status),
              place: null,
            },
          ],
    ),
    isWell: (event, asset) => event === 'stale' && asset !== null && fresh.has(asset),
  }
}

function staleText(row: FreshnessRow, status: 'WARN' | 'ERROR'): string {
  const { asset, last, isAhead, column } = row
  if (isAhead && status === 'WARN')
    return `${asset} may be stale (WARN): its newest ${column} is in the future, last ${last ?? 'never'}`
  const limit = status === 'ERROR' ? 'error_after' : 'warn_after'
  return `${asset} is stale (${status}): older than ${limit}, last ${last ?? 'never'}`
}
