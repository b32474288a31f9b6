/** Sends a difference, and brings what the target acknowledged into the state, also of a publish that failed. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import type { Warning } from '@svc/server/contract'
import { forgetAllPublished, replacePublishRejects, type StateChange } from '../state/changes.ts'
import type { PublishCounts } from '../state/state.ts'
import { type Acknowledged, commitAcknowledged, readAcknowledged, rejectOf } from './acknowledge.ts'
import type { Difference } from './difference.ts'
import { type Doubts, noteDoubts, routeOf } from './doubts.ts'
import { findIn } from './find-in.ts'
import { massChange } from './guard.ts'
import {
  forgetJournal,
  openPublishJournal,
  type PublishJournal,
  type PublishPlan,
  writePlan,
} from './journal.ts'
import { closing, type Publishing, type UnderLease } from './publishing.ts'
import type { Production } from './read-production.ts'
import { noCounts, type PublishReport } from './report.ts'
import { shownRejects } from './samples.ts'
import { sendRows } from './send-batches.ts'
import { sendingOf } from './sending.ts'
import { placeNow } from './very-place.ts'

export interface SendRequest {
  readonly production: Production
  /** Whether what rows are written into is not what acknowledged rows the last time. */
  readonly isAnother: boolean
  readonly base: string
  /** What an earlier publish left. */
  readonly left: Doubts | undefined
  /** Throws where it is strict, and something is to be warned of that is new. */
  readonly refuseNewOnes: () => void
}

export function sendDifference(publishing: UnderLease, request: SendRequest): Promise<PublishReport> {
  const { production, left } = request
  return findIn(publishing, { production, left: left && { doubts: left } }, async (difference, local) => {
    const { attempt, target, destination, emit, request: asked } = publishing
    const { asset, target: name } = attempt.to
    emit({ type: 'publish-planned', asset, target: name, ...difference.counts })
    const tooMuch = asked.allowsMassChange ? undefined : massChange(target, difference)
    if (tooMuch !== undefined) throw tooMuch
    const again = sentAgain(publishing, difference)
    if (again !== undefined) emit({ type: 'warning', ...again })
    request.refuseNewOnes()
    const { creates } = await destination.prepare(production.fields, 'create')
    const { place = destination.place } = await placeNow(destination, [])
    attempt.at(place)
    const sent =
      destination.replace === undefined
        ? await sendBatches(publishing, request, difference)
        : await replaceAll(publishing, production, difference, { local, creates })
    const report = { ...reportOf(publishing, request, difference, sent), creates }
    const { done, seconds } = report
    emit({ type: 'publish-finished', asset, target: name, ...done, seconds })
    rmSync(publishing.folder, { recursive: true, force: true })
    return report
  })
}

/** A target that tells rows apart by their keys has each of them once; another one may have got it twice. */
export function sentAgain(
  { attempt: { to } }: Pick<Publishing, 'attempt'>,
  { again }: Pick<Difference, 'again'>,
): Warning | undefined {
  if (again === 0) return undefined
  const rows = again === 1 ? '1 row' : `${again} rows`
  return {
    ...({ code: 'sent-again', asset: to.asset, count: again } as const),
    message: `${to.target} may have ${rows} already that an earlier publish sent and got no answer about; production or the target has changed since, so that they are sent in other batches`,
    hint: `Look there for rows that came twice; with mode: upsert it tells them apart by their key.`,
  }
}

// ---------------------------------------------------------------- batches

async function sendBatches(
  publishing: UnderLease,
  { production, base, isAnother }: SendRequest,
  difference: Difference,
): Promise<Acknowledged> {
  const { folder, workspace, attempt, destination, target } = publishing
  const plan: PublishPlan = {
    ...{ runId: attempt.runId, asset: attempt.to.asset, target: attempt.to.target },
    ...{ place: attempt.record.place, base, fields: production.fields },
    route: routeOf(target, destination.place, production.fields),
    at: attempt.startedAt.toISOString(),
    repeats: difference.repeats,
    isText: destination.textOf !== undefined,
    isBare: difference.isBare,
    personal: [...production.door.personal],
  }
  writePlan(folder, plan, workspace.world.pid)
  const journal = await openPublishJournal(folder, difference.repeats)
  takeAway([production.rowsPath, production.knownPath])
  const { personal } = production.door
  try {
    const sending = sendingOf(publishing, { journal, plan, personal, all: difference.toSend })
    await sendRows(sending)
    return await keep(publishing, { plan, journal, difference, isAnother }, undefined)
  } catch (error) {
    await keepOfFailed(publishing, { plan, journal, difference, isAnother }, error)
    throw error
  } finally {
    await journal.close()
  }
}

/** The rows are in the spool by now, which a kill ends, too. */
function takeAway(paths: readonly (string | undefined)[]): void {
  for (const path of paths) {
    try {
      if (path !== undefined) rmSync(path, { force: true })
    } catch {
      // Windows keeps a file that is open: it goes with its folder.
    }
  }
}

interface Sent {
  readonly plan: PublishPlan
  readonly journal: PublishJournal
  readonly difference: Difference
  readonly isAnother: boolean
}

