/** The events that are shown only with `--debug` and in the log: every statement, request and decision. */
import type { EventOf, RunEvent } from '@svc/server/contract'
import type { Plan } from '../plan/plan.ts'

const debugTypes: ReadonlySet<string> = new Set<RunEvent['type']>(['statement', 'request', 'decision'])

export function isDebugEvent({ type }: { readonly type: string }): boolean {
  return debugTypes.has(type)
}

export function decisionsOf(plan: Plan): EventOf<'decision'>[] {
  return plan.assets.map(asset => ({
    type: 'decision',
    asset: asset.name,
    change: asset.change,
    because: becauseOf(asset),
  }))
}

function becauseOf({ change, reason, changedKeys, fetches }: Plan['assets'][number]): string {
  if (reason !== undefined) return reason
  if (change === 'new') return 'nothing of it is live'
  if (change === 'modified')
    return changedKeys.length === 0 ? 'its definition changed' : changedKeys.join(', ')
  return `same definition and same inputs as the live build${fetches ? ', as far as the last load shows' : ''}`
}
