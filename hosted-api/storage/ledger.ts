/**
 * What a write adds besides its rows: a new revision of each project that it changed, and audit rows in a
 * hash chain per project, so that a changed or removed row is detected later. Pure.
 */
import { createHash } from 'node:crypto'
import { grouped } from './grouped.ts'
import type { Change } from './storage.ts'

/** The ledger of the service itself, for changes outside of projects. Project records are numbered from 1. */
export const serviceLedger = 0

export interface LedgerHead {
  readonly id: number
  readonly revision: number
  /** The hash of the last audit row; empty before the first. */
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
  /** Null for a change without a token. */
  readonly token_id: number | null
  readonly hash: string
}

/** What a row says of its change. */
export function contentOf(
  { actor, action, target, requestId, details, tokenId }: Change,
  at: string,
): Omit<AuditRow, 'hash' | 'ledger_id' | 'revision'> {
  return {
    at,
    actor,
    action,
    target,
    request_id: requestId,
    details: JSON.stringify(details ?? {}),
    token_id: tokenId ?? null,
  }
}

/** Changes that are written in one go: all other writers wait meanwhile. */
export const mostTogether = 100

/** Appends changes of one transaction to the ledger with the given head, in parts between which their rows are written. */
export function* appendInParts(
  last: LedgerHead,
  changes: readonly Change[],
  at: string,
): Generator<{ readonly head: LedgerHead; readonly rows: readonly AuditRow[] }> {
  const revision = last.revision + 1
  let { head } = last
  for (let start = 0; start < changes.length; start += mostTogether) {
    const rows = changes.slice(start, start + mostTogether).map((change): AuditRow => {
      const content = { ledger_id: last.id, revision, ...contentOf(change, at) }
      head = auditHash(head, content)
      return { ...content, hash: head }
    })
    yield { head: { id: last.id, revision, head }, rows }
  }
}

/** Returns the hash of a row after the previous one, which `audit verify` recomputes. */
export function auditHash(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const text = `[${JSON.stringify(previous)},${row.ledger_id},${row.revision},${hashedEnd(row)}`
  return createHash('sha256').update(text).digest('hex')
}

/** The part of the hashed text that does not depend on other rows: the rest of a JSON list. */
export function hashedEnd({
  at,
  actor,
  action,
  target,
  request_id,
  details,
  token_id,
}: Omit<AuditRow, 'hash' | 'ledger_id' | 'revision'>): string {
  const content = [at, actor, action, target, request_id, details]
  // Entries of earlier versions have no token, and keep their hash.
  return JSON.stringify(token_id === null ? content : [...content, token_id]).slice(1)
}

/** Groups changes by ledger in a fixed order, so that concurrent writers cannot deadlock. */
export function byLedger(changes: readonly Change[]): readonly (readonly [number, readonly Change[]])[] {
  return [...grouped(changes, change => change.project ?? serviceLedger)].sort(([a], [b]) => a - b)
}
