/** Hides the values that `ingest.mask` names, before anything of a fetch is stored. */
import { createHmac } from 'node:crypto'
import { quoteName } from '@svc/server/catalog'
import { maskedShape } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { FetchedRecords, Fetching } from '../finish-fetch.ts'
import type { LoadBase } from '../incremental/base.ts'
import type { FetchContext } from '../source.ts'
import type { UnparsedLines } from '../unparsed-lines.ts'
import { type Mask, maskOf } from './mask.ts'

export interface Masked {
  readonly records: FetchedRecords
  readonly mask: Mask | undefined
}

/** Returns the records with their masked values. Throws `missing-credentials` and `mask-key-changed`. */
export async function maskRecords(
  { context, ingest, local }: Fetching,
  records: FetchedRecords,
): Promise<Masked> {
  const mask = maskOf(ingest, context.env)
  if (mask === undefined) return { records, mask }
  refuseOtherKey(context, mask)
  const { limits } = ingest
  const { spoolFolder: folder, signal } = context
  const source = await records.source.masked({ mask, local, folder, limits, signal })
  const unparsed = records.source.unparsed && withoutLines(records.source.unparsed)
  return {
    mask,
    records: {
      ...records,
      source: { ...source, unparsed },
      ...(records.shape !== undefined && { shape: maskedShape(records.shape, mask.rules) }),
      loadId: withKey(records.loadId, mask),
    },
  }
}

/** The same records under another key are another load. */
function withKey(loadId: string, { keyMark }: Mask): string {
  return keyMark === undefined ? loadId : createHmac('sha256', keyMark).update(loadId).digest('hex')
}

/** Returns what the keys of the hashes in a load are known by. */
function keysOf({ load }: LoadBase): readonly string[] {
  const tables = [load, ...Object.values(load.children)]
  return [...new Set(tables.flatMap(({ columns }) => columns.flatMap(({ maskKey }) => maskKey ?? [])))]
}

/** One person would have two hashes in one table: a merge would keep both. */
function refuseOtherKey({ base, asset }: FetchContext, { keyMark }: Mask): void {
  // Where versions stay under a full refresh, their hashes do not.
  if (base === undefined || base.restarts === 'refresh' || keyMark === undefined) return
  if (keysOf(base).every(key => key === keyMark)) return
  throw new SvcError(
    'mask-key-changed',
    'the records that are loaded were masked with another key than the one in SVC_MASK_KEY',
    {
      hint: svc =>
        `Set the key of before, or load everything anew: ${svc(`run ${asset.name} --full-refresh`)}`,
    },
  )
}

/** A line that is no record has no columns to mask, so nothing of it is kept. */
function withoutLines({ count, sql, first }: UnparsedLines): UnparsedLines {
  const reason = `'line ' || record_number || ' is no record; it is not kept, because columns of the source are masked'`
  return {
    count,
    sql: `SELECT * REPLACE (${reason} AS ${quoteName('message')}, CAST(NULL AS JSON) AS ${quoteName('raw')}) FROM (${sql})`,
    first: first.replace(/:.*$/s, ' is no record'),
  }
}
