/** What the history says of a run: its verdict, when and how long. Independent of the editor. */
import { type VerdictRole, verdictLook, verdictWords } from '@svc/server/verdicts'
import type { RunEntry } from '../runs.ts'
import { ageOf } from './asset-nodes.ts'

export function runLabel({ kind, selector }: RunEntry): string {
  return `${kind ?? 'run'} ${selector ?? 'all'}`
}

/** `Deployed with 2 warnings` */
export function runVerdict({ verdict, warned }: RunEntry): string {
  return verdictWords(verdict, warned)
}

export function runRole({ verdict, warned }: RunEntry): VerdictRole {
  return verdictLook(verdict, warned).role
}

/** `Killed · 5 min ago · 8.0 s · prod` */
export function runDescription(run: RunEntry, now: Date): string {
  const ended = run.finished_at ?? run.changed_at
  const took =
    run.seconds === null ? '' : `${run.seconds < 10 ? run.seconds.toFixed(1) : Math.round(run.seconds)} s`
  return [runVerdict(run), ageOf(new Date(ended), now), took, run.environment ?? '']
    .filter(text => text !== '')
    .join(' · ')
}

/** Names all that failed. */
export function runTooltip(run: RunEntry): string {
  const started = run.started_at === null ? [] : [new Date(run.started_at).toLocaleString()]
  const causes = run.causes.map(({ asset, message }) => (asset === null ? message : `${asset}: ${message}`))
  const more = run.more_causes === 0 ? [] : [`and ${run.more_causes} more`]
  return [`${run.run_id}  ${runVerdict(run)}`, ...started, ...causes, ...more].join('\n')
}
