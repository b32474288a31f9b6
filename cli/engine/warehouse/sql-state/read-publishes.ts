/** Reads what was published, and what of it was not taken. */
import type { PublishRecord, PublishReject } from '../../state/state.ts'
import type { FoundPublishRejects, PublishesWanted } from '../../state/state-store.ts'
import { columnsOf } from '../../state/tables.ts'
import { stateTable } from './change-statements.ts'
import { countRows, readRows } from './read-rows.ts'
import type { Reading } from './reading.ts'

/** Newest first. */
export function readPublishes(
  reading: Reading,
  wanted: PublishesWanted,
  limit: number,
): Promise<readonly PublishRecord[]> {
  const where = conditions(reading, wanted)
  return readRows(reading, 'svc_publishes', columnsOf('svc_publishes'), {
    where: wanted.isLast === true ? lastOfEach(reading, where) : where,
    orderBy: newestFirst,
    limit,
  })
}

const newestFirst = 'started_at DESC, run_id DESC'

function lastOfEach({ dialect, own }: Reading, where: string): string {
  const ranked = `SELECT environment, run_id, row_number() OVER (PARTITION BY asset, target ORDER BY ${newestFirst}) AS place
    FROM ${stateTable(dialect, 'svc_publishes')} WHERE ${own} AND ${where}`
  return `(environment, run_id) IN (SELECT environment, run_id FROM (${ranked}) AS ranked WHERE place = 1)`
}

export async function readPublishRejects(
  reading: Reading,
  wanted: PublishesWanted,
  limit: number,
): Promise<FoundPublishRejects> {
  const where = conditions(reading, wanted)
  const total = await countRows(reading, 'svc_publish_rejects', where)
  const columns = ['asset', 'target', 'run_id', 'operation', 'row_key', 'reason', 'raw', 'rejected_at']
  const rejects = await readRows<PublishReject>(reading, 'svc_publish_rejects', columns, {
    where,
    orderBy: `asset, target, ${reading.dialect.toText('row_key')}`,
    limit,
    jsonAsText: true,
  })
  return { rejects, total }
}

function conditions({ dialect }: Reading, { environment, asset, target }: PublishesWanted): string {
  return Object.entries({ environment, asset, target })
    .flatMap(([column, value]) => (value === undefined ? [] : [`${column} = ${dialect.literal(value)}`]))
    .join(' AND ')
}
