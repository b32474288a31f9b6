/**
 * Writes the entries of an import: first records, then the links between them and the assets of the project.
 */
import type { Pace } from '../../http/pace.ts'
import { type Queries, rowsOfTexts } from '../../storage/index.ts'
import { type BulkItem, type BulkResult, type CheckedItems, checkItems, upsertAll } from '../bulk.ts'
import type { ColumnFinder } from '../columns.ts'
import type { ProjectWriting } from '../create.ts'
import type { Kind } from '../kind.ts'
import type { Content } from '../record.ts'
import type { ImportEntry } from './read-entries.ts'

export interface ImportOutcome {
  readonly results: readonly BulkResult[]
  /** Links to assets and columns that the project does not have; they can be imported once it has them. */
  readonly skipped: readonly { readonly pointer: string; readonly detail: string }[]
}

/** The entries that are checked before the transaction; links name records that it may make. */
export function recordsOf(entries: readonly ImportEntry[]): readonly ImportEntry[] {
  return entries.filter(({ kind }) => kind.named)
}

/**
 * @param checked the records of the entries
 * @throws Problem `invalid` with everything that is wrong, if it is all or nothing
 */
export async function importEntries(
  by: ProjectWriting,
  entries: readonly ImportEntry[],
  checked: CheckedItems,
  pace: Pace,
): Promise<ImportOutcome> {
  const writing: ProjectWriting = { ...by, author: { ...by.author, origin: 'import' } }
  const results = await upsertAll(writing, checked)
  const links = entries.filter(({ kind }) => !kind.named)
  const { items, skipped } = await resolveLinks(writing, links)
  const linked = await upsertAll(writing, await checkItems(items, writing.project, checked.mode, pace))
  return { results: [...results, ...linked].map((result, index) => ({ ...result, index })), skipped }
}

/** Returns links with the record numbers of the project instead of names. */
async function resolveLinks({ tx, project, columns }: ProjectWriting, links: readonly ImportEntry[]) {
  const named = (member: 'term' | 'asset') => links.map(({ body }) => body[member])
  const numbers = {
    term: await numbersOf(tx, liveTerms, project, named('term')),
    asset: await numbersOf(tx, liveAssets, project, named('asset')),
  }
  const items: BulkItem[] = []
  const skipped: { pointer: string; detail: string }[] = []
  for (const { kind, body, pointer } of links) {
    const targets = { term: numbers.term.get(body['term']), asset: numbers.asset.get(body['asset']) }
    const missing = (['term', 'asset'] as const).filter(name => targets[name] === undefined)
    const numbered = withoutNothing({ ...body, ...targets })
    const reason =
      missing.length > 0
        ? `The project has no ${missing.map(name => `${name} "${body[name]}"`).join(' and no ')}.`
        : await missingColumn(columns, kind, numbered)
    if (reason === undefined) items.push({ kind, pointer, body: numbered })
    else skipped.push({ pointer, detail: reason })
  }
  return { items, skipped }
}

async function missingColumn(columns: ColumnFinder, kind: Kind, link: Content): Promise<string | undefined> {
  const note = await columns.noteOf(kind, link)
  return note?.code === 'unknown_column' ? note.detail : undefined
}

const liveTerms = {
  select: 'select id, identifier as name from term where project_id = ? and deleted_at is null',
  column: 'identifier',
}
const liveAssets = {
  select: 'select id, name from asset where project_id = ? and removed_at is null',
  column: 'name',
}

/** One statement for all names, because others wait for the transaction. */
async function numbersOf(
  queries: Queries,
  { select, column }: { readonly select: string; readonly column: string },
  project: number,
  names: readonly unknown[],
): Promise<ReadonlyMap<unknown, number>> {
  const texts = [...new Set(names.filter(name => typeof name === 'string'))]
  if (texts.length === 0) return new Map()
  const rows = await queries.all(...rowsOfTexts(queries.engine, select, column, [project], texts))
  return new Map(rows.map(row => [row['name'], Number(row['id'])]))
}

function withoutNothing(body: Content): Content {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}
