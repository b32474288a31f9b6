/**
 * Processes an upload from its bytes to its answer (interface.md 2.9, hosted.md 5.6). It is written in
 * invisible slices, between which other writers run; the last transaction makes all of them visible at once.
 */
import { randomUUID } from 'node:crypto'
import { invalid, Problem, type Reply } from '../../http/index.ts'
import { createPace } from '../../http/pace.ts'
import type { Storage, Tx } from '../../storage/index.ts'
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
import { type DryPolicy, dryPolicies } from './dry-policies.ts'
import { type DryRun, dryRun } from './dry-run.ts'
import { type GlossaryMode, writeGlossary } from './glossary-entries.ts'
import type { ChangeSummary, PackInput, PackJob, PackSummary, ToldProblem } from './pack-job.ts'
import { withinTime } from './within-time.ts'

export interface UploadRequest {
  readonly input: PackInput
  readonly project: number
  readonly rebind: boolean
  readonly dryRun: boolean
  readonly glossary: GlossaryMode
  readonly actor: string
  readonly requestId: string
  /** The record number of the token. */
  readonly owner: number
  readonly storage: Storage
  /** Seconds for reading the pack, and for storing it; 0 means no limit. */
  readonly jobTime: number
  /** The transaction of the answer, which is stored for repeated requests. */
  write(work: (tx: Tx) => Promise<Reply>): Promise<Reply>
}

/** The name with which this process claims projects. */
const holder = randomUUID()

/** @throws Problem */
export async function uploadPack(request: UploadRequest, job: PackJob): Promise<Reply> {
  const summary = await withinTime(job, request.jobTime).read(request.input)
  if (isTold(summary)) throw problemOf(summary)
  // The time in which others write to the project does not count.
  return oneAtATime(request.storage, request.project, () =>
    storePack(request, withinTime(job, request.jobTime), summary),
  )
}

async function storePack(request: UploadRequest, job: PackJob, summary: PackSummary): Promise<Reply> {
  const { storage, project } = request
  const { longReads: reads } = storage
  await requireBinding(request, summary)
  const head = await headOf(reads, project)
  if (!request.dryRun && (await isSameAs(request, head, summary)))
    return unchangedReply(request, head, summary)
  for await (const nodes of knownNodes(reads, project, head)) await job.know(nodes)
  const at = storage.clock().toISOString()
  const change = await job.compare(at)
  if (request.dryRun) {
    const pace = createPace(request.jobTime, 'job-timeout')
    return dryReply(request, summary, change, {
      ...(await dryRun(reads, head, job, change, pace)),
      policies: await dryPolicies(reads, project, head, job, summary, pace),
    })
  }
  if (change.isEmpty && summary.glossary.length === 0 && (await saysTheSame(request, head, summary))) {
    return unchangedReply(request, head, summary)
  }
  const claim = await claimProject(storage, holder, {
    project,
    source: summary.source,
    scope: summary.scope,
    actor: request.actor,
    hash: summary.hash,
    about: JSON.stringify({ project: summary.project, git: summary.git, said: summary.said }),
  })
  try {
    await writeSlices(request, job, claim, at)
    return await request.write(tx => publish(tx, request, claim, at, summary, change))
  } catch (error) {
    await storage
      .write(
        async tx => {
          await keepClaim(tx, claim, at)
          await discardUpload(tx, project, claim.upload)
          await releaseClaim(tx, claim)
        },
        { isLong: true, owner: request.owner },
      )
      // The next upload finds and deletes what is left.
      .catch(() => {})
    throw error
  }
}

/** The next slice is prepared while one is being written. */
async function writeSlices(
  { storage, owner }: UploadRequest,
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
      { isLong: true, owner },
    )
  }
}

/**
 * The first upload binds the project to the id in its files, so that a pipeline with a wrong number is
 * refused.
 */
async function requireBinding(
  { storage, project, rebind }: UploadRequest,
  summary: PackSummary,
): Promise<void> {
  const row = await storage.reads.first('select identifier from project where id = ?', [project])
  const bound = row?.['identifier'] ?? null
  if (bound === null || bound === summary.project.id || rebind) return
  throw new Problem(
    'project_mismatch',
    `Project ${project} holds "${bound}", and the pack is of "${summary.project.id}". Check the project's number, or bind it anew (rebind).`,
    { members: { bound_to: bound, given: summary.project.id } },
  )
}

