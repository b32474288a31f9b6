/** The one word for a node and its look: the same in the list, in the table, on the card, in the details. Pure. */
import {
  type AssetFacts,
  type AssetState,
  assetLook,
  assetStateOf,
  assetWords,
  type RunVerdict,
  type VerdictRole,
  verdictLook,
} from '@svc/server/verdicts'
import type { Freshness } from './freshness.ts'
import type { Facts } from './lens.ts'
import type { NodeStatus } from './model.ts'

export function stateOfNode(facts: Facts): AssetState {
  return assetStateOf({
    // The tests of a run in progress are told before its end.
    last: facts.tests.failed > 0 ? 'Failed' : lastOf(facts.status),
    isLive: facts.status !== 'never',
    live: facts.status === 'running' || facts.status === 'waiting' ? facts.status : undefined,
    errors: facts.problems.errors,
    isGone: facts.gone,
    freshness: verdictIn(facts.freshness),
    warnings: facts.warned + facts.tests.warned,
  })
}

function lastOf(status: NodeStatus): AssetFacts['last'] {
  if (status === 'failed') return 'Failed'
  if (status === 'skipped') return 'skipped'
  return status === 'never' ? null : 'deployed'
}

function verdictIn(freshness: Freshness | null): AssetFacts['freshness'] {
  return freshness === null ? null : ({ ok: 'OK', warn: 'WARN', error: 'ERROR' } as const)[freshness]
}

export interface StateLook {
  readonly word: string
  readonly glyph: string
  readonly role: VerdictRole
}

export function lookOfNode(facts: Facts & { readonly verdict?: RunVerdict | undefined }): StateLook {
  const isTarget = facts.kind === 'publish' && (facts.verdict !== undefined || facts.status === 'never')
  if (isTarget) return lookOfTarget(facts.verdict)
  const state = stateOfNode(facts)
  const freshness = verdictIn(facts.freshness)
  return { word: assetWords(state, freshness), ...assetLook(state, freshness) }
}

function lookOfTarget(verdict: RunVerdict | undefined): StateLook {
  if (verdict === undefined) return { word: 'Never published', glyph: '○', role: 'quiet' }
  return { word: verdict, ...verdictLook(verdict, 0) }
}
