/** Which policies are broken by which columns. Pure but for the edges that it asks for. */
import { matches } from '../../../server/language/glossary/terms.ts'
import type { FetchEdges } from '../lineage/walk.ts'
import type { AssetFacts } from './asset-facts.ts'
import { type PersonalColumn, personalFlow } from './personal-flow.ts'

export interface PolicyFacts {
  readonly id: number
  readonly name: string
  readonly rule: string
  /** `email` or `customers.email`; empty: all columns that are marked. */
  readonly piiColumns: readonly string[]
  /** Patterns of assets; empty: all. */
  readonly appliesTo: readonly string[]
  readonly enforcement: string
}

export interface PolicyCheck {
  readonly policy: PolicyFacts
  /** Assets that the policy is about, of those that were looked at. */
  readonly covers: readonly number[]
  /** Personal columns in the sense of the policy, wherever they are. */
  readonly personal: readonly PersonalColumn[]
  /** Those of them in assets that the policy is about; none where it is `off`. */
  readonly breaches: readonly PersonalColumn[]
}

export async function checkPolicies(
  policies: readonly PolicyFacts[],
  assets: ReadonlyMap<number, AssetFacts>,
  fetch: FetchEdges,
): Promise<readonly PolicyCheck[]> {
  // Policies that mean the same columns share a walk.
  const flows = new Map<string, Promise<readonly PersonalColumn[]>>()
  const flowOf = (columns: readonly string[]) => {
    const key = JSON.stringify(columns.map(column => column.toLowerCase()).sort())
    const known = flows.get(key) ?? personalFlow(columns, assets, fetch)
    flows.set(key, known)
    return known
  }
  const checks: PolicyCheck[] = []
  for (const policy of policies) {
    const personal = await flowOf(policy.piiColumns)
    const covers = new Set(
      [...assets.values()].filter(facts => appliesTo(policy, facts)).map(({ asset }) => asset),
    )
    const breaches = policy.enforcement === 'off' ? [] : personal.filter(({ asset }) => covers.has(asset))
    checks.push({ policy, covers: [...covers], personal, breaches })
  }
  return checks
}

/** Whether a policy is about an asset: one of its names fits one of the patterns. */
export function appliesTo(
  policy: Pick<PolicyFacts, 'appliesTo'>,
  { names }: Pick<AssetFacts, 'names'>,
): boolean {
  if (policy.appliesTo.length === 0) return true
  return policy.appliesTo.some(pattern => names.some(name => matches(pattern, name)))
}

/** A breach in names, for who does not know the record numbers. */
export interface BreachNote {
  readonly asset: string
  readonly column: string
  readonly root: { readonly asset: string; readonly column: string }
}

/** More of one policy nobody reads. */
const mostNotes = 1000

/** The breaches of each check. */
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
