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
import type { Run } from './run.ts'

type Rejecting = Pick<Run, 'workspace' | 'runId'>

/** Returns the rows that are added together with the load. */
export function rejectAppends(
  rejects: FetchedRejects | undefined,
  run: Rejecting,
  asset: string,
  load: { readonly load_key: string; readonly load_id: string },
): Append[] {
  if (rejects === undefined) return []
  const facts = { ...factsOf(run, asset), ...load, status: 'rejected' }
  return [{ table: 'svc_rejects', facts, columns: rejectColumns, sql: rejects.sql }]
}

/** Replaces the rows of an earlier refusal of the same asset. */
export function refusedChanges(refused: RefusedRecords, run: Rejecting, asset: string): StateChange[] {
  const rows = refused.first.map(row => ({
    ...factsOf(run, asset),
    load_key: null,
    load_id: refused.loadId,
    status: 'refused',
    ...Object.fromEntries(rejectColumns.map(column => [column, cellOf(column, row[column])])),
  }))
  return [...deleteRefused(run.workspace.environment.stateName, [asset]), ...insertRejects(rows)]
}

function factsOf({ workspace: { environment, world }, runId }: Rejecting, asset: string) {
  const rejected_at = world.now().toISOString()
  return { environment: environment.stateName, run_id: runId, asset, rejected_at }
}

function cellOf(column: string, value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  return column === 'record_number' ? Number(value) : String(value)
}
