/** Checks which columns break which policies. Pure, except for the edges that it queries. */
import { coverOf } from '../../../server/language/glossary/terms.ts'
import { noPace, type Pace } from '../../http/pace.ts'
import type { FetchEdges } from '../lineage/walk.ts'
import type { AssetFacts } from './asset-facts.ts'
import { type PersonalColumn, personalFlow } from './personal-flow.ts'

export interface PolicyFacts {
  readonly id: number
  readonly name: string
  readonly rule: string
  /** `email` or `customers.email`; empty means all marked columns. */
  readonly piiColumns: readonly string[]
  /** Patterns of assets; empty means all. */
  readonly appliesTo: readonly string[]
  readonly enforcement: string
  /** `deny`: columns that are only derived from personal data break it too. */
  readonly derived: string
}

export interface PolicyCheck {
  readonly policy: PolicyFacts
  /** The checked assets that the policy applies to. */
  readonly covers: readonly number[]
  /** The columns with personal data that the policy names, in any asset. */
  readonly personal: readonly PersonalColumn[]
  /** Those of them in assets that the policy applies to; empty if it is `off`. */
  readonly breaches: readonly PersonalColumn[]
}

export async function checkPolicies(
  policies: readonly PolicyFacts[],
  assets: ReadonlyMap<number, AssetFacts>,
  fetch: FetchEdges,
  pace: Pace = noPace,
): Promise<readonly PolicyCheck[]> {
  // Policies with the same columns and the same grade share a walk.
  const flows = new Map<string, Promise<readonly PersonalColumn[]>>()
  const flowOf = ({ piiColumns, derived }: PolicyFacts) => {
    const reach = derived === 'deny' ? 'derived' : 'personal'
    const key = JSON.stringify([reach, ...piiColumns.map(column => column.toLowerCase()).sort()])
    const known = flows.get(key) ?? personalFlow(piiColumns, assets, fetch, { reach, pace })
    flows.set(key, known)
    return known
  }
  const checks: PolicyCheck[] = []
  for (const policy of policies) {
    const personal = await flowOf(policy)
    const covers = new Set<number>()
    for (const facts of assets.values()) {
      if (appliesTo(policy, facts)) covers.add(facts.asset)
      const pause = pace.pause()
      if (pause !== undefined) await pause
    }
    const breaches = policy.enforcement === 'off' ? [] : personal.filter(({ asset }) => covers.has(asset))
    checks.push({ policy, covers: [...covers], personal, breaches })
  }
  return checks
}

/** Returns whether one of the asset's names or tags matches one of the patterns. */
function appliesTo(
  policy: Pick<PolicyFacts, 'appliesTo'>,
  { names, tags }: Pick<AssetFacts, 'names' | 'tags'>,
): boolean {
  return policy.appliesTo.length === 0 || coverOf(policy.appliesTo).covers(names, tags)
}

/** A breach with names instead of record numbers. */
export interface BreachNote {
  readonly asset: string
  readonly column: string
  readonly root: { readonly asset: string; readonly column: string }
}

/** The limit of notes per policy. */
const mostNotes = 1000

/** Returns the breaches of each check. */
export function breachNotes(
  checks: readonly PolicyCheck[],
  assets: ReadonlyMap<number, AssetFacts>,
): readonly (readonly BreachNote[])[] {
  const nameOf = (asset: number) => assets.get(asset)?.name ?? String(asset)
  return checks.map(({ breaches }) =>
    breaches.slice(0, mostNotes).map(({ asset, column, root }) => ({
      asset: nameOf(asset),
      column,
      root: { asset: nameOf(root.asset), column: root.column },
    })),
  )
}