/** Keeps what was acknowledged, and how the attempt ended. */
async function keep(
  publishing: Publishing,
  { plan, journal, difference, isAnother }: Sent,
  failure: { readonly error: unknown } | undefined,
): Promise<Acknowledged> {
  const { workspace, attempt, request } = publishing
  const at = workspace.world.now().toISOString()
  const isRepeat = request.isFull || !difference.isFirst
  const acknowledged = await readAcknowledged(journal, plan, at, isRepeat)
  const { unchanged, invalid } = difference.counts
  const counts = { ...acknowledged.counts, unchanged, invalid }
  const end =
    failure === undefined ? attempt.end('published', counts) : attempt.end('Failed', counts, failure.error)
  const untaken = difference.invalid.map(row => rejectOf(plan, { ...row, operation: 'insert' }, at))
  const others = [
    // What was acknowledged at another place, or by another table, does not count here.
    ...(isAnother || (difference.isFirst && !request.isFull) ? forgetAllPublished(attempt.to) : []),
    ...replacePublishRejects(attempt.to, [...untaken, ...acknowledged.rejects]),
    ...end,
  ]
  return keepIn(publishing, acknowledged, others)
}

async function keepIn(
  { workspace, attempt: { to, runId } }: Publishing,
  acknowledged: Acknowledged,
  others: readonly StateChange[],
): Promise<Acknowledged> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('write')
  await closing(session, () => commitAcknowledged(session, { to, runId, acknowledged, others }))
  return acknowledged
}

/** What is in doubt stays for the next publish. */
async function keepOfFailed(publishing: Publishing, sent: Sent, error: unknown): Promise<void> {
  const { folder, workspace } = publishing
  const { journal, plan } = sent
  try {
    const state = journal.state()
    await keep(publishing, sent, { error })
    if (state.inDoubt.size > 0) await noteDoubts(folder, plan, state, workspace.world.pid)
    forgetJournal(folder)
  } catch {
    // The journal has it: the next publish brings it into the state.
  }
}

// ---------------------------------------------------------------- the whole

/** An unchanged file that is there is not written again. */
async function replaceAll(
  publishing: UnderLease,
  { fields, rowsPath }: Production,
  difference: Difference,
  { local, creates }: { readonly local: LocalReader; readonly creates: boolean },
): Promise<Acknowledged> {
  const { folder, attempt, destination } = publishing
  if (difference.toSend > 0 || creates) {
    const list = fields.map(({ name, inFile }) => `${quoteName(inFile)} AS ${quoteName(name)}`)
    const rows = `(SELECT ${list.join(', ')} FROM read_parquet(${quoteLiteral(rowsPath)}))`
    const run = async (sql: (rows: string) => string) => {
      await local.rows(sql(rows))
    }
    await publishing.assertHeld()
    await destination.replace?.({ fields, run })
  }
  const path = join(folder, 'acknowledged.parquet')
  const all = "SELECT key_hash, row_hash, '{}' AS row_key, CAST(NULL AS VARCHAR) AS remote_id FROM svc_now"
  await local.rows(`COPY (${all}) TO ${quoteLiteral(path)} (FORMAT parquet)`)
  const { inserts, updates, deletes, unchanged } = difference.counts
  const counts = { inserts, updates, deletes, refused: 0 }
  const acknowledged = {
    counts,
    rejects: [],
    forgotten: undefined,
    rows: `SELECT * FROM read_parquet(${quoteLiteral(path)})`,
  }
  const others = [
    ...forgetAllPublished(attempt.to),
    ...replacePublishRejects(attempt.to, []),
    ...attempt.end('published', { ...counts, unchanged, invalid: 0 }),
  ]
  return keepIn(publishing, acknowledged, others)
}

// ---------------------------------------------------------------- the report

function reportOf(
  publishing: Publishing,
  { production, left }: SendRequest,
  difference: Difference,
  { counts, rejects }: Acknowledged,
): PublishReport {
  const { unchanged, invalid } = difference.counts
  const untaken = [
    ...difference.invalid.map(row => ({ ...row, operation: 'insert' as const })),
    ...rejects.map(({ operation, row_key, reason, raw }) => ({ operation, key: row_key, reason, raw })),
  ]
  return {
    ...emptyReport(publishing, production, { ...counts, unchanged, invalid }),
    status: 'published',
    planned: { ...difference.counts, refused: 0 },
    known: difference.known,
    masked: [...production.door.personal],
    warnings: publishing.attempt.warnings,
    rejects: shownRejects(untaken, publishing, production),
    resumed: resumedFrom(left),
  }
}

export function resumedFrom(left: Doubts | undefined): PublishReport['resumed'] {
  return left && { runId: left.runId, acknowledged: left.acknowledged, inDoubt: left.inDoubt }
}

export function emptyReport(
  publishing: Publishing,
  { build, fields }: Production,
  done: PublishCounts,
): PublishReport {
  const { workspace, attempt, target, destination } = publishing
  const isMark = (name: string) => target.onDelete === 'mark' && name === target.mark
  return {
    runId: attempt.runId,
    environment: workspace.environment.name,
    asset: attempt.to.asset,
    builtBy: build.run_id,
    fields: fields.map(({ name, column }) => ({ name, column: isMark(name) ? undefined : column })),
    target: target.name,
    type: target.type,
    place: destination.shown,
    mode: target.mode,
    status: 'planned',
    planned: noCounts,
    done,
    known: 0,
    creates: false,
    samples: [],
    rejects: [],
    masked: [],
    warnings: [],
    resumed: undefined,
    seconds: attempt.seconds,
  }
}
