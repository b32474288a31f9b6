/** Creates a record, or updates the one with its identifier: for bulk calls, imports, uploads. */
import { saysOtherwise, updateRecord } from './change-record.ts'
import { requireRules } from './content.ts'
import { beginAgain, type ChangeAuthor, createRecord, findTwin, type Writing } from './create.ts'
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
export async function upsertRecord(writing: Writing & UpsertOptions, content: Content): Promise<Upserted> {
  const { kind, onlyOrigin } = writing
  const existing = await findTwin(writing, content)
  if (existing === undefined) {
    requireRules(kind, content)
    await requireReferences(writing, content)
    const { record } = await createRecord(writing, content).catch(beginAgain)
    return { record, status: 'created' }
  }
  if (onlyOrigin !== undefined && existing['origin'] !== onlyOrigin) {
    const isKept = saysOtherwise(kind, contentOf(kind, existing), content)
    return { record: recordOf(kind, existing), status: isKept ? 'kept' : 'unchanged' }
  }
  requireRules(kind, content)
  const { record, changes } = await updateRecord(writing, existing, content)
  return { record, status: changes.length === 0 ? 'unchanged' : 'updated' }
}
