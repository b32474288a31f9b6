/** What a run says on `--debug` and in its log only: every statement, request and decision. */
import type { AssetChange } from '../plan/asset-change.ts'
import type { Plan } from '../plan/plan.ts'

export type DebugEvent =
  | {
      readonly type: 'statement'
      readonly sql: string
      readonly seconds: number
      readonly rows?: number
      readonly failed: boolean
    }
  | {
      readonly type: 'request'
      readonly asset: string
      readonly method: string
      /** Without credentials. */
      readonly url: string
      /** Undefined: no answer came. */
      readonly status?: number
      readonly seconds: number
      readonly error?: string
    }
  /** What the plan of the run means to do with an asset, and why. */
  | {
      readonly type: 'decision'
      readonly asset: string
      readonly change: AssetChange
      readonly because: string
    }

const debugTypes: ReadonlySet<string> = new Set(['statement', 'request', 'decision'] as const)

export function isDebugEvent<E extends { readonly type: string }>(event: E): boolean {
  return debugTypes.has(event.type)
}

export function decisionsOf(plan: Plan): DebugEvent[] {
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
  return `same definition and same inputs as the live build${fetches ? ', as far as the last load tells' : ''}`
}
