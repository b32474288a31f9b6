import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  closed,
  defineRoute,
  ok,
  Problem,
  requireMatch,
  requireScope,
} from '../../http/index.ts'
import type { Row, Tx } from '../../storage/index.ts'
import { writingOf } from '../author.ts'
import { changeAnswer } from '../body-schemas.ts'
import { deleteRecord, restoreRecord } from '../change-record.ts'
import { noteChange, type ProjectWriting, type Writing } from '../create.ts'
import { requireLive, requireRow } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import { type Relation, referencesOf, referrersOf } from '../relations.ts'
import { statementsOf } from '../statements.ts'
import { changedReply } from './change-reply.ts'
import { aboutRecord, operationId, referenceQuery } from './paths.ts'

/** DELETE: removes the record from every list; it can be restored. `purge` deletes it completely. */
export function deleteRoute(kind: Kind): AnyRoute {
  const referrers = referrersOf(kind)
  const plurals = referrers.map(relation => relation.kind.plural).join(' and ')
  const cascade = Type.Optional(Type.Boolean({ description: `Delete its ${plurals} too.` }))
  const purge = Type.Optional(
    Type.Boolean({ description: 'For good, with its history; needs projects:admin.' }),
  )
  return defineRoute({
    ...aboutRecord(kind, 'glossary:write'),
    id: operationId('delete', kind.name),
    method: 'DELETE',
    summary: `Delete a ${kind.name}`,
    query: referenceQuery({ ...(referrers.length > 0 ? { cascade } : {}), purge }),
    responses: { 200: closed({ success: Type.Literal(true) }) },
    handle: call => {
      const purge = call.query['purge'] === true
      if (purge) requireScope({ scope: 'projects:admin' }, call.principal)
      return call.write(async tx => {
        // One timestamp for everything, because what was deleted together is restored together.
        const writing = { ...writingOf(tx, call), kind }
        // Purging also finds deleted records, deleting only existing ones.
        const find = purge ? requireRow : requireLive
        const row = await find(tx.firstForUpdate, kind, Number(call.project), call.params.ref)
        requireMatch(call.headers, Number(row['version']))
        for (const relation of referrers)
          await removeReferrers(writing, relation, row, { cascade: call.query['cascade'] === true, purge })
        if (purge) await purgeRecord(writing, row)
        else await deleteRecord(writing, row, call.headers)
        return ok({ success: true })
      })
    },
  })
}

/** POST …/restore: restores the record as it was deleted, with its links. */
export function restoreRoute(kind: Kind): AnyRoute {
  return defineRoute({
    ...aboutRecord(kind, 'glossary:write', '/restore'),
    id: operationId('restore', kind.name),
    method: 'POST',
    summary: `Restore a deleted ${kind.name}`,
    responses: { 200: changeAnswer(kind) },
    handle: call =>
      call.write(async tx => {
        const row = await requireRow(tx.firstForUpdate, kind, Number(call.project), call.params.ref)
        requireMatch(call.headers, Number(row['version']))
        const writing = writingOf(tx, call)
        await requireLiveReferences(tx, kind, row)
        if (row['deleted_at'] === null) throw new Problem('in_use', `The ${kind.name} is not deleted.`)
        const record = await restoreRecord({ ...writing, kind }, row)
        for (const relation of referrersOf(kind)) {
          for (const referrer of await referringRows(tx, relation, row, String(row['deleted_at'])))
            await restoreRecord({ ...writing, kind: relation.kind }, referrer)
        }
        return changedReply(kind, record)
      }),
  })
}

/**
 * Deletes or purges the records that refer to this one.
 * @throws Problem `in_use` while there are such records, unless the caller asked to cascade
 */
async function removeReferrers(
  writing: ProjectWriting,
  relation: Relation,
  target: Row,
  { cascade, purge }: { readonly cascade: boolean; readonly purge: boolean },
): Promise<void> {
  const { tx } = writing
  const { kind, field } = relation
  const rows = await referringRows(tx, relation, target, null)
  if (rows.length > 0 && !cascade) {
    const many = rows.length === 1 ? `1 ${kind.name}` : `${rows.length} ${kind.plural}`
    throw new Problem(
      'in_use',
      `The ${field.name} has ${many}: delete them first, or ask with ?cascade=true.`,
      {
        members: { [kind.plural]: rows.slice(0, 100).map(row => row['id']) },
      },
    )
  }
  if (!purge) {
    for (const row of rows) await deleteRecord({ ...writing, kind }, row)
    return
  }
  const id = Number(target['id'])
  const referring = `select id from ${kind.name} where ${field.name} = ?`
  await tx.all(`delete from history where kind = ? and record_id in (${referring})`, [kind.name, id])
  await tx.all(`delete from ${kind.name} where ${field.name} = ?`, [id])
}

/** Returns the live records that refer to this one, or those that were deleted together with it. */
function referringRows(
  tx: Tx,
  { kind, field }: Relation,
  target: Row,
  deletedAt: string | null,
): Promise<readonly Row[]> {
  const { select } = statementsOf(kind)
  const id = Number(target['id'])
  const referring = `${select} where ${kind.name}.${field.name} = ?`
  return deletedAt === null
    ? tx.all(`${referring} and ${kind.name}.deleted_at is null order by ${kind.name}.id`, [id])
    : tx.all(`${referring} and ${kind.name}.deleted_at = ? order by ${kind.name}.id`, [id, deletedAt])
}

/** @throws Problem `in_use` while a glossary record that this one refers to is deleted */
async function requireLiveReferences(tx: Tx, kind: Kind, row: Row): Promise<void> {
  for (const { field } of referencesOf(kind)) {
    if (field.refersTo === undefined || field.refersTo === 'asset') continue
    const target = await tx.first(`select deleted_at from ${field.refersTo} where id = ?`, [
      Number(row[field.name]),
    ])
    if (target?.['deleted_at'] !== null)
      throw new Problem('in_use', `The ${field.name} of the ${kind.name} is deleted: restore that first.`)
  }
}

async function purgeRecord(writing: Writing, row: Row): Promise<void> {
  const { tx, kind } = writing
  const id = Number(row['id'])
  await tx.all('delete from history where kind = ? and record_id = ?', [kind.name, id])
  await tx.all(`delete from ${kind.name} where id = ?`, [id])
  noteChange(writing, { id }, 'purge')
}
