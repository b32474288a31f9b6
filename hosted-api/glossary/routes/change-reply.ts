import { created, ok, type Reply, versionTag } from '../../http/index.ts'
import type { Kind } from '../kind.ts'
import type { GlossaryRecord } from '../record.ts'
import type { ContentWarning } from '../warnings.ts'
import { hrefOf } from './paths.ts'

/** Returns the answer to a change; one without warnings does not mention them. */
export function changedReply(
  kind: Kind,
  record: GlossaryRecord,
  warnings: readonly ContentWarning[] = [],
): Reply {
  const body = { success: true, [kind.name]: record, ...(warnings.length > 0 && { warnings }) }
  return ok(body, { ETag: versionTag(record.version) })
}

export function createdReply(kind: Kind, record: GlossaryRecord, warnings: readonly ContentWarning[]): Reply {
  const { body, headers } = changedReply(kind, record, warnings)
  return created(hrefOf(kind, record.id), body, headers)
}
