/**
 * Writes the entries of an import: first records, then the links between them and the assets of the project.
 */
import type { Pace } from '../../http/pace.ts'
import type { Queries, Tx } from '../../storage/index.ts'
import {
  type BulkItem,
  type BulkMode,
  type BulkResult,
  checkItems,
  type Mistakes,
  upsertAll,
} from '../bulk.ts'
import type { ChangeAuthor } from '../create.ts'
import type { Content } from '../record.ts'
import type { ImportEntry } from './read-entries.ts'

export interface ImportOutcome {
  readonly results: readonly BulkResult[]
  /** Links to assets that the project does not have; they can be imported once it has them. */
  readonly skipped: readonly { readonly pointer: string; readonly detail: string }[]
}

/** The entries that are checked before the transaction; links name records that it may make. */
export function recordsOf(entries: readonly ImportEntry[]): readonly ImportEntry[] {
  return entries.filter(({ kind }) => kind.named)
}

/** @throws Problem `invalid` with everything that is wrong, if it is all or nothing */
export async function importEntries(
  tx: Tx,
  project: number,
  entries: readonly ImportEntry[],
  mistakes: Mistakes,
  mode: BulkMode,
  author: ChangeAuthor,
  pace: Pace,
): Promise<ImportOutcome> {
  const imported = { ...author, origin: 'import' } as const
  const results = await upsertAll(tx, project, recordsOf(entries), mistakes, mode, imported)
  const links = entries.filter(({ kind }) => !kind.named)
  const { items, skipped } = await resolveLinks(tx, project, links)
  const linkMistakes = await checkItems(items, project, mode, pace)
  const linked = await upsertAll(tx, project, items, linkMistakes, mode, imported)
  return { results: [...results, ...linked].map((result, index) => ({ ...result, index })), skipped }
}

/** Returns links with the record numbers of the project instead of names. */
async function resolveLinks(
  queries: Queries,
  project: number,
  links: readonly ImportEntry[],
): Promise<{ readonly items: readonly BulkItem[]; readonly skipped: ImportOutcome['skipped'] }> {
  const items: BulkItem[] = []
  const skipped: { pointer: string; detail: string }[] = []
  for (const { kind, body, pointer } of links) {
    const { term, asset } = body
    const targets = {
      term: await numberOf(
        queries,
        'select id from term where project_id = ? and identifier = ? and deleted_at is null',
        project,
        term,
      ),
      asset: await numberOf(
        queries,
        'select id from asset where project_id = ? and name = ? and removed_at is null',
        project,
        asset,
      ),
    }
    const missing = (['term', 'asset'] as const).filter(name => targets[name] === undefined)
    if (missing.length === 0) items.push({ kind, pointer, body: withoutNothing({ ...body, ...targets }) })
    else
      skipped.push({
        pointer,
        detail: `The project has no ${missing.map(name => `${name} "${body[name]}"`).join(' and no ')}.`,
      })
  }
  return { items, skipped }
}

async function numberOf(
  queries: Queries,
  query: string,
  project: number,
  name: unknown,
): Promise<number | undefined> {
  if (typeof name !== 'string') return undefined
  const row = await queries.first(query, [project, name])
  return row === undefined ? undefined : Number(row['id'])
}

function withoutNothing(body: Content): Content {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}
