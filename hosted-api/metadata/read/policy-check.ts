/** Checks policies against a whole project, or against one asset and its upstream. */
import type { Queries } from '../../storage/index.ts'
import { type FetchEdges, walkAssets } from '../lineage/walk.ts'
import type { AssetFacts } from '../policies/asset-facts.ts'
import { checkPolicies, type PolicyCheck, type PolicyFacts } from '../policies/check-policies.ts'
import { type PersonalColumn, personalFlow } from '../policies/personal-flow.ts'
import { fetchEdges } from '../store/edges.ts'
import { factsOfAssets, projectFacts, readPolicies } from '../store/facts.ts'

export async function checkProject(
  queries: Queries,
  project: number,
  head: number,
): Promise<{ readonly checks: readonly PolicyCheck[]; readonly facts: ReadonlyMap<number, AssetFacts> }> {
  const policies = await readPolicies(queries, project)
  const facts = await projectFacts(queries, project, head, policies)
  return { checks: await checkPolicies(policies, facts, fetchEdges(queries, head)), facts }
}

export interface AssetCheck {
  readonly facts: AssetFacts | undefined
  /** The policies that apply to the asset, with the breaches in it. */
  readonly checks: readonly PolicyCheck[]
  /** By lower-case name: the asset's personal columns, by mark or by any policy. */
  readonly personal: ReadonlyMap<string, readonly PersonalSense[]>
  readonly names: (asset: number) => string
}

export interface PersonalSense {
  /** Undefined if the column is marked. */
  readonly policy: PolicyFacts | undefined
  readonly column: PersonalColumn
}

/** Reads only the asset and its upstream. */
export async function checkAsset(
  queries: Queries,
  project: number,
  head: number,
  asset: number,
): Promise<AssetCheck> {
  const fetch = fetchEdges(queries, head)
  const above = await walkAssets(asset, 'upstream', Number.POSITIVE_INFINITY, fetch)
  const facts = await factsOfAssets(queries, head, [asset, ...above.visits.map(visit => visit.asset)])
  const inside: FetchEdges = async (assets, direction) => {
    const edges = await fetch(assets, direction)
    return edges.filter(edge => facts.has(edge.from) && facts.has(edge.to))
  }
  const all = await checkPolicies(await readPolicies(queries, project), facts, inside)
  const personal = new Map<string, PersonalSense[]>()
  const note = (columns: readonly PersonalColumn[], policy: PolicyFacts | undefined) => {
    for (const column of columns) {
      if (column.asset !== asset) continue
      const key = column.column.toLowerCase()
      personal.set(key, [...(personal.get(key) ?? []), { policy, column }])
    }
  }
  note(await personalFlow([], facts, inside), undefined)
  for (const check of all) note(check.personal, check.policy)
  return {
    facts: facts.get(asset),
    checks: all
      .filter(check => check.covers.includes(asset))
      .map(check => ({ ...check, breaches: check.breaches.filter(breach => breach.asset === asset) })),
    personal,
    names: id => facts.get(id)?.name ?? String(id),
  }
}
