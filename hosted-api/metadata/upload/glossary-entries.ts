/**
 * Merges the glossary of a pack into that of the project: by identifier, and without overwriting what people
 * edited here.
 */
import { entryId } from '../../../server/language/glossary/entry-id.ts'
import { wholeContent } from '../../glossary/body-schemas.ts'
import { readContent } from '../../glossary/content.ts'
import type { ProjectWriting } from '../../glossary/create.ts'
import type { Kind } from '../../glossary/kind.ts'
import { allKinds } from '../../glossary/kinds.ts'
import type { Content } from '../../glossary/record.ts'
import type { Upserted } from '../../glossary/upsert.ts'
import { toldProblem, upsertRecords } from '../../glossary/upsert-many.ts'
import { Problem } from '../../http/index.ts'
import { bodyProblems } from '../../http/validate.ts'
import type { Tx } from '../../storage/index.ts'
import type { PackGlossaryEntry, PackWarning } from '../pack/pack.ts'

/** `keep`: records that were edited in the hosted glossary are not changed. */
export const glossaryModes = ['keep', 'overwrite'] as const
export type GlossaryMode = (typeof glossaryModes)[number]

export interface GlossaryOutcome {
  /** The number of entries that now match the pack. */
  readonly synced: number
  readonly warnings: readonly PackWarning[]
}

type Entry = Readonly<Record<string, unknown>>

/** An entry that cannot be stored is a warning, because the assets of the pack are useful without it. */
export async function writeGlossary(
  { tx, project, author, columns }: ProjectWriting,
  entries: readonly PackGlossaryEntry[],
  mode: GlossaryMode,
): Promise<GlossaryOutcome> {
  const warnings: PackWarning[] = []
  let synced = 0
  const packAuthor = { ...author, origin: 'pack' } as const
  const options = mode === 'keep' ? { onlyOrigin: 'pack' as const } : {}
  // Terms come before the links that name them.
  for (const kind of allKinds) {
    const valid: { readonly content: Content; readonly pointer: string }[] = []
    for (const { entry, pointer } of entries.filter(each => each.kind === kind.name)) {
      const content = await contentOf(tx, project, kind, entry).catch(toldProblem)
      if (content instanceof Problem) warnings.push({ ...refused(content), pointer })
      else valid.push({ content, pointer })
    }
    const contents = valid.map(({ content }) => content)
    const order = { tx, kind, project, author: packAuthor, columns, ...options }
    const outcomes = await upsertRecords(order, contents)
    for (const [index, outcome] of outcomes.entries()) {
      const warning = warningOf(outcome)
      if (warning === undefined) synced++
      else warnings.push({ ...warning, pointer: valid[index]?.pointer ?? '' })
    }
  }
  return { synced, warnings }
}

/** @throws Problem */
async function contentOf(tx: Tx, project: number, kind: Kind, entry: Entry): Promise<Content> {
  const said = kind.named ? namedEntry(kind, entry) : await linkEntry(tx, project, entry)
  const [problem] = bodyProblems(wholeContent(kind), said)
  if (problem !== undefined) throw new Problem('invalid', `${problem.pointer}: ${problem.detail}`)
  return readContent(kind, said)
}

function refused({ message }: Problem): PackWarning {
  return { code: 'glossary_entry', detail: message }
}

function warningOf(outcome: Upserted | Problem): PackWarning | undefined {
  if (outcome instanceof Problem) return refused(outcome)
  if (outcome.status !== 'kept') return undefined
  const detail =
    'It was edited in the hosted glossary and stays as it is; ?glossary=overwrite takes the one of the pack.'
  return { code: 'glossary_kept', detail }
}

/**
 * A local export numbers its entries; here the caller's string is the identifier, or one is derived from the
 * name.
 */
function namedEntry(kind: Kind, entry: Entry): Entry {
  const { id, identifier, project: _project, kind: _kind, values, ...rest } = entry
  const given = identifier ?? (typeof id === 'string' ? id : undefined)
  const own = given ?? (typeof rest['name'] === 'string' ? entryId(kind.prefix, rest['name']) : undefined)
  return {
    ...rest,
    ...(own !== undefined && { identifier: own }),
    // YAML may have numbers and booleans where the glossary has text.
    ...(values !== undefined && { values: Array.isArray(values) ? values.map(String) : values }),
  }
}

/** Replaces the names of term and asset by their record numbers. */
async function linkEntry(tx: Tx, project: number, entry: Entry): Promise<Entry> {
  const { id: _id, term, asset, column, role } = entry
  return {
    term: await numberOf(tx, project, 'term', 'deleted_at', term),
    asset: await numberOf(tx, project, 'asset', 'removed_at', asset),
    column: column ?? null,
    role: role ?? 'attribute',
  }
}

/**
 * @param end the column that is null for what is there
 * @throws Problem for a name that the project does not have
 */
async function numberOf(
  tx: Tx,
  project: number,
  table: 'term' | 'asset',
  end: string,
  name: unknown,
): Promise<number> {
  const row = await tx.first<{ id: number }>(
    `select id from ${table} where project_id = ? and ${end} is null and (identifier = ? or name = ?)
      order by case when identifier = ? then 0 else 1 end, id limit 1`,
    [project, String(name), String(name), String(name)],
  )
  if (row !== undefined) return row.id
  const detail = `The link names the ${table} "${String(name)}", which the project does not have.`
  throw new Problem('invalid', detail)
}
