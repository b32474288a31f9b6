/** What speaks against the build that is live, and does not keep it from being published: a publish says it first. */

import type { Warning } from '@svc/server/contract'
import type { CommandLine } from '@svc/server/language'
import type { BuildRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'

/** Returns a warning for a last run that brought no new build, and one for each test that failed on the build. */
export function buildWarnings(
  state: Pick<StateSnapshot, 'history' | 'tests'>,
  { asset, build_key }: Pick<BuildRecord, 'asset' | 'build_key'>,
  svc: CommandLine,
): readonly Warning[] {
  const last = lastTried(state.history, asset)
  const old: Warning[] =
    last === undefined
      ? []
      : [
          {
            code: 'stale-build',
            asset,
            message: staleText(asset, last),
            hint: `${svc(`run ${asset}`)} shows why; what it then deploys is published next.`,
            example: last.run.run_id,
          },
        ]
  const failed = [...state.tests.values()]
    .filter(test => test.asset === asset && test.status === 'fail' && test.input_key.includes(build_key))
    .map(
      (test): Warning => ({
        code: 'failed-test',
        asset,
        message: `test "${test.name}" failed on what is published: ${test.message ?? 'its rows say which'}`,
        hint: `${svc(`test ${asset}`)} shows its rows.`,
        example: test.name,
      }),
    )
  return [...old, ...failed]
}

interface Tried {
  readonly run: Pick<HistoryRecord, 'run_id' | 'started_at' | 'finished_at'>
  readonly because: string | null
}

/** Returns the newest run of production that had the asset in its plan, if it left the asset as it was. */
function lastTried(history: readonly HistoryRecord[], asset: string): Tried | undefined {
  for (const run of history) {
    if (run.kind === 'preview' || run.status === 'running') continue
    const own = run.assets.find(({ name }) => name === asset)
    // What a run left aside says nothing of it.
    if (own === undefined || own.status === 'kept') continue
    const isLeft = ['failed', 'test_failed', 'skipped'].includes(own.status)
    return isLeft ? { run, because: own.because ?? null } : undefined
  }
  return undefined
}

function staleText(asset: string, { run, because }: Tried): string {
  const when = (run.finished_at ?? run.started_at).slice(0, 16).replace('T', ' ')
  return `"${asset}" is published as it was before run ${run.run_id} (${when} UTC), which did not renew it${because === null ? '' : `: ${because}`}`
}
