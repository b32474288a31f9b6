/** Finds the policies that an upload would break, and which breaches are new. */
import type { Shape } from '../../../server/contract/schema.ts'
import type { Pace } from '../../http/pace.ts'
import type { Queries } from '../../storage/index.ts'
import { remembering } from '../lineage/walk.ts'
import type { PackGlossaryEntry } from '../pack/pack.ts'
import { type BreachNote, breachNotes, checkPolicies, type PolicyFacts } from '../policies/check-policies.ts'
import { factsById, overlaid } from '../policies/pack-graph.ts'
import { fetchEdges } from '../store/edges.ts'
import { projectFacts, readPolicies } from '../store/facts.ts'
import type { PackJob, PackSummary } from './pack-job.ts'
import type { BrokenPolicy } from './upload-shapes.ts'

type DryPolicy = Shape<typeof BrokenPolicy>

/** Returns only policies that would be broken. */
export async function dryPolicies(
  queries: Queries,
  project: number,
  head: number,
  job: PackJob,
  summary: PackSummary,
  pace: Pace,
): Promise<readonly DryPolicy[]> {
  const stored = await readPolicies(queries, project)
  const policies = [...stored, ...ownPolicies(summary.glossary, stored)]
  if (policies.length === 0) return []
  const reading = { queries, head, pace }
  const fetch = remembering(fetchEdges(reading))
  const facts = await projectFacts(reading, project, policies)
  const before = breachNotes(await checkPolicies(policies, facts, fetch, pace), facts)
  let after: readonly (readonly BreachNote[])[]
  if (summary.scope === 'full') after = await job.breaches(policies)
  else {
    const graph = await job.graph()
    const all = new Map([...facts, ...factsById(graph.facts)])
    after = breachNotes(await checkPolicies(policies, all, overlaid(fetch, graph), pace), all)
  }
  return policies.flatMap((policy, index) => {
    const known = new Set(before[index]?.map(keyOf))
    const breaches = (after[index] ?? []).map(breach => ({ ...breach, new: !known.has(keyOf(breach)) }))
    const { name, enforcement } = policy
    return breaches.length === 0
      ? []
      : [{ id: policy.id === 0 ? null : policy.id, name, enforcement, breaches }]
  })
}

/** Returns the policies of the pack that the project does not have yet. */
function ownPolicies(
  glossary: readonly PackGlossaryEntry[],
  stored: readonly PolicyFacts[],
): readonly PolicyFacts[] {
  const known = new Set(stored.map(policy => policy.name))
  return glossary.flatMap(({ kind, entry }) => {
    const { name, rule, pii_columns, applies_to, enforcement, derived } = entry
    if (kind !== 'policy' || typeof name !== 'string' || known.has(name)) return []
    return [
      {
        id: 0,
        name,
        rule: String(rule ?? ''),
        piiColumns: texts(pii_columns),
        appliesTo: texts(applies_to),
        enforcement: typeof enforcement === 'string' ? enforcement : 'strict',
        derived: typeof derived === 'string' ? derived : 'allow',
      },
    ]
  })
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function keyOf({ asset, column }: BreachNote): string {
  return `${asset}\0${column.toLowerCase()}`
}
