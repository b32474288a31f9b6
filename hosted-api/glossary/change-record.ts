/**
 * Changes one record inside a transaction: its content, and whether it is deleted. Every change is a version.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { entryShapes } from '../../server/language/glossary/entries.ts'
import { Problem, requireMatch } from '../http/index.ts'
import type { Cell, Row } from '../storage/index.ts'
import {
  beginAgainWithoutTarget,
  type ChangeAction,
  type ChangeAuthor,
  existsAlready,
  type FieldChange,
  noteChange,
  type Writing,
  wholeRow,
} from './create.ts'
import type { Kind } from './kind.ts'
import {
  type Content,
  cellsOf,
  contentFields,
  contentOf,
  type GlossaryRecord,
  recordOf,
  searchCells,
} from './record.ts'
import { requireColumn } from './relations.ts'
import { statementsOf } from './statements.ts'

/** Returns the differences; empty if there are none. */
export function differences(kind: Kind, before: Content, after: Content): readonly FieldChange[] {
  return contentFields(kind).flatMap(({ name, default: fallback }) => {
    const [old, now] = [before[name] ?? fallback ?? null, after[name] ?? fallback ?? null]
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [{ field: name, old, new: now }]
  })
}

/** Returns whether a `glossary.yaml` says anything else: what it has no key for, as tags, is no difference. */
export function saysOtherwise(kind: Kind, before: Content, content: Content): boolean {
  const { keys } = entryShapes[kind.name]
  return differences(kind, before, content).some(({ field }) => keys.some(({ name }) => name === field))
}

/**
 * Changes the record to `content`. If it is unchanged, no version is created and nothing is recorded.
 * @throws Problem `version_mismatch`, `already_exists`
 */
export async function updateRecord(
  writing: Writing,
  row: Row,
  content: Content,
  headers: IncomingHttpHeaders = {},
): Promise<{ readonly record: GlossaryRecord; readonly changes: readonly FieldChange[] }> {
  const { tx, kind, author } = writing
  requireMatch(headers, Number(row['version']))
  const changes = differences(kind, contentOf(kind, row), content)
  if (changes.length === 0) return { record: recordOf(kind, row), changes }
  if (changes.some(({ field }) => field === 'identifier')) await requireFree(writing, row, content)
  // A column that its asset has lost since keeps its link, whatever else of it changes.
  if (changes.some(({ field }) => columnField(kind, field))) await requireColumn(writing, content)
  const { update } = statementsOf(kind)
  const values: Cell[] = [...cellsOf(kind, content), ...searchCells(kind, content), author.origin ?? 'api']
  const written = await tx.first(update, [...values, ...stamp(author), ...locator(row)])
  return { record: await finish(writing, written, 'update', changes), changes }
}

function columnField({ fields }: Kind, name: string): boolean {
  return fields.some(field => field.name === name && field.columnOf !== undefined)
}

async function requireFree({ tx, kind, project }: Writing, row: Row, content: Content): Promise<void> {
  const identifier = String(content['identifier'])
  const other = await tx.first(statementsOf(kind).byIdentifier, [project, identifier])
  if (other === undefined || other['id'] === row['id']) return
  throw existsAlready(kind, other, `Another ${kind.name} has the identifier "${identifier}".`)
}

/** Deletes a record (soft delete): it can be restored, and its identifier is free again. */
export async function deleteRecord(
  writing: Writing,
  row: Row,
  headers: IncomingHttpHeaders = {},
): Promise<GlossaryRecord> {
  const { tx, kind, author } = writing
  requireMatch(headers, Number(row['version']))
  const { setDeleted } = statementsOf(kind)
  const written = await tx.first(setDeleted, [author.now, ...stamp(author), ...locator(row)])
  return finish(writing, written, 'delete')
}

/** @throws Problem `already_exists` if its identifier is taken now */
export async function restoreRecord(writing: Writing, row: Row): Promise<GlossaryRecord> {
  const { tx, kind, author } = writing
  if (kind.named) await requireFree(writing, row, contentOf(kind, row))
  const { setDeleted } = statementsOf(kind)
  const written = await tx
    .first(setDeleted, [null, ...stamp(author), ...locator(row)])
    .catch(beginAgainWithoutTarget)
  return finish(writing, written, 'restore')
}

function stamp({ now, actor }: ChangeAuthor): readonly Cell[] {
  return [now, actor]
}

/** Identifies the row in the version that was read; a concurrent writer would have made another version. */
function locator(row: Row): readonly Cell[] {
  return [row['id'] ?? null, row['version'] ?? null]
}

async function finish(
  writing: Writing,
  written: Row | undefined,
  action: ChangeAction,
  changes: readonly FieldChange[] = [],
): Promise<GlossaryRecord> {
  const { tx, kind, author } = writing
  if (written === undefined) {
    throw new Problem('version_mismatch', 'Somebody else changed the record at the same time: read it again.')
  }
  const record = recordOf(kind, await wholeRow(tx, kind, written))
  await tx.all(
    `insert into history (kind, record_id, version, at, "by", action, changes) values (?, ?, ?, ?, ?, ?, ?)`,
    [kind.name, record.id, record.version, author.now, author.actor, action, JSON.stringify(changes)],
  )
  noteChange(writing, record, action, changes)
  return record
}
