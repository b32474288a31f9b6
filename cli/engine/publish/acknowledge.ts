/** Brings what a target acknowledged from the journal into the state of the warehouse: all of it in one transaction. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonFrom, quoteLiteral, withLocalReader } from '@svc/server/catalog'
import { type PublishedTo, publishedWhere, type StateChange } from '../state/changes.ts'
import type { PublishCounts, PublishReject } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Operation, SpooledRow } from './destination.ts'
import { type JournalState, keysIn, type PublishJournal, type PublishPlan, type RowRange } from './journal.ts'
import { operations, textValues } from './row-text.ts'
import { batchesIn } from './spool-lines.ts'

/**
 * The hashes of rows in doubt in the state, where a row that was acknowledged has its own: it is not known whether the target has
 * a row that was inserted, as what it has one that was updated, and whether it still has one that was deleted. No text has such
 * a hash.
 */
export const doubtfulHash = {
  insert: '00000000-0000-0000-0000-000000000000',
  update: '00000000-0000-0000-0000-000000000001',
  delete: '00000000-0000-0000-0000-000000000002',
} as const satisfies Readonly<Record<Operation, string>>

/** Queries over local files of what changes in the rows that a target has acknowledged. */
export interface Overlay {
  /** The keys whose rows do not count any more. */
  readonly forgotten: string
  /** The rows that count now; undefined where they were acknowledged elsewhere. */
  readonly rows: string | undefined
}

export interface Acknowledged {
  readonly counts: Pick<PublishCounts, 'inserts' | 'updates' | 'deletes' | 'refused'>
  /** The rows that the target refused, up to a number of them. */
  readonly rejects: readonly PublishReject[]
  /** A query over local files of the keys whose last acknowledgement does not count any more; undefined if there are none. */
  readonly forgotten: string | undefined
  /** A query over local files of what is acknowledged now, or in doubt; undefined if that is nothing. */
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
  // Where all rows were taken they are not read again.
  for await (const row of refused.size > 0 ? refusedRows(journal, plan, refused) : []) {
    const { index, operation, key } = row
    rejects.push(
      rejectOf(plan, { operation, key, reason: refused.get(index) ?? '', raw: rawOf(row, plan) }, at),
    )
    if (rejects.length === mostRejects) break
  }
  const isAnyInDoubt = state.inDoubt.size > 0
  const isAnyKnown = counts.update + counts.delete > 0 || (isRepeat && counts.insert > 0) || isAnyInDoubt
  return {
    counts: {
      inserts: counts.insert,
      updates: counts.update,
      deletes: counts.delete,
      refused: refused.size,
    },
    rejects,
    forgotten: isAnyKnown ? forgottenQuery(journal.folder, state, isRepeat) : undefined,
    rows: counts.insert + counts.update === 0 && !isAnyInDoubt ? undefined : rowsQuery(journal.folder, state),
  }
}

/** Where the lines are payloads alone, the keys are in their own file; so they are where the process that had the rows is dead. */
async function* refusedRows(
  { spool, folder }: PublishJournal,
  { isBare }: PublishPlan,
  refused: ReadonlyMap<number, string>,
): AsyncGenerator<RefusedRow> {
  const first = [...refused.keys()].slice(0, mostRejects)
  const keys = isBare || spool === undefined ? await keysOf(folder, first) : undefined
  if (spool === undefined) {
    for (const [index, row] of keys ?? []) yield { index, ...row, payload: undefined }
    return
  }
  for await (const lines of batchesIn({ spool, isBare }, 1000))
    for (const row of lines.rows)
      if (refused.has(row.index)) yield { ...row, key: keys?.get(row.index)?.key ?? row.key }
}

interface RefusedRow extends Pick<SpooledRow, 'index' | 'operation' | 'key'> {
  readonly payload: string | undefined
}

async function keysOf(
  folder: string,
  places: readonly number[],
): Promise<ReadonlyMap<number, Pick<SpooledRow, 'operation' | 'key'>>> {
  const sql = `SELECT place, operation, row_key FROM read_parquet(${quoteLiteral(keysIn(folder))}) WHERE place IN (${places.join(', ')})`
  const rows = await withLocalReader({ temporaryFolder: folder }, local => local.rows(sql))
  return new Map(
    rows.map(({ place, operation, row_key }) => [
      Number(place),
      { operation: operations[String(operation)] ?? 'insert', key: String(row_key) },
    ]),
  )
}

/** Returns what a journal says beyond the state; `folder` is left as it is. `isHere`: it is of the place that is looked at. */
export function overlayOf(folder: string, state: JournalState, isHere: boolean): Overlay {
  return {
    forgotten: forgottenQuery(folder, state, true),
    rows: isHere ? rowsQuery(folder, { ...state, ids: new Map() }) : undefined,
  }
}

