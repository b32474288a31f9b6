/**
 * Saves the progress of a fetch so that a later one can continue: writes checkpoints while pages arrive, and
 * opens the last checkpoint of an interrupted fetch.
 */
import { type Hint, type JsonShape, newShape, type PageLog } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { clearSpool } from '../progress-file.ts'
import { reopenSpool } from '../reopen-spool.ts'
import { type FetchContext, type IngestOf, keptInVain } from '../source.ts'
import type { ReopenedSpool, Spool } from '../spool.ts'
import type { Checkpoint, CheckpointFile, WalkState } from './checkpoint.ts'
import type { PageWarnings } from './paging/page-warnings.ts'
import type { PageReader } from './read-page.ts'
import type { Progress } from './rest-source.ts'

export interface ResumePoint {
  readonly checkpoint: Checkpoint
  readonly spool: ReopenedSpool
  /** The shape of the records that are stored. */
  readonly shape: JsonShape
  /** Set if the server refused the first request after resuming. */
  refused: boolean
}

/**
 * Returns the point from which the fetch can continue; undefined if there is none, and then empties the
 * folder. Notes what it found.
 */
export async function resumePoint(
  file: CheckpointFile,
  ingest: IngestOf<'rest_api'>,
  context: FetchContext,
): Promise<ResumePoint | undefined> {
  const { spoolFolder } = context
  const saved = file.read()
  if (saved.kind === 'progress') {
    const { checkpoint } = saved
    const shape = newShape()
    const spool = await reopenSpool(spoolFolder, checkpoint.spool, { shape, levels: ingest.nested.depth + 2 })
    if (spool !== undefined) {
      const { pages, walk, bytes } = checkpoint
      const note = walk.done ? { note: 'all pages are kept' } : {}
      context.onProgress({ rows: checkpoint.spool.records, bytes, pages, ...note })
      return { checkpoint, spool, shape, refused: false }
    }
    keptInVain(context, 'what an earlier fetch kept is damaged: starting over')
  }
  if (saved.kind === 'unusable') keptInVain(context, saved.note)
  await clearSpool(spoolFolder)
  return undefined
}

export function goingOn(pages: number): string {
  return `going on from page ${pages + 1}: ${keptPages(pages)}`
}

function keptPages(pages: number): string {
  return pages === 1 ? '1 page is kept' : `${pages} pages are kept`
}

export interface KeeperParts {
  readonly spool: Spool
  readonly reader: PageReader
  readonly pageLog: PageLog
  readonly progress: Progress
  readonly warnings: Pick<PageWarnings, 'save'>
  readonly from: Checkpoint | undefined
}

/** Syncing to disk takes at most a twentieth of the time, and happens at most four times a second. */
const shortestPauseMs = 250
const pauseFactor = 20

export function createKeeper(
  file: CheckpointFile,
  { spool, reader, pageLog, progress, warnings, from }: KeeperParts,
) {
  let last: WalkState | undefined = from?.walk
  let before = from?.turnsBefore ?? 0
  let recordsThen = spool.records
  let pages = 0
  let nextMs = 0
  let isFinished = from?.walk.done === true

  function save(walk: WalkState): void {
    const startMs = performance.now()
    const { pages: allPages, bytes } = progress
    const { place } = reader
    const facts = { place, pages: allPages, bytes, pageLog: pageLog.save(), turnsBefore: before }
    const warned = warnings.save()
    file.save({ walk, spool: spool.save(), ...facts, warnings: warned })
    const endMs = performance.now()
    nextMs = endMs + Math.max(shortestPauseMs, (endMs - startMs) * pauseFactor)
  }

  return {
    /** @param turnsBefore how many turns are done */
    page(state: WalkState, turnsBefore = 0): void {
      pages++
      last = state
      before = turnsBefore
      recordsThen = spool.records
      if (performance.now() >= nextMs) save(state)
    },
    /** Call this when all pages have been fetched. */
    finish(): void {
      if (last !== undefined && !isFinished) save({ ...last, done: true })
      isFinished = true
    },
    /**
     * Call this after a failure: saves the progress if it was outside the project. Returns the same error, with
     * a hint about what is kept.
     */
    give(error: unknown): unknown {
      if (isFinished || last === undefined) return error
      if (error instanceof SvcError && !isOutage(error)) return error
      // If the fetch was interrupted inside a page, the spool holds a part of that page; the previous
      // checkpoint is then the valid one.
      if (pages > 0 && spool.records === recordsThen) save(last)
      return hintOfKept(error, progress.pages)
    },
    /** The number of pages that this process fetched. */
    get pages(): number {
      return pages
    },
  }
}

/** Returns an error of a web service with a hint about the pages that are kept, and any other error as it is. */
export function hintOfKept(error: unknown, pages: number): unknown {
  return isOutage(error) ? withHint(error, pages) : error
}

function isOutage(error: unknown): error is SvcError {
  return error instanceof SvcError && (error.code === 'http-status' || error.code === 'http-failed')
}

function withHint(error: SvcError, pages: number): SvcError {
  const { message, givenHint } = error
  const hint: Hint = svc => {
    const kept = `${keptPages(pages)}: ${svc('run')} goes on from page ${pages + 1} if the source is as it was.`
    if (givenHint === undefined) return kept
    return `${typeof givenHint === 'string' ? givenHint : givenHint(svc)} ${kept}`
  }
  return error.retold(message, { hint, cause: error })
}
