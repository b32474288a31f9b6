import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  asksForFew,
  type CursorSigner,
  defineRoute,
  notFound,
  ok,
  oneOf,
  versionTag,
} from '../../http/index.ts'
import { recordSchema } from '../body-schemas.ts'
import { requireRow } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import { listAnswer, listQuerySchema, listRecords } from '../list-records.ts'
import { recordOf } from '../record.ts'
import { aboutRecord, collectionPath, operationId, referenceQuery } from './paths.ts'

/** GET /terms/12 and GET /terms/term.customer?project=1 */
export function readRoute(kind: Kind): AnyRoute {
  return defineRoute({
    ...aboutRecord(kind, 'glossary:read'),
    id: operationId('get', kind.name),
    method: 'GET',
    summary: `Read a ${kind.name}`,
    query: referenceQuery({ include: Type.Optional(oneOf(['deleted'])) }),
    responses: { 200: recordSchema(kind) },
    cached: true,
    handle: async ({ storage, params, query, project }) => {
      const revision = await storage.revision(Number(project))
      const row = await requireRow(storage.reads.first, kind, Number(project), params.ref)
      if (row['deleted_at'] !== null && query['include'] !== 'deleted') throw notFound(kind.name)
      const record = recordOf(kind, row)
      const shownOfOthers = kind.joined === undefined ? undefined : revision
      return ok(record, { ETag: versionTag(record.version, shownOfOthers) })
    },
  })
}

/** GET /terms (4.1): the records of a project, or of all projects that the token may access. */
export function listRoute(kind: Kind, signer: CursorSigner): AnyRoute {
  return defineRoute({
    id: operationId('list', kind.plural),
    method: 'GET',
    path: collectionPath(kind),
    tag: kind.plural,
    summary: `List ${kind.plural}`,
    scope: 'glossary:read',
    project: { from: 'query', parameter: 'project' },
    query: listQuerySchema(kind),
    responses: { 200: listAnswer(kind) },
    cached: true,
    isLong: true,
    isShort: asksForFew,
    handle: call => listRecords(kind, call, signer),
  })
}
