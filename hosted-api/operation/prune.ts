/**
 * Deletes history by age: old versions, uploads, test results and entries of the audit log. The chain of the audit log
 * stays provable: an entry says up to where each chain was pruned, and with which hash it goes on.
 */
import type { Queries, Storage, Tx } from '../storage/index.ts'
import { type Anchors, lastAnchors, pruneAction } from './audit-anchors.ts'

/** Each transaction is short, because other writers wait for it. */
const batchRows = 2000

/**
 * Returns the deleted rows by what they are.
 * @param isDry count only
 */
export async function prune(
  storage: Storage,
  cutoff: string,
  isDry: boolean,
): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {}
  for (const old of history) {
    deleted[old.what] = await (isDry
      ? countOf(storage.reads, old, cutoff)
      : deleteInBatches(storage, old, cutoff))
  }
  deleted['audit entries'] = await pruneAudit(storage, cutoff, isDry)
  return deleted
}

interface Old {
  readonly what: string
  readonly table: string
  /** Its parameter is the time from which on everything is kept. */
  readonly condition: string
}

function closedBefore(table: string): string {
  return `${table}.to_upload is not null and exists (select 1 from upload where upload.id = ${table}.to_upload
    and upload.state = 'done' and upload.at < ?)`
}

/**
 * What is newest is kept, however old it is: the last version of a record, the last state of a removed asset, the
 * active version, the last test results.
 */
const history: readonly Old[] = [
  {
    what: 'versions of glossary records',
    table: 'history',
    condition: `history.at < ? and exists (select 1 from history as newer where newer.kind = history.kind
      and newer.record_id = history.record_id and newer.version > history.version)`,
  },
  {
    what: 'states of assets',
    table: 'asset_state',
    condition: `${closedBefore('asset_state')} and exists (select 1 from asset_state as newer
      where newer.asset_id = asset_state.asset_id and newer.from_upload > asset_state.from_upload)`,
  },
  {
    what: 'edges of the lineage',
    table: 'lineage_edge',
    condition: closedBefore('lineage_edge'),
  },
  {
    what: 'versions of assets',
    table: 'asset_version',
    condition: `asset_version.deployed_at < ? and exists (select 1 from asset_version as newer
      where newer.asset_id = asset_version.asset_id and newer.status = 'deployed'
      and newer.deployed_at > asset_version.deployed_at)`,
  },
  {
    what: 'test results',
    table: 'test_result',
    condition: `test_result.at < ? and exists (select 1 from test_result as newer
      where newer.asset_id = test_result.asset_id and newer.at > test_result.at)`,
  },
  {
    what: 'uploads',
    table: 'upload',
    condition: `upload.at < ? and upload.state = 'done'
      and not exists (select 1 from metadata_head as head where head.upload_id = upload.id)
      and not exists (select 1 from asset_version where asset_version.upload_id = upload.id)
      and not exists (select 1 from asset_state where asset_state.to_upload = upload.id)
      and not exists (select 1 from lineage_edge where lineage_edge.to_upload = upload.id)`,
  },
]

async function countOf(queries: Queries, { table, condition }: Old, cutoff: string): Promise<number> {
  const row = await queries.first(`select count(*) as count from ${table} where ${condition}`, [cutoff])
  return Number(row?.['count'])
}

async function deleteInBatches(storage: Storage, { table, condition }: Old, cutoff: string): Promise<number> {
  const batch = `select id from ${table} where ${condition} order by id limit ${batchRows}`
  let total = 0
  for (;;) {
    const gone = await storage.write(tx =>
      tx.all(`delete from ${table} where id in (${batch}) returning id`, [cutoff]),
    )
    total += gone.length
    if (gone.length < batchRows) return total
  }
}

async function pruneAudit(storage: Storage, cutoff: string, isDry: boolean): Promise<number> {
  let total = 0
  for (;;) {
    const ledgers = await oldLedgers(storage.reads, cutoff)
    if (isDry) return ledgers.reduce((sum, { entries }) => sum + entries, 0)
    if (ledgers.length === 0) return total
    total += await storage.write(tx => pruneBatch(tx, storage.clock().toISOString(), cutoff, ledgers))
  }
}

interface OldLedger {
  readonly ledger: number
  /** The last entry before the first one that is kept. */
  readonly through: number
  readonly entries: number
}

/** Only the beginning of a chain is pruned, even if the clock was set back and later entries look older. */
async function oldLedgers(queries: Queries, cutoff: string): Promise<readonly OldLedger[]> {
  const rows = await queries.all(
    `select old.ledger_id, max(old.id) as through, count(*) as entries from audit as old
      where old.at < ? and old.id < coalesce((select min(kept.id) from audit as kept
        where kept.ledger_id = old.ledger_id and (kept.at >= ? or kept.id in (
          select max(last.id) from audit as last where last.ledger_id = 0 and last.action = '${pruneAction}'))), 2147483647)
      group by old.ledger_id order by old.ledger_id`,
    [cutoff, cutoff],
  )
  return rows.map(row => ({
    ledger: Number(row['ledger_id']),
    through: Number(row['through']),
    entries: Number(row['entries']),
  }))
}

/** Deletes entries and records where the chains go on, in one transaction. */
async function pruneBatch(
  tx: Tx,
  now: string,
  cutoff: string,
  ledgers: readonly OldLedger[],
): Promise<number> {
  const anchors: Record<string, Anchors[string]> = { ...(await lastAnchors(tx)) }
  let deleted = 0
  for (const { ledger, through } of ledgers) {
    if (deleted >= batchRows) break
    const last = await tx.first(
      `select id, hash from audit where ledger_id = ? and id <= ? order by id limit 1 offset ?`,
      [ledger, through, batchRows - 1],
    )
    const end = last ?? (await tx.first('select id, hash from audit where id = ?', [through]))
    if (end === undefined) continue
    const gone = await tx.all('delete from audit where ledger_id = ? and id <= ? returning id', [
      ledger,
      Number(end['id']),
    ])
    deleted += gone.length
    anchors[ledger] = { through: Number(end['id']), hash: String(end['hash']) }
  }
  tx.record({
    project: undefined,
    action: pruneAction,
    target: 'audit',
    actor: 'svc-hosted',
    requestId: 'command-line',
    details: { before: cutoff, at: now, entries: deleted, anchors },
  })
  return deleted
}
