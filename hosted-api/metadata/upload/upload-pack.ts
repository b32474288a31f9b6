/**
 * Processes an upload from its bytes to its answer (interface.md 2.9, hosted.md 5.6). It is written in
 * invisible slices, between which other writers run; the last transaction makes all of them visible at once.
 */
import { uploadPace, writingOf } from '../../glossary/author.ts'
import { type Call, ok, Problem, type Reply, type Shape } from '../../http/index.ts'
import type { Tx } from '../../storage/index.ts'
import { canonicalJson } from '../pack/content-hash.ts'
import type { PackWarning } from '../pack/pack.ts'
import {
  type Claim,
  claimProject,
  discardUpload,
  keepClaim,
  oneAtATime,
  releaseClaim,
} from '../store/claim.ts'
import { knownNodes } from '../store/nodes.ts'
import { headOf, jsonOf } from '../store/visible.ts'
import { writeSlice } from '../store/write-slices.ts'
import { dryPolicies } from './dry-policies.ts'
import { dryRun } from './dry-run.ts'
import { writeGlossary } from './glossary-entries.ts'
import type { ChangeSummary, PackInput, PackJob, PackSummary } from './pack-job.ts'
import type { DryRun, UploadQuery } from './upload-shapes.ts'
import { withinTime } from './within-time.ts'

export type UploadCall = Call<unknown, Shape<typeof UploadQuery>>

/** The upload of one request. */
interface Upload {
  readonly call: UploadCall
  readonly project: number
  readonly summary: PackSummary
}

/** @throws Problem */
export async function uploadPack(call: UploadCall, input: PackInput, job: PackJob): Promise<Reply> {
  const { jobTime } = call.limits
  const project = Number(call.project)
  const summary = await withinTime(job, jobTime).read(input)
  // The time in which others write to the project does not count.
  return oneAtATime(call.storage, project, () =>
    storePack({ call, project, summary }, withinTime(job, jobTime)),
  )
}

async function storePack(upload: Upload, job: PackJob): Promise<Reply> {
  const { call, project, summary } = upload
  const { storage } = call
  const { longReads: reads } = storage
  await requireBinding(upload)
  const head = await headOf(reads, project)
  const isDry = call.query.dry_run === true
  if (!isDry && (await isSameAs(upload, head))) return unchangedReply(upload, head)
  const asked = { head, withContent: summary.leavesOut }
  for await (const nodes of knownNodes(reads, project, asked)) await job.know(nodes)
  const at = storage.clock().toISOString()
  const change = await job.compare()
  if (isDry) {
    const pace = uploadPace(call)
    return dryReply(upload, change, {
      ...(await dryRun(reads, head, job, change, pace)),
      policies: await dryPolicies(reads, project, head, job, summary, pace),
    })
  }
  if (change.isEmpty && summary.glossary.length === 0 && (await saysTheSame(upload, head)))
    return unchangedReply(upload, head)
  const claim = await claimProject(storage, {
    project,
    source: summary.source,
    scope: summary.scope,
    actor: call.principal.actor,
    hash: summary.hash,
    about: JSON.stringify({ project: summary.project, git: summary.git, said: summary.said }),
  })
  try {
    await writeSlices(call, job, claim, at)
    return await call.write(tx => publish(tx, upload, claim, at, change))
  } catch (error) {
    const discard = async (tx: Tx) => {
      await keepClaim(tx, claim, at)
      await discardUpload(tx, project, claim.upload)
      await releaseClaim(tx, claim)
    }
    // The next upload finds and deletes what is left.
    await storage.write(discard, { isLong: true, owner: call.principal.tokenId }).catch(() => {})
    throw error
  }
}

/** The next slice is prepared while one is being written. */
async function writeSlices(
  { storage, principal }: UploadCall,
  job: PackJob,
  claim: Claim,
  at: string,
): Promise<void> {
  let next = job.slice()
  for (let slice = await next; slice !== undefined; slice = await next) {
    const written = slice
    next = job.slice()
    // The loop reports the error when it awaits the slice; a failed write ends the thread before.
    next.catch(() => {})
    await storage.write(
      async tx => {
        await keepClaim(tx, claim, storage.clock().toISOString())
        await writeSlice(tx, claim, at, written)
      },
      { isLong: true, owner: principal.tokenId },
    )
  }
}

/**
 * The first upload binds the project to the id in its files, so that a pipeline with a wrong number is
 * refused.
 */
async function requireBinding({ call, project, summary }: Upload): Promise<void> {
  const row = await call.storage.reads.first('select identifier from project where id = ?', [project])
  const bound = row?.['identifier'] ?? null
  if (bound === null || bound === summary.project.id || call.query.rebind === true) return
  throw new Problem(
    'project_mismatch',
    `Project ${project} holds "${bound}", and the pack is of "${summary.project.id}". Check the project's number, or bind it anew (rebind).`,
    { members: { bound_to: bound, given: summary.project.id } },
  )
}

