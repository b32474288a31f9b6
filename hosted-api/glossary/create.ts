/** Creation of one record, inside a transaction. */
import { Problem } from '../http/index.ts'
import type { Tx } from '../storage/index.ts'
import { chooseIdentifier } from './identifier.ts'
import type { Kind } from './kind.ts'
import { type Content, cellsOf, type GlossaryRecord, recordOf, searchKey } from './record.ts'
import { statementsOf } from './statements.ts'

/** Who does it and when; the same for all that one request does. */
export interface Doer {
  readonly actor: string
  readonly requestId: string
  /** ISO 8601. */
  readonly now: string
  /** How the record came here; `api` when it is left out. */
  readonly origin?: Origin
}

export type Origin = 'api' | 'pack' | 'import'

/**
 * @param content what the caller said, identifier included where he gave one
 * @throws Problem `already_exists`, with the record that is in the way
 */
export async function createRecord(
  tx: Tx,
  kind: Kind,
  project: number,
  content: Content,
  doer: Doer,
): Promise<GlossaryRecord> {
  const whole = kind.named
    ? {
        ...content,
        identifier: content['identifier'] ?? (await chooseIdentifier(tx, kind, project, content)),
      }
    : content
  const { actor, now } = doer
  const { insert, byId } = statementsOf(kind)
  const inserted = await tx.first(insert, [
    project,
    ...cellsOf(kind, whole),
    searchKey(kind, whole),
    doer.origin ?? 'api',
    now,
    actor,
    now,
    actor,
  ])
  if (inserted === undefined) throw await alreadyExists(tx, kind, project, whole)
  const row = kind.joined === undefined ? inserted : await tx.first(byId, [inserted['id'] ?? null])
  const record = recordOf(kind, row ?? inserted)
  tx.record({
    project,
    action: `${kind.name}.create`,
    target: `${kind.name}:${record.id}`,
    actor,
    requestId: doer.requestId,
  })
  return record
}

async function alreadyExists(tx: Tx, kind: Kind, project: number, content: Content): Promise<Problem> {
  const existing = await tx.first(...inTheWay(kind, project, content))
  const id = Number(existing?.['id'])
  const members = Number.isInteger(id)
    ? { existing: { id, href: `/api/svc/glossary/${kind.plural}/${id}` } }
    : undefined
  const detail = kind.named
    ? `Project ${project} already has a ${kind.name} with the identifier "${content['identifier']}".`
    : `The term is already linked to this ${content['column'] == null ? 'asset' : 'column'}.`
  return new Problem('already_exists', detail, members === undefined ? {} : { members })
}

function inTheWay(
  kind: Kind,
  project: number,
  content: Content,
): [string, readonly (string | number | null)[]] {
  if (kind.named) return [statementsOf(kind).byIdentifier, [project, String(content['identifier'])]]
  return [
    `select id from link where term = ? and asset = ? and coalesce("column", '') = ? and deleted_at is null`,
    [Number(content['term']), Number(content['asset']), String(content['column'] ?? '')],
  ]
}
