import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  type Call,
  defineRoute,
  notFound,
  ok,
  Problem,
  requireMatch,
  versionTag,
} from '../../http/index.ts'
import type { Row, Tx } from '../../storage/index.ts'
import { authorOf } from '../author.ts'
import { changeAnswer, closed } from '../body-schemas.ts'
import { deleteRecord, restoreRecord } from '../change-record.ts'
import type { ChangeAuthor } from '../create.ts'
import { findRow, projectOfReference, requireLive } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import { kinds } from '../kinds.ts'
import { statementsOf } from '../statements.ts'
import { operationId, recordPath, referenceParams, referenceQuery } from './paths.ts'

/** DELETE: removes the record from every list; it can be restored. `purge` deletes it completely. */
export function deleteRoute(kind: Kind): AnyRoute {
  const cascade = Type.Optional(Type.Boolean({ description: 'Delete its links too.' }))
  const purge = Type.Optional(
    Type.Boolean({ description: 'For good, with its history; needs projects:admin.' }),
  )
  return defineRoute({
    id: operationId('delete', kind.name),
    method: 'DELETE',
    path: recordPath(kind),
    tag: kind.plural,
    summary: `Delete a ${kind.name}`,
    scope: 'glossary:write',
    project: projectOfReference(kind),
    params: referenceParams(kind),
    query: referenceQuery({ ...(kind.name === 'term' ? { cascade } : {}), purge }),
    responses: { 200: closed({ success: Type.Literal(true) }) },
    handle: call => {
      const purge = call.query['purge'] === true
      if (purge) requireAdmin(call)
      // One timestamp for everything, because what was deleted together is restored together.
      const author = authorOf(call)
      return call.write(async tx => {
        const row = await rowToDelete(tx, kind, call, purge)
        requireMatch(call.headers, Number(row['version']))
        if (kind.name === 'term')
          await removeLinks(tx, row, call.query['cascade'] === true, purge ? undefined : author)
        if (purge) await purgeRecord(tx, kind, call, row)
        else await deleteRecord(tx, kind, row, author, call.headers)
        return ok({ success: true })
      })
    },
  })
}

/** POST …/restore: restores the record as it was deleted, with its links. */
export function restoreRoute(kind: Kind): AnyRoute {
  return defineRoute({
    id: operationId('restore', kind.name),
    method: 'POST',
    path: `${recordPath(kind)}/restore`,
    tag: kind.plural,
    summary: `Restore a deleted ${kind.name}`,
    scope: 'glossary:write',
    project: projectOfReference(kind),
    params: referenceParams(kind),
    query: referenceQuery(),
    responses: { 200: changeAnswer(kind) },
    handle: call =>
      call.write(async tx => {
        const row = await findRow(tx.firstForUpdate, kind, Number(call.project), call.params.ref)
        if (row === undefined) throw notFound(kind.name)
        requireMatch(call.headers, Number(row['version']))
        const author = authorOf(call)
        if (kind.name === 'link') await requireLiveTerm(tx, row)
        const record = row['deleted_at'] === null ? undefined : await restoreRecord(tx, kind, row, author)
        if (record === undefined) throw new Problem('in_use', `The ${kind.name} is not deleted.`)
        if (kind.name === 'term') {
          for (const link of await linksOf(tx, row, String(row['deleted_at']))) {
            await restoreRecord(tx, kinds.link, link, author)
          }
        }
        return ok({ success: true, [kind.name]: record }, { ETag: versionTag(record.version) })
      }),
  })
}

function requireAdmin({ principal }: Call): void {
  if (principal.scopes.has('projects:admin')) return
  throw new Problem('forbidden', 'To purge, the token needs the scope projects:admin.')
}

/** Purging also finds deleted records, deleting only existing ones. */
async function rowToDelete(tx: Tx, kind: Kind, call: Call<{ ref: string }>, purge: boolean): Promise<Row> {
  const { params, project } = call
  if (!purge) return requireLive(tx.firstForUpdate, kind, Number(project), params.ref)
  const row = await findRow(tx.firstForUpdate, kind, Number(project), params.ref)
  if (row === undefined) throw notFound(kind.name)
  return row
}

/**
 * Deletes the links of a term, or purges them if there is no author.
 * @throws Problem `in_use` while links exist, unless `cascade` is set
 */
async function removeLinks(
  tx: Tx,
  term: Row,
  cascade: boolean,
  author: ChangeAuthor | undefined,
): Promise<void> {
  const links = await linksOf(tx, term, null)
  if (links.length > 0 && !cascade) {
    const many = links.length === 1 ? '1 link' : `${links.length} links`
    throw new Problem('in_use', `The term has ${many}: delete them first, or ask with ?cascade=true.`, {
      members: { links: links.slice(0, 100).map(link => link['id']) },
    })
  }
  if (author !== undefined) {
    for (const link of links) await deleteRecord(tx, kinds.link, link, author)
    return
  }
  const id = Number(term['id'])
  await tx.all(
    `delete from history where kind = 'link' and record_id in (select id from link where term = ?)`,
    [id],
  )
  await tx.all('delete from link where term = ?', [id])
}

/** Returns live links of a term, or those that were deleted with it. */
function linksOf(tx: Tx, term: Row, deletedAt: string | null): Promise<readonly Row[]> {
  const { select } = statementsOf(kinds.link)
  const id = Number(term['id'])
  return deletedAt === null
    ? tx.all(`${select} where link.term = ? and link.deleted_at is null order by link.id`, [id])
    : tx.all(`${select} where link.term = ? and link.deleted_at = ? order by link.id`, [id, deletedAt])
}

async function requireLiveTerm(tx: Tx, link: Row): Promise<void> {
  const term = await tx.first('select deleted_at from term where id = ?', [Number(link['term'])])
  if (term?.['deleted_at'] !== null)
    throw new Problem('in_use', 'The term of the link is deleted: restore that first.')
}

async function purgeRecord(tx: Tx, kind: Kind, call: Call, row: Row): Promise<void> {
  const id = Number(row['id'])
  await tx.all('delete from history where kind = ? and record_id = ?', [kind.name, id])
  await tx.all(`delete from ${kind.name} where id = ?`, [id])
  tx.record({
    project: Number(row['project_id']),
    action: `${kind.name}.purge`,
    target: `${kind.name}:${id}`,
    actor: call.principal.actor,
    requestId: call.requestId,
  })
}