/** Returns whether exactly this pack is stored already. */
async function isSameAs(request: UploadRequest, head: number, summary: PackSummary): Promise<boolean> {
  if (head === 0 || request.glossary === 'overwrite' || request.rebind) return false
  const row = await request.storage.reads.first('select pack_hash, scope from upload where id = ?', [head])
  return row?.['pack_hash'] === summary.hash && row['scope'] === summary.scope
}

/** Returns whether the project, and what the pack says of itself, are stored as in the pack. */
async function saysTheSame(
  { storage, rebind }: UploadRequest,
  head: number,
  { project, said }: PackSummary,
): Promise<boolean> {
  if (head === 0 || rebind) return false
  const row = await storage.reads.first('select about from upload where id = ?', [head])
  const stored = jsonOf<Partial<Pick<PackSummary, 'project' | 'said'>>>(row?.['about'] ?? '{}')
  return canonicalJson([stored.project, stored.said]) === canonicalJson([project, said])
}

/** Makes everything visible. */
async function publish(
  tx: Tx,
  request: UploadRequest,
  claim: Claim,
  at: string,
  summary: PackSummary,
  change: ChangeSummary,
): Promise<Reply> {
  const { project, actor, requestId } = request
  const { upload } = claim
  await keepClaim(tx, claim, at)
  if (summary.scope === 'full') {
    await tx.all(
      `update lineage_edge set to_upload = ? where project_id = ? and loose = 1 and to_upload is null and from_upload < ?`,
      [upload, project, upload],
    )
  }
  await tx.all(
    `update asset set removed_at = null, name = state.name, path = state.path, updated_at = ?
      from asset_state as state where state.asset_id = asset.id and state.project_id = ? and state.from_upload = ?`,
    [at, project, upload],
  )
  await tx.all(
    `update asset set removed_at = ?, updated_at = ? where id in (
      select asset_id from asset_state where project_id = ? and to_upload = ? except
      select asset_id from asset_state where project_id = ? and from_upload = ?)`,
    [at, at, project, upload, project, upload],
  )
  await tx.all('update project set identifier = ? where id = ?', [summary.project.id, project])
  const glossary = await writeGlossary(tx, project, summary.glossary, request.glossary, {
    actor,
    requestId,
    now: at,
  })
  const warnings = [...summary.warnings, ...glossary.warnings]
  const result = {
    unchanged: false,
    added: change.added.length,
    changed: change.changed.length,
    removed: change.removed.length,
    glossary_synced: glossary.synced,
    warnings,
  }
  tx.record({
    project,
    action: 'upload.create',
    target: `upload:${upload}`,
    actor,
    requestId,
    details: { source: summary.source, ...summary.counts, ...result, warnings: warnings.length },
  })
  await tx.all("update upload set state = 'done', result = ? where id = ?", [
    JSON.stringify({ ...summary.counts, ...result }),
    upload,
  ])
  await tx.all('update metadata_head set upload_id = ? where project_id = ?', [upload, project])
  await releaseClaim(tx, claim)
  return uploadReply(summary, { id: upload, ...result })
}

/** Writes nothing except the answer for repeated requests. */
function unchangedReply(request: UploadRequest, head: number, summary: PackSummary): Promise<Reply> {
  return request.write(async tx => {
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
  request: UploadRequest,
  summary: PackSummary,
  change: ChangeSummary,
  changes: DryRun & { readonly policies: readonly DryPolicy[] },
): Promise<Reply> {
  const upload = {
    id: null,
    dry_run: true,
    unchanged: change.isEmpty,
    added: change.added.length,
    changed: change.changed.length,
    removed: change.removed.length,
    glossary_synced: 0,
    warnings: summary.warnings,
  }
  return request.write(async tx => {
    tx.discard()
    return { status: 200, body: { success: true, ...summary.counts, upload, changes } }
  })
}

function uploadReply(summary: PackSummary, upload: Readonly<Record<string, unknown>>): Reply {
  return { status: 200, body: { success: true, ...summary.counts, upload } }
}

function isTold(value: PackSummary | ToldProblem): value is ToldProblem {
  return 'code' in value
}

function problemOf({ code, detail, errors }: ToldProblem): Problem {
  return code === 'invalid' && errors !== undefined
    ? invalid(errors)
    : new Problem(code, detail, errors && { errors })
}
