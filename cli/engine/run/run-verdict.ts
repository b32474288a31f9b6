/** The verdict of a run, from its report and from its record, with all that made it fail. */
import type { Cause, RunEnding, RunVerdict, TestResult, Warning } from '@svc/server/contract'
import { verdictOf } from '@svc/server/verdicts'
import { hasFailed } from '../state/asset-versions.ts'
import { wasKilled } from '../state/killed-runs.ts'
import type { HistoryRecord } from '../state/state.ts'
import type { RunReport } from './events.ts'

export function reportVerdict(report: RunReport): RunVerdict {
  const { kind, status, kept, failure } = report
  const moved = report.promotedViews + report.removedViews + report.grantedViews
  const isSame = report.assets.every(asset => asset.status === 'unchanged')
  return verdictOf({
    kind,
    status,
    isPart: status === 'deployed' && kept.length > 0,
    warnings: warningsTold(report),
    isIdle: kind === 'run' && failure === undefined && moved === 0 && isSame,
  })
}

/** Counts what a run warned of, with the tests that warn. */
export function warningsTold({ warnings, tests }: Pick<RunReport, 'warnings' | 'tests'>): number {
  return warnings.length + tests.filter(isWarned).length
}

function isWarned({ status, severity }: TestResult): boolean {
  return status === 'fail' && severity === 'warn'
}

/** Returns the tests that warn as warnings, for the record of the run. */
export function testWarnings(tests: readonly TestResult[]): Warning[] {
  return tests.filter(isWarned).map(({ asset, name, failures, message, place }) => ({
    code: 'warned-test',
    asset,
    message: `test ${name} warns${message === null ? '' : `: ${message}`}`,
    count: failures,
    example: name,
    place,
  }))
}

/** `ending`: absent where no log of the run is here. */
export function recordVerdict(record: HistoryRecord, ending?: RunEnding): RunVerdict {
  const { kind, status, error, generation, from_generation, assets, warnings } = record
  const isSame = assets.every(asset => asset.status === 'unchanged' || asset.status === 'kept')
  return verdictOf({
    kind,
    status,
    ending: ending ?? (wasKilled(record) ? 'killed' : undefined),
    isPart: status === 'deployed' && error !== null,
    warnings: warnings?.length ?? 0,
    isIdle: kind === 'run' && generation === from_generation && isSame,
  })
}

/** So many are told of a run; a message is cut to so many characters, since the last line of a log is read alone. */
const mostCauses = 12
const longestCause = 400

export interface Causes {
  readonly causes: readonly Cause[]
  readonly more: number
}

interface Tried {
  readonly name: string
  readonly status: string
  readonly because?: string | undefined
  readonly place?: string | undefined
}

/** Returns why a run failed: each asset that failed itself, or else the failure of the whole. */
export function causesOf(assets: readonly Tried[], failure: Cause | undefined): Causes {
  const own = assets.flatMap(({ name, status, because, place }) =>
    hasFailed({ status }) && because !== undefined
      ? [{ asset: name, message: because, place: place ?? null }]
      : [],
  )
  // A failure of the whole comes beside those of assets where it names none of them.
  const isOther = failure !== undefined && !own.some(({ asset }) => asset === failure.asset)
  const all = isOther && (own.length === 0 || failure.asset === null) ? [...own, failure] : own
  return {
    causes: all.slice(0, mostCauses).map(cause => ({ ...cause, message: shortened(cause.message) })),
    more: Math.max(0, all.length - mostCauses),
  }
}

function shortened(message: string): string {
  const [first = ''] = message.split('\n', 1)
  return first.length <= longestCause ? first : `${first.slice(0, longestCause)}…`
}
