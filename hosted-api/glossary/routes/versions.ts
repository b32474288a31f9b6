import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  type Call,
  closed,
  defineRoute,
  mostRecordId,
  nextLink,
  notFound,
  ok,
  type Shape,
  Time,
} from '../../http/index.ts'
import type { Row } from '../../storage/index.ts'
import { recordSchema } from '../body-schemas.ts'
import type { FieldChange } from '../create.ts'
import { requireRow } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import { type GlossaryRecord, recordOf } from '../record.ts'
import { aboutRecord, operationId, referenceQuery } from './paths.ts'

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
    ...aboutRecord(kind, 'glossary:read', '/versions'),
    id: operationId('list', kind.name, 'Versions'),
    method: 'GET',
    summary: `What changed in a ${kind.name}`,
    query: referenceQuery({
      before: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostRecordId, description: 'Versions below this one.' }),
      ),
    }),
    responses: { 200: Type.Array(Version) },
    cached: true,
    isLong: true,
    handle: async call => {
      const record = await recordOfCall(kind, call)
      const before = Number(call.query['before'] ?? record.version + 1)
      const past: PastVersion[] = []
      let bytes = 0
      for await (const { version, size } of pastVersions(kind, call, record, before)) {
        past.push(version)
        bytes += size
        if (bytes > mostBytes) break
      }
      const last = past.at(-1)?.version ?? before
      const next = last > 2 && bytes > mostBytes ? nextLink(call.url, { before: last }) : {}
      const first = last <= 2 && before > 1 ? [firstVersion(record)] : []
      return ok([...past, ...first], next)
    },
  })
}

/** GET …/versions/3: the record at version 3. */
export function versionRoute(kind: Kind): AnyRoute {
  const about = aboutRecord(kind, 'glossary:read', '/versions/:version')
  const version = Type.Integer({ minimum: 1, maximum: mostRecordId })
  return defineRoute({
    ...about,
    id: operationId('get', kind.name, 'Version'),
    method: 'GET',
    summary: `A ${kind.name} as it was`,
    params: closed({ ...about.params.properties, version }),
    responses: { 200: recordSchema(kind) },
    cached: true,
    isLong: true,
    isShort: () => true,
    handle: async call => {
      const record = await recordOfCall(kind, call)
      return ok(await asOf(kind, call, record, Number(call.params.version)))
    },
  })
}

type PastVersion = Shape<typeof Version> & { readonly changes: readonly FieldChange[] }

/** Old values may be large: as many bytes are shown at a time. */
const mostBytes = 4 * 1024 * 1024
const pieceRows = 20

type VersionCall = Pick<Call<{ ref: string }>, 'storage' | 'params' | 'project'>

async function recordOfCall(kind: Kind, { storage, params, project }: VersionCall): Promise<GlossaryRecord> {
  return recordOf(kind, await requireRow(storage.reads.first, kind, Number(project), params.ref))
}

/**
 * Yields the versions below `before`, newest first. The first version of a record is not stored: it is the record with
 * all changes undone.
 */
async function* pastVersions(
  kind: Kind,
  { storage }: VersionCall,
  { id }: GlossaryRecord,
  before: number,
): AsyncGenerator<{ readonly version: PastVersion; readonly size: number }> {
  let below = before
  for (;;) {
    const rows = await storage.reads.all(
      `select version, at, "by", action, changes from history
        where kind = ? and record_id = ? and version < ? order by version desc limit ${pieceRows}`,
      [kind.name, id, below],
    )
    for (const row of rows) yield { version: readPast(row), size: String(row['changes']).length }
    if (rows.length < pieceRows) return
    below = Number(rows.at(-1)?.['version'])
  }
}

function readPast({ version, action, at, by, changes }: Row): PastVersion {
  return {
    version: Number(version),
    action: String(action),
    updated_at: String(at),
    updated_by: String(by),
    changes: JSON.parse(String(changes)) as FieldChange[],
  }
}

function firstVersion({ created_at, created_by }: GlossaryRecord): object {
  return { version: 1, action: 'create', updated_at: created_at, updated_by: created_by, changes: [] }
}

/** @throws Problem `not_found`, also for a version that was pruned */
async function asOf(
  kind: Kind,
  call: VersionCall,
  record: GlossaryRecord,
  version: number,
): Promise<Readonly<Record<string, unknown>>> {
  if (version > record.version) throw notFound('version')
  const undone = new Map<string, unknown>()
  let then: PastVersion | undefined
  let oldest = record.version + 1
  for await (const { version: past } of pastVersions(kind, call, record, record.version + 1)) {
    oldest = past.version
    if (past.version === version) then = past
    if (past.version <= version) break
    for (const { field, old } of past.changes) undone.set(field, old)
  }
  // Every version but the first has a row, unless it was pruned.
  if (version > 1 && then === undefined) throw notFound('version')
  if (version === 1 && oldest > 2 && record.version > 1) throw notFound('version')
  const { deleted_at: _deleted, ...content } = record
  return {
    ...content,
    ...Object.fromEntries(undone),
    version,
    updated_at: then?.updated_at ?? record['created_at'],
    updated_by: then?.updated_by ?? record['created_by'],
    ...(then?.action === 'delete' && { deleted_at: then.updated_at }),
  }
}
