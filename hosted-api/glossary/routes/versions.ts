import { Type } from '@sinclair/typebox'
import { type AnyRoute, type Call, defineRoute, mostRecordId, notFound, ok, Time } from '../../http/index.ts'
import type { Row } from '../../storage/index.ts'
import { closed, recordSchema } from '../body-schemas.ts'
import type { FieldChange } from '../change-record.ts'
import { findRow, projectOfReference } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import { type GlossaryRecord, recordOf } from '../record.ts'
import { operationId, recordPath, referenceParams, referenceQuery } from './paths.ts'

const Change = closed({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() })
const Version = closed({
  version: Type.Integer({ minimum: 1 }),
  action: Type.String({ description: 'create, update, delete or restore.' }),
  updated_at: Time,
  updated_by: Type.String(),
  changes: Type.Array(Change),
})

/** GET …/versions: the changes with time and author, newest first, also of deleted records. */
export function versionsRoute(kind: Kind): AnyRoute {
  return defineRoute({
    id: operationId('list', kind.name, 'Versions'),
    method: 'GET',
    path: `${recordPath(kind)}/versions`,
    tag: kind.plural,
    summary: `What changed in a ${kind.name}`,
    scope: 'glossary:read',
    project: projectOfReference(kind),
    params: referenceParams(kind),
    query: referenceQuery(),
    responses: { 200: Type.Array(Version) },
    cached: true,
    handle: async call => {
      const { record, past } = await pastOf(kind, call)
      return ok([...past.map(shown), firstVersion(record)])
    },
  })
}

/** GET …/versions/3: the record at version 3. */
export function versionRoute(kind: Kind): AnyRoute {
  const version = Type.Integer({ minimum: 1, maximum: mostRecordId })
  return defineRoute({
    id: operationId('get', kind.name, 'Version'),
    method: 'GET',
    path: `${recordPath(kind)}/versions/:version`,
    tag: kind.plural,
    summary: `A ${kind.name} as it was`,
    scope: 'glossary:read',
    project: projectOfReference(kind),
    params: Type.Object({ ...referenceParams(kind).properties, version }, { additionalProperties: false }),
    query: referenceQuery(),
    responses: { 200: recordSchema(kind) },
    cached: true,
    handle: async call => {
      const { record, past } = await pastOf(kind, call)
      const wanted = Number(call.params.version)
      if (wanted > record.version) throw notFound('version')
      return ok(asOf(record, past, wanted))
    },
  })
}

interface PastVersion {
  readonly version: number
  readonly at: string
  readonly by: string
  readonly action: string
  readonly changes: readonly FieldChange[]
}

/**
 * Returns versions, newest first. The first version of a record is not stored: it is the record with all
 * changes undone.
 */
async function pastOf(
  kind: Kind,
  { storage, params, project }: Call<{ ref: string }>,
): Promise<{ readonly record: GlossaryRecord; readonly past: readonly PastVersion[] }> {
  const row = await findRow(storage.reads.first, kind, Number(project), params.ref)
  if (row === undefined) throw notFound(kind.name)
  const rows = await storage.reads.all(
    'select version, at, "by", action, changes from history where kind = ? and record_id = ? order by version desc',
    [kind.name, row['id'] ?? null],
  )
  return { record: recordOf(kind, row), past: rows.map(readPast) }
}

function readPast({ version, at, by, action, changes }: Row): PastVersion {
  return {
    version: Number(version),
    at: String(at),
    by: String(by),
    action: String(action),
    changes: JSON.parse(String(changes)) as FieldChange[],
  }
}

function shown({ version, at, by, action, changes }: PastVersion): object {
  return { version, action, updated_at: at, updated_by: by, changes }
}

function firstVersion({ created_at, created_by }: GlossaryRecord): object {
  return { version: 1, action: 'create', updated_at: created_at, updated_by: created_by, changes: [] }
}

function asOf(
  record: GlossaryRecord,
  past: readonly PastVersion[],
  version: number,
): Readonly<Record<string, unknown>> {
  const undone = past.filter(each => each.version > version).flatMap(({ changes }) => changes)
  const then = past.find(each => each.version === version)
  const { deleted_at: _deleted, ...content } = record
  return {
    ...content,
    ...Object.fromEntries(undone.map(({ field, old }) => [field, old])),
    version,
    updated_at: then?.at ?? record['created_at'],
    updated_by: then?.by ?? record['created_by'],
    ...(then?.action === 'delete' ? { deleted_at: then.at } : {}),
  }
}