/** SQL of whether a row of the file of keys is in one of these. Most journals have few, since batches follow each other. */
export function isWithin(ranges: Iterable<RowRange>): string {
  const each = [...ranges].map(([from, to]) => `place >= ${from} AND place < ${to}`)
  return each.length === 0 ? 'false' : `(${each.join(' OR ')})`
}

function wasTaken({ taken, refused }: JournalState): string {
  const isRefused = refused.size === 0 ? 'false' : `place IN (${[...refused.keys()].join(', ')})`
  return `(${isWithin(taken)} AND NOT (${isRefused}))`
}

function forgottenQuery(folder: string, state: JournalState, isRepeat: boolean): string {
  const isKnown = isRepeat ? 'true' : "operation <> 'i'"
  return `SELECT CAST(key_hash AS UUID) AS key_hash FROM read_parquet(${quoteLiteral(keysIn(folder))})
    WHERE ${isKnown} AND ${wasTaken(state)} OR ${isWithin(state.inDoubt.values())}`
}

/** What is in doubt is kept beside what was taken, with a hash that says so: whatever production has, it differs. */
function rowsQuery(folder: string, state: JournalState): string {
  const taken = takenQuery(folder, state)
  if (state.inDoubt.size === 0) return taken
  const hashes = Object.entries(operations).map(
    ([letter, operation]) => `WHEN '${letter}' THEN '${doubtfulHash[operation]}'`,
  )
  const hash = `CAST(CASE operation ${hashes.join(' ')} END AS UUID)`
  return `${taken} UNION ALL
    SELECT CAST(key_hash AS UUID), ${hash}, row_key, CAST(NULL AS VARCHAR)
    FROM read_parquet(${quoteLiteral(keysIn(folder))}) WHERE ${isWithin(state.inDoubt.values())}`
}

function takenQuery(folder: string, state: JournalState): string {
  const { ids } = state
  const keys = `read_parquet(${quoteLiteral(keysIn(folder))})`
  const which = `operation <> 'd' AND ${wasTaken(state)}`
  // A journal that an older svc has left has them as texts.
  const hashes = 'CAST(key_hash AS UUID) AS key_hash, CAST(row_hash AS UUID) AS row_hash, row_key'
  if (ids.size === 0)
    return `SELECT ${hashes}, CAST(NULL AS VARCHAR) AS remote_id FROM ${keys} WHERE ${which}`
  const path = join(folder, 'ids.ndjson')
  writeFileSync(path, [...ids].map(([place, id]) => `${JSON.stringify({ place, id })}\n`).join(''), {
    mode: 0o600,
  })
  const known = jsonFrom(quoteLiteral(path), {
    format: 'newline_delimited',
    columns: [
      ['place', 'BIGINT'],
      ['id', 'VARCHAR'],
    ],
  })
  return `SELECT ${hashes}, id AS remote_id FROM ${keys} LEFT JOIN ${known} USING (place) WHERE ${which}`
}

/** Returns the row as a JSON object by field; its key alone where it is gone. */
export function rawOf(
  { operation, payload, key }: Omit<RefusedRow, 'index'>,
  { fields, isText }: Pick<PublishPlan, 'fields' | 'isText'>,
): string {
  if (operation === 'delete' || payload === undefined) return key
  if (!isText) return payload
  const values = textValues(payload)
  return JSON.stringify(Object.fromEntries(fields.map(({ name }, index) => [name, values[index] ?? null])))
}

/** A row that was not taken. */
export interface Untaken extends Pick<PublishReject, 'operation' | 'reason' | 'raw'> {
  readonly key: string
}

export function rejectOf(
  { asset, target, runId }: Pick<PublishPlan, 'asset' | 'target' | 'runId'>,
  { key, ...row }: Untaken,
  at: string,
): PublishReject {
  return { asset, target, run_id: runId, ...row, row_key: key, rejected_at: at }
}

export interface CommitRequest {
  readonly to: PublishedTo
  readonly runId: string
  readonly acknowledged: Acknowledged
  readonly others: readonly StateChange[]
}

export async function commitAcknowledged(session: WarehouseSession, request: CommitRequest): Promise<void> {
  const { to, runId, acknowledged, others } = request
  const { forgotten, rows } = acknowledged
  const append = {
    table: 'svc_published',
    facts: { run_id: runId },
    columns: ['key_hash', 'row_hash', 'row_key', 'remote_id'],
  } as const
  const remove = { table: 'svc_published', where: publishedWhere(to), column: 'key_hash' } as const
  await session.append(others, {
    removals: forgotten === undefined ? [] : [{ ...remove, sql: forgotten }],
    rows: rows === undefined ? [] : [{ ...append, sql: rows }],
  })
}
