/** Brings what a target acknowledged from the journal into the state of the warehouse: all of it in one transaction. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgetPublished, type PublishedTo, type StateChange } from '../state/changes.ts'
import type { PublishCounts, PublishReject } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { SpooledRow } from './destination.ts'
import { type JournalState, keysIn, type PublishJournal, type PublishPlan } from './journal.ts'
import { textValues } from './row-text.ts'
import { spooledRows } from './send-batches.ts'

export interface Acknowledged {
  readonly counts: Pick<PublishCounts, 'inserts' | 'updates' | 'deletes' | 'refused'>
  /** The rows that the target refused, up to a number of them. */
  readonly rejects: readonly PublishReject[]
  /** The keys of rows whose last acknowledgement does not count any more. */
  readonly forgotten: readonly string[]
  /** A query over local files of what is acknowledged now; undefined if that is nothing. */
  readonly rows: string | undefined
}

export const mostRejects = 1000

/** Reads the journal. `isRepeat`: some of it may be in the state already. */
export async function readAcknowledged(
  journal: PublishJournal,
  plan: PublishPlan,
  at: string,
  isRepeat: boolean,
): Promise<Acknowledged> {
  const state = journal.state()
  const { counts, refused } = state
  const rejects: PublishReject[] = []
  const forgotten: string[] = []
  const isTaken = (index: number) => state.taken.some(([from, to]) => index >= from && index < to)
  // Rows that are new and were all taken are not read again.
  const isNeeded = isRepeat || refused.size > 0 || counts.update + counts.delete > 0
  for await (const row of isNeeded ? spooledRows(journal.spoolPath) : []) {
    const { index, operation, keyHash, key } = row
    const reason = refused.get(index)
    if (reason !== undefined) {
      if (rejects.length < mostRejects)
        rejects.push(rejectOf(plan, { operation, key, reason, raw: rawOf(row, plan) }, at))
    } else if ((isRepeat || operation !== 'insert') && isTaken(index)) forgotten.push(keyHash)
  }
  return {
    counts: {
      inserts: counts.insert,
      updates: counts.update,
      deletes: counts.delete,
      refused: refused.size,
    },
    rejects,
    forgotten,
    rows: counts.insert + counts.update === 0 ? undefined : takenQuery(journal.folder, state),
  }
}

/** Most journals have few ranges, since batches follow each other. */
function takenQuery(folder: string, { taken, refused, ids }: JournalState): string {
  const keys = `read_parquet(${quoted(keysIn(folder))})`
  const isTaken = taken.map(([from, to]) => `place >= ${from} AND place < ${to}`).join(' OR ')
  const isRefused = refused.size === 0 ? 'false' : `place IN (${[...refused.keys()].join(', ')})`
  const which = `operation <> 'd' AND (${isTaken}) AND NOT (${isRefused})`
  if (ids.size === 0)
    return `SELECT key_hash, row_hash, row_key, CAST(NULL AS VARCHAR) AS remote_id FROM ${keys} WHERE ${which}`
  const path = join(folder, 'ids.ndjson')
  writeFileSync(path, [...ids].map(([place, id]) => `${JSON.stringify({ place, id })}\n`).join(''), {
    mode: 0o600,
  })
  const known = `read_json(${quoted(path)}, format = 'newline_delimited', columns = {place: 'BIGINT', id: 'VARCHAR'})`
  return `SELECT key_hash, row_hash, row_key, id AS remote_id FROM ${keys} LEFT JOIN ${known} USING (place) WHERE ${which}`
}

/** Returns the row as a JSON object by field. */
export function rawOf(
  { operation, payload, key }: SpooledRow,
  { fields, isText }: Pick<PublishPlan, 'fields' | 'isText'>,
): string {
  if (operation === 'delete') return key
  if (!isText) return payload
  const values = textValues(payload)
  return JSON.stringify(Object.fromEntries(fields.map(({ name }, index) => [name, values[index] ?? null])))
}

export function rejectOf(
  { asset, target, runId }: Pick<PublishPlan, 'asset' | 'target' | 'runId'>,
  row: {
    readonly operation: PublishReject['operation']
    readonly key: string
    readonly reason: string
    readonly raw: string
  },
  at: string,
): PublishReject {
  return {
    asset,
    target,
    run_id: runId,
    operation: row.operation,
    row_key: row.key,
    reason: row.reason,
    raw: row.raw,
    rejected_at: at,
  }
}

export interface CommitRequest {
  readonly to: PublishedTo
  readonly plan: PublishPlan
  readonly acknowledged: Acknowledged
  readonly at: string
  readonly others: readonly StateChange[]
}

export async function commitAcknowledged(session: WarehouseSession, request: CommitRequest): Promise<void> {
  const { to, plan, acknowledged, at, others } = request
  const { forgotten, rows } = acknowledged
  const append = {
    table: 'svc_published',
    facts: { ...to, place: plan.place, run_id: plan.runId, acknowledged_at: at },
    columns: ['key_hash', 'row_hash', 'row_key', 'remote_id'],
  } as const
  await session.append(
    [...forgetPublished(to, forgotten), ...others],
    rows === undefined ? [] : [{ ...append, sql: rows }],
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
