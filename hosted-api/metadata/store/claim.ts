/**
 * Allows one upload per project at a time. Within a process uploads wait for each other; between processes
 * (PostgreSQL) the claim is a row with a heartbeat, and the claim of a dead process is taken over and its
 * rows are deleted.
 */
import { Problem } from '../../http/index.ts'
import type { Storage, Tx } from '../../storage/index.ts'

/**
 * The time without a heartbeat after which an upload of another process counts as dead, in milliseconds: of one whose database
 * has not noticed that it is gone.
 */
const deadAfter = 60_000

export interface Claim {
  readonly project: number
  /** The record of the upload in progress. */
  readonly upload: number
  /** The name of the process. */
  readonly holder: string
}

export interface NewUpload {
  readonly project: number
  readonly source: string
  readonly scope: string
  readonly actor: string
  readonly hash: string
  /** A JSON text. */
  readonly about: string
}

const queues = new WeakMap<Storage, Map<number, Promise<unknown>>>()

/** Runs `work` after all earlier work of this process on the same project. */
export async function oneAtATime<T>(storage: Storage, project: number, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(storage) ?? new Map<number, Promise<unknown>>()
  queues.set(storage, queue)
  const before = queue.get(project) ?? Promise.resolve()
  const mine = before.then(work, work)
  queue.set(project, mine)
  try {
    return await mine
  } finally {
    if (queue.get(project) === mine) queue.delete(project)
  }
}

/** @throws Problem `request_in_progress` */
export async function claimProject(storage: Storage, upload: NewUpload): Promise<Claim> {
  const { project } = upload
  const holder = storage.server
  return storage.write(async tx => {
    const at = storage.clock()
    await tx.all(
      'insert into metadata_head (project_id, upload_id) values (?, 0) on conflict (project_id) do nothing',
      [project],
    )
    const head = await tx.firstForUpdate(
      'select claim_id, claim_by, claim_at from metadata_head where project_id = ?',
      [project],
    )
    const stale = head?.['claim_id']
    if (head !== undefined && stale !== null && stale !== undefined) {
      const heldBy = String(head['claim_by'])
      const isDead =
        heldBy === holder ||
        at.getTime() - Date.parse(String(head['claim_at'])) > deadAfter ||
        (await storage.isServing(tx, heldBy)) === false
      if (!isDead) throw inProgress()
      await discardUpload(tx, project, Number(stale))
    }
    const row = await tx.first(
      `insert into upload (project_id, state, source, scope, at, "by", pack_hash, about)
        values (?, 'staging', ?, ?, ?, ?, ?, ?) returning id`,
      [project, upload.source, upload.scope, at.toISOString(), upload.actor, upload.hash, upload.about],
    )
    const id = Number(row?.['id'])
    await tx.all('update metadata_head set claim_id = ?, claim_by = ?, claim_at = ? where project_id = ?', [
      id,
      holder,
      at.toISOString(),
      project,
    ])
    return { project, upload: id, holder }
  })
}

/**
 * Updates the heartbeat, in each transaction of an upload.
 * @throws Problem if another process has taken over
 */
export async function keepClaim(tx: Tx, { project, upload, holder }: Claim, at: string): Promise<void> {
  const kept = await tx.first(
    `update metadata_head set claim_at = ? where project_id = ? and claim_id = ? and claim_by = ?
      returning project_id`,
    [at, project, upload, holder],
  )
  if (kept === undefined) throw inProgress()
}

export async function releaseClaim(tx: Tx, { project, upload }: Claim): Promise<void> {
  await tx.all(
    `update metadata_head set claim_id = null, claim_by = null, claim_at = null
      where project_id = ? and claim_id = ?`,
    [project, upload],
  )
}

/** Deletes everything that an incomplete upload has written. */
export async function discardUpload(tx: Tx, project: number, upload: number): Promise<void> {
  for (const table of ['asset_state', 'lineage_edge']) {
    await tx.all(`delete from ${table} where project_id = ? and from_upload = ?`, [project, upload])
    await tx.all(`update ${table} set to_upload = null where project_id = ? and to_upload = ?`, [
      project,
      upload,
    ])
  }
  for (const table of ['asset_version', 'test_result']) {
    await tx.all(`delete from ${table} where project_id = ? and upload_id = ?`, [project, upload])
  }
  await tx.all(
    `delete from asset where project_id = ? and removed_at is not null
      and not exists (select 1 from asset_state where asset_state.asset_id = asset.id)
      and not exists (select 1 from link where link.asset = asset.id)`,
    [project],
  )
  await tx.all('delete from upload where id = ?', [upload])
}

function inProgress(): Problem {
  return new Problem('request_in_progress', 'Another upload to this project is being written.', {
    headers: { 'Retry-After': '5' },
  })
}
