/** Checks policies against a whole project, or against one asset and its upstream. */
import type { Pace } from '../../http/pace.ts'
import type { Queries } from '../../storage/index.ts'
import { type FetchEdges, remembering, walkAssets } from '../lineage/walk.ts'
import type { AssetFacts } from '../policies/asset-facts.ts'
import { checkPolicies, type PolicyCheck, type PolicyFacts } from '../policies/check-policies.ts'
import { type PersonalColumn, personalFlow } from '../policies/personal-flow.ts'
import { fetchEdges } from '../store/edges.ts'
import { factsOfAssets, projectFacts, readPolicies } from '../store/facts.ts'

export async function checkProject(
  queries: Queries,
  project: number,
  head: number,
  pace: Pace,
): Promise<{ readonly checks: readonly PolicyCheck[]; readonly facts: ReadonlyMap<number, AssetFacts> }> {
  const policies = await readPolicies(queries, project)
  const facts = await projectFacts(queries, project, head, policies, pace)
  const fetch = remembering(fetchEdges(queries, head, pace))
  return { checks: await checkPolicies(policies, facts, fetch, pace), facts }
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
  pace: Pace,
): Promise<AssetCheck> {
  const fetch = remembering(fetchEdges(queries, head, pace))
  const above = await walkAssets(asset, 'upstream', Number.POSITIVE_INFINITY, fetch, pace)
  const facts = await factsOfAssets(queries, head, [asset, ...above.visits.map(visit => visit.asset)], pace)
  const inside: FetchEdges = async (assets, direction) => {
    const edges = await fetch(assets, direction)
    return edges.filter(edge => facts.has(edge.from) && facts.has(edge.to))
  }
  const all = await checkPolicies(await readPolicies(queries, project), facts, inside, pace)
  const personal = new Map<string, PersonalSense[]>()
  const note = (columns: readonly PersonalColumn[], policy: PolicyFacts | undefined) => {
    for (const column of columns) {
      if (column.asset !== asset) continue
      const key = column.column.toLowerCase()
      const senses = personal.get(key)
      if (senses === undefined) personal.set(key, [{ policy, column }])
      else senses.push({ policy, column })
    }
  }
  note(await personalFlow([], facts, inside, { pace }), undefined)
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
