/** Checks policies against a whole project, or against one asset and its upstream. */
import { type FetchEdges, remembering, walkAssets } from '../lineage/walk.ts'
import { checkPolicies, type PolicyFacts } from '../policies/check-policies.ts'
import { type PersonalColumn, personalFlow } from '../policies/personal-flow.ts'
import { fetchEdges } from '../store/edges.ts'
import { factsOfAssets, projectFacts, readPolicies } from '../store/facts.ts'
import type { Reading } from '../store/visible.ts'

export async function checkProject(reading: Reading, project: number) {
  const policies = await readPolicies(reading.queries, project)
  const facts = await projectFacts(reading, project, policies)
  const fetch = remembering(fetchEdges(reading))
  return { checks: await checkPolicies(policies, facts, fetch, reading.pace), facts }
}

/** Reads only the asset and its upstream. */
export async function checkAsset(reading: Reading, project: number, asset: number) {
  const { queries, pace } = reading
  const fetch = remembering(fetchEdges(reading))
  const above = await walkAssets(asset, 'upstream', Number.POSITIVE_INFINITY, fetch, pace)
  const facts = await factsOfAssets(reading, [asset, ...above.visits.map(visit => visit.asset)])
  const inside: FetchEdges = async (assets, direction) => {
    const edges = await fetch(assets, direction)
    return edges.filter(edge => facts.has(edge.from) && facts.has(edge.to))
  }
  const all = await checkPolicies(await readPolicies(queries, project), facts, inside, pace)
  const personal = new Map<string, readonly PolicyFacts[]>()
  const note = (columns: readonly PersonalColumn[], policies: readonly PolicyFacts[]) => {
    for (const column of columns.filter(each => each.asset === asset)) {
      const key = column.column.toLowerCase()
      personal.set(key, [...(personal.get(key) ?? []), ...policies])
    }
  }
  note(await personalFlow([], facts, inside, { pace }), [])
  for (const check of all) note(check.personal, [check.policy])
  return {
    /** The policies that apply to the asset, with the breaches in it. */
    checks: all
      .filter(check => check.covers.includes(asset))
      .map(check => ({ ...check, breaches: check.breaches.filter(breach => breach.asset === asset) })),
    /** By lower-case name: the asset's personal columns, by mark or by any policy, with the policies that name them. */
    personal,
    names: (id: number) => facts.get(id)?.name ?? String(id),
  }
}
