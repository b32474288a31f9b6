/** Creates one record inside a transaction. */
import { Problem } from '../http/index.ts'
import { type Cell, type Row, StorageError, type Tx } from '../storage/index.ts'
import type { ColumnFinder } from './columns.ts'
import { identifierOf, nextIdentifier } from './identifier.ts'
import type { Kind } from './kind.ts'
import { type Content, cellsOf, type GlossaryRecord, recordOf, searchCells } from './record.ts'
import { statementsOf } from './statements.ts'

/** The author and time of a change; the same for everything in one request. */
export interface ChangeAuthor {
  readonly actor: string
  readonly requestId: string
  /** An ISO 8601 time. */
  readonly now: string
  /** How the record was created; `api` by default. */
  readonly origin?: Origin
}

/** How one field changed. */
export interface FieldChange {
  readonly field: string
  readonly old: unknown
  readonly new: unknown
}

export type Origin = 'api' | 'pack' | 'import'

/** A write of records of a project, in a transaction. */
export interface ProjectWriting {
  readonly tx: Tx
  readonly project: number
  readonly author: ChangeAuthor
  readonly columns: ColumnFinder
}

export interface Writing extends ProjectWriting {
  readonly kind: Kind
}

export interface Created {
  readonly record: GlossaryRecord
  /** The identifier of another record with the same name. */
  readonly twin: Cell
}

/**
 * @param content the caller's content, with the identifier if he gave one
 * @throws Problem `already_exists`, with the existing record
 */
export async function createRecord(writing: Writing, content: Content): Promise<Created> {
  const { tx, kind } = writing
  const { row, whole } = kind.named
    ? await insertNamed(writing, content)
    : { row: await insertRow(writing, content), whole: content }
  if (row === undefined) throw await alreadyExists(writing, whole)
  const record = recordOf(kind, await wholeRow(tx, kind, row))
  noteChange(writing, record, 'create')
  return { record, twin: row['twin'] ?? null }
}

export type ChangeAction = 'create' | 'update' | 'delete' | 'restore' | 'purge'

/** For the audit log. */
export function noteChange(
  { tx, kind, project, author: { actor, requestId } }: Writing,
  { id }: Pick<GlossaryRecord, 'id'>,
  action: ChangeAction,
  changes: readonly FieldChange[] = [],
): void {
  const details = changes.length === 0 ? undefined : { fields: changes.map(({ field }) => field) }
  const target = `${kind.name}:${id}`
  tx.record({ project, action: `${kind.name}.${action}`, target, actor, requestId, details })
}

/** Returns the row with what it shows of other tables. */
export async function wholeRow(tx: Tx, kind: Kind, row: Row): Promise<Row> {
  if (kind.joined === undefined) return row
  return (await tx.first(statementsOf(kind).byId, [row['id'] ?? null])) ?? row
}

/**
 * Without an identifier, the record gets one derived from its name; a search is needed only if that is taken.
 */
async function insertNamed(writing: Writing, content: Content) {
  const { tx, kind, project } = writing
  const isGiven = content['identifier'] !== undefined
  let whole = isGiven ? content : { ...content, identifier: identifierOf(kind, content) }
  for (;;) {
    const row = await insertRow(writing, whole)
    if (row !== undefined || isGiven) return { row, whole }
    const identifier = await nextIdentifier(tx, kind, project, identifierOf(kind, content))
    whole = { ...content, identifier }
  }
}

/** Returns undefined if another record is in the way. */
function insertRow({ tx, kind, project, author }: Writing, content: Content): Promise<Row | undefined> {
  const { actor, now, origin = 'api' } = author
  const values = [...cellsOf(kind, content), ...searchCells(kind, content), origin, now, actor, now, actor]
  return tx.insert(statementsOf(kind).insert, [project, ...values]).catch(beginAgainWithoutTarget)
}

/**
 * For callers that create a record which they have just not found: if it exists after all, another writer was
 * faster, and the transaction starts again.
 */
export function beginAgain(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'already_exists') throw error
  throw new StorageError('busy', error.message, error)
}

/**
 * The database refuses a record whose target was deleted by a transaction that ended just now: then this one starts
 * again, and finds the target missing.
 */
export function beginAgainWithoutTarget(error: unknown): never {
  if (error instanceof StorageError && error.kind === 'reference')
    throw new StorageError('busy', error.message, error)
  throw error
}

async function alreadyExists(writing: Writing, content: Content): Promise<Problem> {
  const { kind, project } = writing
  const existing = await findTwin(writing, content)
  const detail = kind.named
    ? `Project ${project} already has a ${kind.name} with the identifier "${content['identifier']}".`
    : `The term is already linked to this ${content['column'] == null ? 'asset' : 'column'}.`
  return existsAlready(kind, existing, detail)
}

export function existsAlready(kind: Kind, existing: Row | undefined, detail: string): Problem {
  if (existing === undefined) return new Problem('already_exists', detail)
  const { id } = existing
  const href = `/api/svc/glossary/${kind.plural}/${id}`
  return new Problem('already_exists', detail, { members: { existing: { id, href } } })
}

/** Returns the live record that the content describes. */
export async function findTwin({ tx, kind, project }: Writing, content: Content): Promise<Row | undefined> {
  if (kind.named) {
    const { identifier } = content
    return identifier === undefined
      ? undefined
      : tx.first(statementsOf(kind).byIdentifier, [project, String(identifier)])
  }
  return tx.first(
    `${statementsOf(kind).select} where link.term = ? and link.asset = ? and coalesce(link."column", '') = ?
     and link.deleted_at is null`,
    [Number(content['term']), Number(content['asset']), String(content['column'] ?? '')],
  )
}
