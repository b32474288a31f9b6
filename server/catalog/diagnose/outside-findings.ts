/** Findings for calls and relations that no SQL of a project may use. */
import type { Outside } from '../../language/sql/binder/model.ts'
import { outsideWords } from '../../language/sql/outside-reads.ts'
import type { Call } from '../../language/sql/tree.ts'
import type { Finding } from './finding.ts'
import { repairExpression, type Treatment } from './treatment.ts'

export const outsideCode = 'sql-reaches-out'

/** The engine accepts it, so that no finding of the engine confirms this one. */
export function outsideFinding(outside: Outside): Finding {
  const { kind, name, effect, span } = outside
  return {
    code: outsideCode,
    ...outsideWords(outside),
    range: span,
    facts: { [kind === 'function' ? 'function' : 'relation']: name, effect },
  }
}

/** Takes it out of the text, so that the rest is checked as well. */
export function addOutside(treatment: Treatment, outside: readonly Outside[]): void {
  if (outside.length === 0) return
  const calls = callsByName(treatment)
  for (const each of outside) {
    treatment.findings.push({ finding: outsideFinding(each), repair: [] })
    for (const edit of each.repair) treatment.edits.add(edit)
    if (each.kind === 'function') removeCall(treatment, calls.get(each.span.start))
  }
}

/** Returns the calls by where their names begin. */
function callsByName({ nodes }: Treatment): ReadonlyMap<number | undefined, Treatment['nodes'][number]> {
  const calls = nodes.filter(({ node }) => node.kind === 'call')
  return new Map(calls.map(placed => [(placed.node as Call).path.at(-1)?.start, placed]))
}

function removeCall(treatment: Treatment, placed: Treatment['nodes'][number] | undefined): void {
  if (placed === undefined) return
  if (placed.parent?.node.kind === 'function-table') repairTable(treatment, placed)
  else repairExpression(treatment, placed)
}

/** Replaces a table function by a query of one value. */
export function repairTable(
  { edits, repaired }: Pick<Treatment, 'edits' | 'repaired'>,
  { node }: { readonly node: Treatment['nodes'][number]['node'] },
): boolean {
  repaired.add(node)
  return edits.add({ start: node.start, end: node.end, text: '(SELECT NULL)' })
}
