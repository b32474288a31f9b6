/** Renders what a plan says of personal data: warnings of policies, and marks that a run changes. */
import type { JsonOf } from '@svc/server/contract'
import type { MarkDifference } from '../engine/run/mark-changes.ts'
import { entry } from './entry.ts'
import type { PlanReport } from './plan.ts'
import type { Style } from './style.ts'

type Privacy = Pick<PlanReport, 'policies' | 'marks'>

export function privacyLines({ policies = [], marks = [] }: Privacy, style: Style): string[] {
  return [
    ...policies.flatMap(({ asset, message, place }) => [
      ...entry(style.yellow('!'), asset ?? 'glossary', 'policy', [message], style),
      `      ${style.dim(place)}`,
    ]),
    ...marks.flatMap(each => entry(style.yellow('~'), each.asset, 'marks', [markText(each)], style)),
  ]
}

/** `email of the source is no longer marked as personal` */
export function markText({ column, isSource, before, after }: MarkDifference): string {
  const name = isSource ? `${column} of the source` : column
  if (after === true) return `${name} is marked as personal by the next run`
  if (after === false) return `${name} is declared harmless by the next run`
  return `${name} is no longer ${before === true ? 'marked as personal' : 'declared harmless'} after the next run`
}

export function privacyJson({
  policies = [],
  marks = [],
}: Privacy): Pick<JsonOf<'plan'>, 'policy_warnings' | 'mark_changes'> {
  return {
    ...(policies.length > 0 && { policy_warnings: [...policies] }),
    ...(marks.length > 0 && {
      mark_changes: marks.map(({ asset, column, isSource, before, after }) => ({
        asset,
        column,
        source: isSource,
        before: before ?? null,
        after: after ?? null,
      })),
    }),
  }
}
