/** Renders what a run would refuse to do. */
import type { JsonOf } from '@svc/server/contract'
import { entry } from './entry.ts'
import type { PlanReport } from './plan.ts'
import type { Style } from './style.ts'
import { wrapBehind } from './width.ts'

type Refused = Pick<PlanReport, 'refusals'>

/** `✗ orders  refused  the 3 rows that its loads have gathered would go, because …`, and what to do. */
export function refusalLines({ refusals = [] }: Refused, style: Style): string[] {
  return refusals.flatMap(({ asset, message, hint, place }) => [
    ...entry(style.red('✗'), asset, 'refused', [message], style),
    ...(place === undefined ? [] : [`      ${style.dim(place)}`]),
    ...(hint === undefined ? [] : wrapBehind('      ', hint, style.width)),
  ])
}

export function refusalsJson({ refusals = [] }: Refused): Pick<JsonOf<'plan'>, 'refusals'> {
  if (refusals.length === 0) return {}
  return {
    refusals: refusals.map(({ asset, code, message, hint = null, place = null, facts }) => ({
      ...{ asset, code, message, hint, place },
      ...(facts !== undefined && { facts }),
    })),
  }
}
