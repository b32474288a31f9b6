/** Reads what was published, and what of it was not taken. */
import type { PublishRecord, PublishReject } from '../../state/state.ts'
import type { FoundPublishRejects, PublishesWanted } from '../../state/state-store.ts'
import { stateTable } from './change-statements.ts'
import type { Reading } from './reading.ts'
import type { StateDialect } from './state-dialect.ts'
import { isoTime } from './table-texts.ts'

/** Newest first. */
export async function readPublishes(
  { access, dialect, own }: Reading,
  wanted: PublishesWanted,
  limit: number,
): Promise<readonly PublishRecord[]> {
  const rows = await access.query(
    `SELECT run_id, environment, asset, target, place, mode, status, build_key, error, ${dialect.identifier('trigger')}, git_commit,
      ${dialect.toText('counts')} AS counts, ${dialect.epochSeconds('started_at')} AS started,
      ${dialect.epochSeconds('finished_at')} AS finished
     FROM ${stateTable(dialect, 'svc_publishes')} WHERE ${conditions(dialect, own, wanted)}
     ORDER BY started_at DESC, run_id DESC LIMIT ${Math.trunc(limit)}`,
  )
  return rows.map(({ started, finished, counts, ...row }) => ({
    ...(row as unknown as PublishRecord),
    counts: typeof counts === 'string' ? (JSON.parse(counts) as PublishRecord['counts']) : null,
    started_at: isoTime(Number(started)),
    finished_at: finished === null ? null : isoTime(Number(finished)),
  }))
}

export async function readPublishRejects(
  { access, dialect, own }: Reading,
  wanted: PublishesWanted,
  limit: number,
): Promise<FoundPublishRejects> {
  const from = `${stateTable(dialect, 'svc_publish_rejects')} WHERE ${conditions(dialect, own, wanted)}`
  const [counted] = await access.query(`SELECT count(*) AS n FROM ${from}`)
  const rows = await access.query(
    `SELECT asset, target, run_id, operation, ${dialect.toText('row_key')} AS row_key, reason,
      ${dialect.toText('raw')} AS raw, ${dialect.epochSeconds('rejected_at')} AS at
     FROM ${from} ORDER BY asset, target, ${dialect.toText('row_key')} LIMIT ${Math.trunc(limit)}`,
  )
  const rejects = rows.map(({ at, ...row }) => ({
    ...(row as unknown as PublishReject),
    rejected_at: isoTime(Number(at)),
  }))
  return { rejects, total: Number(counted?.['n'] ?? 0) }
}

function conditions(
  dialect: StateDialect,
  own: string,
  { environment, asset, target }: PublishesWanted,
): string {
  const given = Object.entries({ environment, asset, target }).flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} = ${dialect.literal(value)}`],
  )
  return [own, ...given].join(' AND ')
}
