/**
 * One upload a project at a time. Within a process they wait for each other; between processes (PostgreSQL) the claim is
 * a row, and one that gave no sign of life for a while is taken over and its rows are thrown away.
 */
import { Problem } from '../../http/index.ts'
import type { Storage, Tx } from '../../storage/index.ts'

/** Milliseconds without a sign of life after which an upload of another process counts as dead. */
const deadAfter = 60_000

export interface Claim {
  readonly project: number
  /** The record of the upload that is being written. */
  readonly upload: number
  /** Name of the process. */
  readonly holder: string
}

export interface NewUpload {
  readonly project: number
  readonly source: string
  readonly scope: string
  readonly actor: string
  readonly hash: string
  /** JSON. */
  readonly about: string
}

const queues = new WeakMap<Storage, Map<number, Promise<unknown>>>()

/** Runs `work` after all work of this process on the same project that came before. */
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
export async function claimProject(storage: Storage, holder: string, upload: NewUpload): Promise<Claim> {
  const { project } = upload
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
    if (stale !== null && stale !== undefined) {
      const isDead =
        storage.engine === 'sqlite' ||
        head?.['claim_by'] === holder ||
        at.getTime() - Date.parse(String(head?.['claim_at'])) > deadAfter
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

/** A sign of life, in each transaction of an upload. @throws Problem when another process has taken over */
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

/** Takes back all that an upload has written that never came to its end. */
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
