/**
 * What a write leaves behind it: one more revision of each project that it touched, and audit rows that are chained by
 * hash a project, so that a row that was changed or taken out later is noticed. Pure.
 */
import { createHash } from 'node:crypto'
import type { Change } from './storage.ts'

/** The service itself, for changes that belong to no project. Project records are numbered from 1. */
export const serviceLedger = 0

export interface LedgerHead {
  readonly id: number
  readonly revision: number
  /** Hash of the last audit row; empty before the first. */
  readonly head: string
}

export interface AuditRow {
  readonly ledger_id: number
  readonly revision: number
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly request_id: string
  readonly details: string
  readonly hash: string
}

/** The changes of one transaction, all about the ledger whose head is given. */
export function appendChanges(
  last: LedgerHead,
  changes: readonly Change[],
  at: string,
): { readonly head: LedgerHead; readonly rows: readonly AuditRow[] } {
  const revision = last.revision + 1
  let { head } = last
  const rows = changes.map(({ actor, action, target, requestId, details }): AuditRow => {
    const content = {
      ledger_id: last.id,
      revision,
      at,
      actor,
      action,
      target,
      request_id: requestId,
      details: JSON.stringify(details ?? {}),
    }
    head = auditHash(head, content)
    return { ...content, hash: head }
  })
  return { head: { id: last.id, revision, head }, rows }
}

/** The hash of a row after the row before it: what `audit verify` works out again. */
export function auditHash(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const { ledger_id, revision, at, actor, action, target, request_id, details } = row
  const text = JSON.stringify([previous, ledger_id, revision, at, actor, action, target, request_id, details])
  return createHash('sha256').update(text).digest('hex')
}

/** The ledgers that changes belong to, in one order for everybody, so that two writers never wait for each other. */
export function byLedger(changes: readonly Change[]): readonly (readonly [number, readonly Change[]])[] {
  const groups = new Map<number, Change[]>()
  for (const change of changes) {
    const id = change.project ?? serviceLedger
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [change])
    else group.push(change)
  }
  return [...groups].sort(([a], [b]) => a - b)
}
