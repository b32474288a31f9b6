/** Exports the glossary of a project as one document (interface.md 2.7). */
import type { Pace } from '../../http/pace.ts'
import { grouped, pages, type Queries } from '../../storage/index.ts'
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

export async function readDocument(queries: Queries, project: number, pace: Pace): Promise<GlossaryDocument> {
  const [row, terms, metrics, dimensions, policies, links] = await Promise.all([
    queries.first('select name from project where id = ?', [project]),
    recordsOf(queries, kinds.term, project, pace),
    recordsOf(queries, kinds.metric, project, pace),
    recordsOf(queries, kinds.dimension, project, pace),
    recordsOf(queries, kinds.policy, project, pace),
    recordsOf(queries, kinds.link, project, pace),
  ])
  const byTerm = grouped(links, link => link['term'])
  return {
    project: { id: project, name: String(row?.['name']) },
    terms: terms.map(term => ({ ...term, links: byTerm.get(term.id) ?? [] })),
    metrics,
    dimensions,
    policies,
  }
}

/** The document as text, made in pieces between which other requests are answered. */
export async function documentBytes(document: GlossaryDocument, pace: Pace): Promise<Buffer> {
  const parts: string[] = []
  for (const [name, value] of Object.entries(document)) {
    parts.push(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    if (!Array.isArray(value)) parts.push(JSON.stringify(value))
    else await pushList(parts, value, pace)
  }
  return Buffer.from(`${parts.join('')}}`)
}

async function pushList(parts: string[], items: readonly unknown[], pace: Pace): Promise<void> {
  parts.push('[')
  for (const [index, item] of items.entries()) {
    parts.push(`${index === 0 ? '' : ','}${JSON.stringify(item)}`)
    await pace.pause()
  }
  parts.push(']')
}

async function recordsOf(
  queries: Queries,
  kind: Kind,
  project: number,
  pace: Pace,
): Promise<readonly GlossaryRecord[]> {
  const { select } = statementsOf(kind)
  const table = kind.name
  const records: GlossaryRecord[] = []
  const live = `${select} where ${table}.project_id = ? and ${table}.deleted_at is null`
  const query = `${live} and ${table}.id > ? order by ${table}.id`
  for await (const rows of pages(queries, query, [project], pieceRows)) {
    for (const row of rows) records.push(recordOf(kind, row))
    await pace.pause()
  }
  return records
}

/** Other requests run between the pieces of a large glossary. */
const pieceRows = 250
