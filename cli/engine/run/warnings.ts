/**
 * The warnings of a run (decisions 9, "Nothing in silence"): gathered from its events, so that its record and its report have
 * what the terminal has shown; and refused where they are new and the run is strict.
 */

import type { RunEvent, TestResult, Warning } from '@svc/server/contract'
import type { CommandLine } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { standingWarnings } from '../state/standing-warnings.ts'
import type { EmitEvent } from './events.ts'
import type { PreparedRun } from './prepare-run.ts'
import { rejectText } from './reject-text.ts'
import type { Run } from './run.ts'
import { failAsset } from './run-progress.ts'

/** Returns an `emit` that adds the warnings of a run to `warnings`, each once. */
export function keepWarnings(warnings: Warning[], svc: CommandLine, emit: EmitEvent): EmitEvent {
  const known = new Set(warnings.map(each => JSON.stringify(each)))
  return event => {
    const warning = warningIn(event, svc)
    const text = JSON.stringify(warning)
    if (warning !== undefined && !known.has(text)) {
      known.add(text)
      warnings.push(warning)
    }
    emit(event)
  }
}

/** Rejected records have an event of their own, which says what was rejected; they count as a warning all the same. */
function warningIn(event: RunEvent, svc: CommandLine): Warning | undefined {
  if (event.type === 'warning') {
    const { type: _, ...warning } = event
    return warning
  }
  if (event.type !== 'records-rejected' || event.refused) return undefined
  const { asset, rows, values } = event
  return {
    code: 'rejected-records',
    asset,
    message: `left out by the contract: ${rejectText(event)}`,
    count: rows + values,
    hint: `${svc('rejects')} shows them, with their reasons.`,
  }
}

/** Returns whether a run with new warnings fails before its promotion. */
function isStrict({ request, workspace }: Run): boolean {
  return request.strict ?? workspace.environment.warnings === 'fail'
}

/**
 * Fails the assets that have warnings which are not there already of what is live, or a test that warns and did not before.
 * Throws SvcError `new-warnings` for one that is about no single asset.
 */
export function refuseNewWarnings(run: Run, prepared: PreparedRun, tests: readonly TestResult[]): void {
  if (!isStrict(run)) return
  const { progress } = run
  const standing = standingWarnings(prepared.state)
  const fresh = progress.warnings.filter(
    warning =>
      warning.code !== 'state-migrated' &&
      !(standing.get(warning.asset ?? '') ?? []).some(known => covers(known, warning)),
  )
  const general = fresh.find(({ asset }) => asset === null)
  if (general !== undefined) throw new SvcError(strictCode, general.message, { hint: strictHint })
  const told = [...fresh, ...newlyWarned(prepared, tests)]
  for (const name of prepared.names) {
    const own = told.filter(({ asset }) => asset === name)
    const [first] = own
    if (first === undefined || progress.assets.get(name)?.because !== undefined) continue
    const more = own.length === 1 ? '' : ` (and ${own.length - 1} more)`
    failAsset(run, prepared.names, {
      code: strictCode,
      asset: name,
      message: `new warning under --strict: ${first.message}${more}`,
      hint: strictHint,
      exitCode: 1,
      ...(first.place === undefined || first.place === null ? {} : { place: first.place }),
    })
  }
}

const strictCode = 'new-warnings'
const strictHint =
  'See to its cause; or run without --strict (in svc.yaml: warnings: show), and the warning counts as known from then on.'

/** A warning is known where the last run had it already, and at least as much of it. */
export function covers(known: Warning, { code, example, count = 0 }: Warning): boolean {
  return known.code === code && known.example === example && (known.count ?? 0) >= count
}

type TestWarning = Pick<Warning, 'asset' | 'message' | 'place'>

function newlyWarned({ state }: PreparedRun, tests: readonly TestResult[]): TestWarning[] {
  return tests
    .filter(({ status, severity }) => status === 'fail' && severity === 'warn')
    .filter(({ asset, name }) => state.tests.get(`${asset}\n${name}`)?.status !== 'fail')
    .map(({ asset, name, message, place }) => ({
      asset,
      message: `test ${name}${message === null ? '' : `: ${message}`}`,
      place,
    }))
}
