/** Renders what a plan warns of: what its files say, policies, and marks of personal data that a run changes. */
import type { JsonOf } from '@svc/server/contract'
import type { MarkDifference } from '../engine/run/mark-changes.ts'
import { type FileWarning, isOfPolicy } from '../engine/workspace/file-warnings.ts'
import { entry } from './entry.ts'
import type { PlanReport } from './plan.ts'
import type { Style } from './style.ts'

type Warned = Pick<PlanReport, 'fileWarnings' | 'marks'>

export function warningLines({ fileWarnings = [], marks = [] }: Warned, style: Style): string[] {
  return [
    ...fileWarnings.flatMap(warning => [
      ...entry(style.yellow('!'), ownerOf(warning), wordOf(warning), [warning.message], style),
      `      ${style.dim(warning.place)}`,
    ]),
    ...marks.flatMap(each => entry(style.yellow('~'), each.asset, 'marks', [markText(each)], style)),
  ]
}

function ownerOf({ asset, place }: FileWarning): string {
  return asset ?? place.replace(/:\d+:\d+$/, '')
}

function wordOf(warning: FileWarning): string {
  return isOfPolicy(warning) ? 'policy' : 'warning'
}

/** `email of the source is no longer marked as personal` */
export function markText({ column, isSource, before, after }: MarkDifference): string {
  const name = isSource ? `${column} of the source` : column
  if (after === true) return `${name} is marked as personal by the next run`
  if (after === false) return `${name} is declared harmless by the next run`
  return `${name} is no longer ${before === true ? 'marked as personal' : 'declared harmless'} after the next run`
}

export function warningsJson({
  fileWarnings = [],
  marks = [],
}: Warned): Pick<JsonOf<'plan'>, 'policy_warnings' | 'file_warnings' | 'mark_changes'> {
  const policies = fileWarnings.filter(isOfPolicy)
  const others = fileWarnings.filter(warning => !isOfPolicy(warning))
  return {
    ...(policies.length > 0 && { policy_warnings: policies.map(warningJson) }),
    ...(others.length > 0 && { file_warnings: others.map(warningJson) }),
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

function warningJson({ asset, code, message, place }: FileWarning) {
  return { asset, code, message, place }
}
