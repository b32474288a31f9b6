/**
 * Returns the rows of `svc_rejects` that a run writes: the rejected records of a load, in the load's own
 * transaction, and the first records of a source that was refused as a whole, so that users can see what is
 * wrong.
 */
import type { JsonValue } from '@svc/server/language'
import { rejectColumns } from '../ingest/reject-rows.ts'
import type { FetchedRejects, RefusedRecords } from '../ingest/source.ts'
import { deleteRefused, insertRejects, type StateChange } from '../state/changes.ts'
import type { Append } from '../warehouse/warehouse.ts'

export interface RejectOrigin {
  readonly environment: string
  readonly runId: string
  readonly asset: string
  readonly now: Date
}

export interface LoadOrigin extends RejectOrigin {
  readonly loadKey: string
  readonly loadId: string
}

/** Returns the rows that are added together with the load. */
export function rejectAppends(rejects: FetchedRejects | undefined, origin: LoadOrigin): Append[] {
  if (rejects === undefined) return []
  const facts = { ...factsOf(origin), load_key: origin.loadKey, load_id: origin.loadId, status: 'rejected' }
  return [{ table: 'svc_rejects', facts, columns: rejectColumns, sql: rejects.sql }]
}

/** Replaces the rows of an earlier refusal of the same asset. */
export function refusedChanges(refused: RefusedRecords, origin: RejectOrigin): StateChange[] {
  const { environment, asset } = origin
  const rows = refused.first.map(row => ({
    ...factsOf(origin),
    load_key: null,
    load_id: refused.loadId,
    status: 'refused',
    ...Object.fromEntries(rejectColumns.map(column => [column, cellOf(column, row[column])])),
  }))
  return [...deleteRefused(environment, [asset]), ...insertRejects(rows)]
}

function factsOf({ environment, runId, asset, now }: RejectOrigin) {
  return { environment, run_id: runId, asset, rejected_at: now.toISOString() }
}

function cellOf(column: string, value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  return column === 'record_number' ? Number(value) : String(value)
}
