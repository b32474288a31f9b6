/**
 * Deletes history by age: old versions, uploads, test results and entries of the audit log. The chain of the audit log
 * stays provable: an entry says up to where each chain was pruned, and with which hash it goes on.
 */
import type { Engine, Queries, Storage, Tx } from '../storage/index.ts'
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
  for (const old of historyIn(storage.engine)) {
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
  /** Each of its parameters is the time from which on everything is kept. */
  readonly condition: string
}

function cutoffs({ condition }: Old, cutoff: string): readonly string[] {
  return Array<string>(condition.split('?').length - 1).fill(cutoff)
}

function closedBefore(table: string): string {
  return `${table}.to_upload is not null and exists (select 1 from upload where upload.id = ${table}.to_upload
    and upload.state = 'done' and upload.at < ?)`
}

/** An uploaded row that will be there after the older kinds were deleted, so that a dry run counts the same. */
function noneStays({ table, condition }: Old, upload: 'upload_id' | 'to_upload'): string {
  // The project is a part of the index.
  return `not exists (select 1 from ${table} where ${table}.project_id = upload.project_id
    and ${table}.${upload} = upload.id and not (${condition}))`
}

const states: Old = {
  what: 'states of assets',
  table: 'asset_state',
  condition: `${closedBefore('asset_state')} and exists (select 1 from asset_state as newer
    where newer.asset_id = asset_state.asset_id and newer.from_upload > asset_state.from_upload)`,
}
const edges: Old = {
  what: 'edges of the lineage',
  table: 'lineage_edge',
  condition: closedBefore('lineage_edge'),
}

function newerOfAsset(table: string, says: string): string {
  return `exists (select 1 from ${table} as newer where newer.asset_id = ${table}.asset_id and ${says})`
}

/** A rollback makes an earlier version the active one, and its test results those that stand; a pack says both of its assets. */
function isLive(table: string, says: string): string {
  return `exists (select 1 from asset_state as live where live.asset_id = ${table}.asset_id and live.to_upload is null
    and ${says})`
}

function versionsIn(engine: Engine): Old {
  const newer = "newer.status = 'deployed' and newer.deployed_at > asset_version.deployed_at"
  const newerOfSame = newerOfAsset('asset_version', `newer.hash = asset_version.hash and ${newer}`)
  const says = `${detail(engine, 'active_hash')} = asset_version.hash
    and (${detail(engine, 'deployed_by')} = asset_version.run_id or not ${newerOfSame})`
  return {
    what: 'versions of assets',
    table: 'asset_version',
    condition: `asset_version.deployed_at < ? and ${newerOfAsset('asset_version', newer)}
      and not ${isLive('asset_version', says)}`,
  }
}

function detail(engine: Engine, name: string): string {
  return engine === 'postgres'
    ? `(cast(live.details as json) ->> '${name}')`
    : `json_extract(live.details, '$.${name}')`
}

/**
 * What is newest is kept, however old it is: the last version of a record, the last state of a removed asset, the last version and
 * the last test results; and so are the active version and the results that stand.
 */
function historyIn(engine: Engine): readonly Old[] {
  const versions = versionsIn(engine)
  return [
    {
      what: 'versions of glossary records',
      table: 'history',
      condition: `history.at < ? and exists (select 1 from history as newer where newer.kind = history.kind
        and newer.record_id = history.record_id and newer.version > history.version)`,
    },
    states,
    edges,
    versions,
    {
      what: 'test results',
      table: 'test_result',
      condition: `test_result.at < ? and ${newerOfAsset('test_result', 'newer.at > test_result.at')}
        and not ${isLive('test_result', `${detail(engine, 'results_at')} = test_result.at`)}`,
    },
    {
      what: 'uploads',
      table: 'upload',
      condition: `upload.at < ? and upload.state = 'done'
        and not exists (select 1 from metadata_head as head where head.upload_id = upload.id)
        and ${noneStays(versions, 'upload_id')} and ${noneStays(states, 'to_upload')} and ${noneStays(edges, 'to_upload')}`,
    },
  ]
}

async function countOf(queries: Queries, old: Old, cutoff: string): Promise<number> {
  const row = await queries.first(
    `select count(*) as count from ${old.table} where ${old.condition}`,
    cutoffs(old, cutoff),
  )
  return Number(row?.['count'])
}

/** Each batch begins after the last one, because what is kept would be looked at again. */
async function deleteInBatches(storage: Storage, old: Old, cutoff: string): Promise<number> {
  const { table, condition } = old
  const batch = `select id from ${table} where ${condition} and id > ? order by id limit ${batchRows}`
  let [total, last] = [0, 0]
  for (;;) {
    const gone = await storage.write(tx =>
      tx.all(`delete from ${table} where id in (${batch}) returning id`, [...cutoffs(old, cutoff), last]),
    )
    total += gone.length
    if (gone.length < batchRows) return total
    last = gone.reduce((most, { id }) => Math.max(most, Number(id)), last)
  }
}

/** What is old is found once: nobody writes entries into the beginnings of chains. */
async function pruneAudit(storage: Storage, cutoff: string, isDry: boolean): Promise<number> {
  const ledgers = await oldLedgers(storage.reads, cutoff)
  if (isDry) return ledgers.reduce((sum, { entries }) => sum + entries, 0)
  let total = 0
  for (let left = ledgers; left.length > 0; ) {
    const old = left
    const batch = await storage.write(tx => pruneBatch(tx, storage.clock().toISOString(), cutoff, old))
    total += batch.deleted
    left = batch.left
  }
  return total
}

interface OldLedger {
  readonly ledger: number
  /** The last entry before the first one that is kept. */
  readonly through: number
  readonly entries: number
}

/**
 * Only the beginning of a chain is pruned, even if the clock was set back and later entries look older. The entry that says
 * where the chains begin is kept.
 */
async function oldLedgers(queries: Queries, cutoff: string): Promise<readonly OldLedger[]> {
  const rows = await queries.all(
    `with kept as (
        select ledger_id, min(id) as first from audit
          where at >= ? or id = (select max(id) from audit where ledger_id = 0 and action = '${pruneAction}')
          group by ledger_id)
      select old.ledger_id, max(old.id) as through, count(*) as entries from audit as old
        left join kept on kept.ledger_id = old.ledger_id
        where old.at < ? and (kept.first is null or old.id < kept.first)
        group by old.ledger_id order by old.ledger_id`,
    [cutoff, cutoff],
  )
  return rows.map(row => ({
    ledger: Number(row['ledger_id']),
    through: Number(row['through']),
    entries: Number(row['entries']),
  }))
}

interface PrunedBatch {
  readonly deleted: number
  readonly left: readonly OldLedger[]
}

/** Deletes entries and records where the chains go on, in one transaction. */
async function pruneBatch(
  tx: Tx,
  now: string,
  cutoff: string,
  ledgers: readonly OldLedger[],
): Promise<PrunedBatch> {
  const anchors: Record<string, Anchors[string]> = { ...(await lastAnchors(tx)) }
  let deleted = 0
  const left: OldLedger[] = []
  for (const old of ledgers) {
    const { ledger, through } = old
    if (deleted >= batchRows) {
      left.push(old)
      continue
    }
    const last = await tx.first(
      `select id, hash from audit where ledger_id = ? and id <= ? order by id limit 1 offset ?`,
      [ledger, through, batchRows - 1],
    )
    const end = last ?? (await tx.first('select id, hash from audit where id = ?', [through]))
    if (end === undefined) continue
    if (Number(end['id']) < through) left.push(old)
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
  return { deleted, left }
}
