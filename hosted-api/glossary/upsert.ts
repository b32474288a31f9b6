/** Creates a record, or updates the one with its identifier: for bulk calls, imports, uploads. */
import type { Tx } from '../storage/index.ts'
import { saysOtherwise, updateRecord } from './change-record.ts'
import { requireRules } from './content.ts'
import { beginAgain, type ChangeAuthor, createRecord, findTwin } from './create.ts'
import type { Kind } from './kind.ts'
import { type Content, contentOf, type GlossaryRecord, recordOf } from './record.ts'
import { requireReferences } from './relations.ts'

export type UpsertStatus = 'created' | 'updated' | 'unchanged' | 'kept'

export interface Upserted {
  readonly record: GlossaryRecord
  readonly status: UpsertStatus
}

export interface UpsertOptions {
  /** Whether a record of another origin that differs is `kept`: an upload does not overwrite what people edited here. */
  readonly onlyOrigin?: ChangeAuthor['origin']
}

/**
 * @param content as `readContent` returns it
 * @throws Problem `invalid`, `already_exists`
 */
export async function upsertRecord(
  tx: Tx,
  kind: Kind,
  project: number,
  content: Content,
  author: ChangeAuthor,
  options: UpsertOptions = {},
): Promise<Upserted> {
  const existing = await findTwin(tx, kind, project, content)
  if (existing === undefined) {
    requireRules(kind, content)
    await requireReferences(tx, kind, project, content)
    const record = await createRecord(tx, kind, project, content, author).catch(beginAgain)
    return { record, status: 'created' }
  }
  if (options.onlyOrigin !== undefined && existing['origin'] !== options.onlyOrigin) {
    const isKept = saysOtherwise(kind, contentOf(kind, existing), content)
    return { record: recordOf(kind, existing), status: isKept ? 'kept' : 'unchanged' }
  }
  requireRules(kind, content)
  const { record, changes } = await updateRecord(tx, kind, existing, content, author)
  return { record, status: changes.length === 0 ? 'unchanged' : 'updated' }
}
