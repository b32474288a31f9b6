/** Renders what a plan says of who may read production: roles that may from now on, and those that may no longer. */
import type { JsonOf } from '@svc/server/contract'
import type { Plan } from '../engine/plan/plan.ts'
import type { GrantMove } from '../engine/plan/pointers.ts'
import { stepsOf } from '../engine/plan/step.ts'
import { entry } from './entry.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'

export function grantsOf({ steps }: Plan): readonly GrantMove[] {
  return stepsOf(steps, 'promote').flatMap(({ moves }) => moves.grants)
}

export function grantLines(plan: Plan, style: Style): string[] {
  return grantsOf(plan).flatMap(each =>
    entry(style.yellow('~'), each.asset, 'grants', grantFacts(each), style),
  )
}

/** `+ select to analyst, bi`, `- select from intern` */
export function grantFacts({ grant, revoke }: GrantMove): string[] {
  return [
    ...(grant.length > 0 ? [`+ select to ${grant.join(', ')}`] : []),
    ...(revoke.length > 0 ? [`- select from ${revoke.join(', ')}`] : []),
  ]
}

export function grantParts(plan: Plan): string[] {
  const { length } = grantsOf(plan)
  return length === 0 ? [] : [`change who may read ${countOf(length, 'view')}`]
}

export function grantsJson(plan: Plan): Pick<JsonOf<'plan'>, 'grant_changes'> {
  const grants = grantsOf(plan)
  if (grants.length === 0) return {}
  return { grant_changes: grants.map(({ asset, grant, revoke }) => ({ asset, grant, revoke })) }
}