/** Returns whether exactly this pack is stored already. */
async function isSameAs({ call, summary }: Upload, head: number): Promise<boolean> {
  const { glossary, rebind } = call.query
  if (head === 0 || glossary === 'overwrite' || rebind === true) return false
  const row = await call.storage.reads.first('select pack_hash, scope from upload where id = ?', [head])
  return row?.['pack_hash'] === summary.hash && row['scope'] === summary.scope
}

/** Returns whether the project, and what the pack says of itself, are stored as in the pack. */
async function saysTheSame({ call, summary }: Upload, head: number): Promise<boolean> {
  const { project, said } = summary
  if (head === 0 || call.query.rebind === true) return false
  const row = await call.storage.reads.first('select about from upload where id = ?', [head])
  const stored = jsonOf<Partial<Pick<PackSummary, 'project' | 'said'>>>(row?.['about'] ?? '{}')
  return canonicalJson([stored.project, stored.said]) === canonicalJson([project, said])
}

/** Makes everything visible. */
async function publish(
  tx: Tx,
  { call, project, summary }: Upload,
  claim: Claim,
  at: string,
  change: ChangeSummary,
): Promise<Reply> {
  const { upload } = claim
  const writing = writingOf(tx, call)
  const author = { ...writing.author, now: at }
  await keepClaim(tx, claim, at)
  if (summary.scope === 'full') {
    await tx.all(
      `update lineage_edge set to_upload = ? where project_id = ? and loose = 1 and to_upload is null and from_upload < ?`,
      [upload, project, upload],
    )
  }
  await tx.all(
    `update asset set removed_at = null, updated_at = ? where id in (
      select asset_id from asset_state where project_id = ? and from_upload = ?)`,
    [at, project, upload],
  )
  // SQLite would write the index of the names anew for those that stay.
  await tx.all(
    `update asset set name = state.name, path = state.path from asset_state as state
      where state.asset_id = asset.id and state.project_id = ? and state.from_upload = ?
        and (asset.name <> state.name or asset.path <> state.path)`,
    [project, upload],
  )
  await tx.all(
    `update asset set removed_at = ?, updated_at = ? where id in (
      select asset_id from asset_state where project_id = ? and to_upload = ? except
      select asset_id from asset_state where project_id = ? and from_upload = ?)`,
    [at, at, project, upload, project, upload],
  )
  await tx.all('update project set identifier = ? where id = ?', [summary.project.id, project])
  const mode = call.query.glossary ?? 'keep'
  // The links of the pack are to the columns that it has brought.
  await tx.all('update metadata_head set upload_id = ? where project_id = ?', [upload, project])
  const glossary = await writeGlossary({ ...writing, author }, summary.glossary, mode)
  const warnings = [...summary.warnings, ...change.warnings, ...glossary.warnings]
  const result = {
    unchanged: false,
    ...countsOf(change),
    glossary_synced: glossary.synced,
    warnings,
  }
  tx.record({
    project,
    action: 'upload.create',
    target: `upload:${upload}`,
    actor: author.actor,
    requestId: author.requestId,
    details: { source: summary.source, ...summary.counts, ...result, warnings: warnings.length },
  })
  await tx.all("update upload set state = 'done', result = ? where id = ?", [
    JSON.stringify({ ...summary.counts, ...result }),
    upload,
  ])
  await releaseClaim(tx, claim)
  return uploadReply(summary, { id: upload, ...result })
}

/** Writes nothing except the answer for repeated requests. */
function unchangedReply({ call, summary }: Upload, head: number): Promise<Reply> {
  return call.write(async tx => {
    const row = await tx.first('select result from upload where id = ?', [head])
    const before = jsonOf<{ readonly warnings?: readonly PackWarning[] }>(row?.['result'] ?? '{}')
    return uploadReply(summary, {
      id: head,
      unchanged: true,
      added: 0,
      changed: 0,
      removed: 0,
      glossary_synced: 0,
      warnings: before.warnings ?? [],
    })
  })
}

function dryReply(
  { call, summary }: Upload,
  change: ChangeSummary,
  changes: Shape<typeof DryRun>,
): Promise<Reply> {
  const upload = {
    id: null,
    dry_run: true,
    unchanged: change.isEmpty,
    ...countsOf(change),
    glossary_synced: 0,
    warnings: [...summary.warnings, ...change.warnings],
  }
  return call.write(async tx => {
    tx.discard()
    return uploadReply(summary, upload, { changes })
  })
}

function countsOf({ added, changed, removed }: ChangeSummary) {
  return { added: added.length, changed: changed.length, removed: removed.length }
}

function uploadReply({ counts }: PackSummary, upload: object, more: object = {}): Reply {
  return ok({ success: true, ...counts, upload, ...more })
}
