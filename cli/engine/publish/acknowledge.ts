/** Brings what a target acknowledged from the journal into the state of the warehouse: all of it in one transaction. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetPublished, type PublishedTo, type StateChange } from '../state/changes.ts'
import type { PublishCounts, PublishReject } from '../state/state.ts'
import type { Append, WarehouseSession } from '../warehouse/warehouse.ts'
import type { SpooledRow } from './destination.ts'
import type { PublishJournal, PublishPlan } from './journal.ts'
import { textValues } from './row-text.ts'
import { spooledRows } from './send-batches.ts'

export interface Acknowledged {
  readonly counts: Pick<PublishCounts, 'inserts' | 'updates' | 'deletes' | 'refused'>
  /** The rows that the target refused, up to a number of them. */
  readonly rejects: readonly PublishReject[]
  /** The keys of rows whose last acknowledgement does not count any more. */
  readonly forgotten: readonly string[]
  /** A file with what is acknowledged now. */
  readonly path: string
  readonly rows: number
}

export const mostRejects = 1000

/** Reads the journal. `isRepeat`: some of it may be in the state already. */
export async function readAcknowledged(
  journal: PublishJournal,
  plan: PublishPlan,
  at: string,
  isRepeat: boolean,
): Promise<Acknowledged> {
  const { acknowledged, refused } = journal.state()
  const counts = { insert: 0, update: 0, delete: 0 }
  const rejects: PublishReject[] = []
  const forgotten: string[] = []
  const path = join(journal.folder, 'acknowledged.ndjson')
  const file = createWriteStream(path, { mode: 0o600 })
  let rows = 0
  for await (const row of spooledRows(journal.spoolPath)) {
    const { operation, keyHash, rowHash, key } = row
    const reason = refused.get(row.index)
    if (reason !== undefined && rejects.length < mostRejects) {
      rejects.push(rejectOf(plan, { operation, key, reason, raw: rawOf(row, plan) }, at))
    }
    if (!acknowledged.has(row.index)) continue
    counts[operation] += 1
    if (isRepeat || operation !== 'insert') forgotten.push(keyHash)
    if (operation === 'delete') continue
    const id = acknowledged.get(row.index)
    const line = { key_hash: keyHash, row_hash: rowHash, row_key: key, remote_id: id ?? null }
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain')
    rows += 1
  }
  file.end()
  await once(file, 'close')
  return {
    counts: {
      inserts: counts.insert,
      updates: counts.update,
      deletes: counts.delete,
      refused: refused.size,
    },
    rejects,
    forgotten,
    path,
    rows,
  }
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
  const { forgotten, path, rows } = acknowledged
  const append: Append = {
    table: 'svc_published',
    facts: { ...to, place: plan.place, run_id: plan.runId, acknowledged_at: at },
    columns: ['key_hash', 'row_hash', 'row_key', 'remote_id'],
    sql: `SELECT key_hash, row_hash, row_key, remote_id FROM read_json(${quoted(path)}, format = 'newline_delimited',
      columns = {key_hash: 'VARCHAR', row_hash: 'VARCHAR', row_key: 'VARCHAR', remote_id: 'VARCHAR'})`,
  }
  await session.append([...forgetPublished(to, forgotten), ...others], rows === 0 ? [] : [append])
  await rm(path, { force: true })
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
