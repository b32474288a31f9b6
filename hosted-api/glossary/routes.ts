/** The routes of one kind of record: the same for all five. */
import { Type } from '@sinclair/typebox'
import { type AnyRoute, created, defineRoute, notFound, ok, RecordId, versionTag } from '../http/index.ts'
import { changeAnswer, createBody, recordSchema } from './body-schemas.ts'
import { createRecord } from './create.ts'
import type { Kind } from './kind.ts'
import { type Content, recordOf } from './record.ts'
import { statementsOf } from './statements.ts'

const base = '/api/svc/glossary'

export function kindRoutes(kind: Kind): readonly AnyRoute[] {
  return [createRoute(kind), readRoute(kind), listRoute(kind)]
}

function createRoute(kind: Kind): AnyRoute {
  return defineRoute({
    id: `create_${kind.name}`,
    method: 'POST',
    path: `${base}/${kind.plural}`,
    tag: kind.plural,
    summary: `Create a ${kind.name}`,
    scope: 'glossary:write',
    project: { from: 'body', member: 'project' },
    body: createBody(kind),
    responses: { 201: changeAnswer(kind) },
    handle: call =>
      call.write(async tx => {
        const { project: _project, id, ...content } = call.body as Content
        const now = call.storage.clock().toISOString()
        const doer = { actor: call.principal.actor, requestId: call.requestId, now }
        const record = await createRecord(
          tx,
          kind,
          Number(call.project),
          { identifier: id, ...content },
          doer,
        )
        return created(
          `${base}/${kind.plural}/${record.id}`,
          { success: true, [kind.name]: record },
          { ETag: versionTag(record.version) },
        )
      }),
  })
}

function readRoute(kind: Kind): AnyRoute {
  return defineRoute({
    id: `get_${kind.name}`,
    method: 'GET',
    path: `${base}/${kind.plural}/:id`,
    tag: kind.plural,
    summary: `Read a ${kind.name}`,
    scope: 'glossary:read',
    project: {
      from: 'find',
      find: async call => {
        const row = await call.storage.reads.first(`select project_id from ${kind.name} where id = ?`, [
          call.params.id,
        ])
        return row === undefined ? undefined : Number(row['project_id'])
      },
    },
    params: Type.Object({ id: RecordId }),
    responses: { 200: recordSchema(kind) },
    cached: true,
    handle: async call => {
      const row = await call.storage.reads.first(statementsOf(kind).byId, [call.params.id])
      if (row === undefined || row['deleted_at'] !== null) throw notFound(kind.name)
      const record = recordOf(kind, row)
      return ok(record, { ETag: versionTag(record.version) })
    },
  })
}

function listRoute(kind: Kind): AnyRoute {
  return defineRoute({
    id: `list_${kind.plural}`,
    method: 'GET',
    path: `${base}/${kind.plural}`,
    tag: kind.plural,
    summary: `List ${kind.plural}`,
    scope: 'glossary:read',
    project: { from: 'query', parameter: 'project' },
    query: Type.Object({ project: RecordId }, { additionalProperties: false }),
    responses: { 200: Type.Array(recordSchema(kind)) },
    cached: true,
    handle: async call => {
      const { select } = statementsOf(kind)
      const rows = await call.storage.reads.all(
        `${select} where ${kind.name}.project_id = ? and ${kind.name}.deleted_at is null order by ${kind.name}.id`,
        [Number(call.project)],
      )
      return ok(rows.map(row => recordOf(kind, row)))
    },
  })
}
