/** Exports the glossary of a project as one document (interface.md 2.7). */
import type { Queries } from '../../storage/index.ts'
import type { Kind } from '../kind.ts'
import { kinds } from '../kinds.ts'
import { type GlossaryRecord, recordOf } from '../record.ts'
import { statementsOf } from '../statements.ts'

export interface GlossaryDocument {
  readonly project: { readonly id: number; readonly name: string }
  /** Each term has `links`, the records of its links. */
  readonly terms: readonly GlossaryRecord[]
  readonly metrics: readonly GlossaryRecord[]
  readonly dimensions: readonly GlossaryRecord[]
  readonly policies: readonly GlossaryRecord[]
}

export async function readDocument(queries: Queries, project: number): Promise<GlossaryDocument> {
  const [row, terms, metrics, dimensions, policies, links] = await Promise.all([
    queries.first('select name from project where id = ?', [project]),
    recordsOf(queries, kinds.term, project),
    recordsOf(queries, kinds.metric, project),
    recordsOf(queries, kinds.dimension, project),
    recordsOf(queries, kinds.policy, project),
    recordsOf(queries, kinds.link, project),
  ])
  const byTerm = groupByTerm(links)
  return {
    project: { id: project, name: String(row?.['name']) },
    terms: terms.map(term => ({ ...term, links: byTerm.get(term.id) ?? [] })),
    metrics,
    dimensions,
    policies,
  }
}

function groupByTerm(links: readonly GlossaryRecord[]): ReadonlyMap<unknown, readonly GlossaryRecord[]> {
  const groups = new Map<unknown, GlossaryRecord[]>()
  for (const link of links) {
    const group = groups.get(link['term'])
    if (group === undefined) groups.set(link['term'], [link])
    else group.push(link)
  }
  return groups
}

async function recordsOf(queries: Queries, kind: Kind, project: number): Promise<readonly GlossaryRecord[]> {
  const { select } = statementsOf(kind)
  const table = kind.name
  const rows = await queries.all(
    `${select} where ${table}.project_id = ? and ${table}.deleted_at is null order by ${table}.id`,
    [project],
  )
  return rows.map(row => recordOf(kind, row))
}
