/**
 * Fetches the sources of a run into spools, several concurrently, with the warehouse closed. A failed source
 * removes its asset and everything downstream from the run; the others continue. Loads nothing.
 */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriftChange } from '@svc/server/contract'
import {
  type Asset,
  limitedIngest,
  type Project,
  type RawTable,
  type SourceShapes,
} from '@svc/server/language'
import type { FileMemory } from '../ingest/file-memory.ts'
import type { LoadBase } from '../ingest/incremental/base.ts'
import type { AnswerMemory, KnownAnswers } from '../ingest/rest/answer-memory.ts'
import { createHostPaces, type HostPaces, usualPause } from '../ingest/rest/host-pace.ts'
import type { FetchedSource, LiveAnswers, ParentRows, RejectCounts, UseWarehouse } from '../ingest/source.ts'
import { sourceFor } from '../ingest/source-for.ts'
import type { FetchStep } from '../plan/step.ts'
import { mayBePersonal } from '../quality/personal-columns.ts'
import type { BuildRecord } from '../state/state.ts'
import type { World } from '../workspace/workspace.ts'
import { assetFailure } from './asset-failure.ts'
import type { EmitEvent } from './events.ts'
import { failAsset, type RunProgress } from './run-progress.ts'
import { executeSteps } from './schedule.ts'

export interface FetchWork {
  readonly project: Project
  readonly root: string
  readonly world: World
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  readonly steps: readonly FetchStep[]
  /** The number of sources that are fetched concurrently. */
  readonly threads: number
  readonly previous: SourceShapes
  /**
   * Returns the shape of the last load as the lock file or the warehouse knows it; everything else is new to
   * a contract.
   */
  readonly known: (asset: string) => readonly RawTable[] | undefined
  /** Returns the tables of an asset in this environment; undefined if there are none. */
  readonly loaded: (asset: string) => readonly RawTable[] | undefined
  /** Returns the columns that the load behind production was made without, though earlier ones had them. */
  readonly dropped: (asset: string) => readonly RawTable[]
  /** Returns the number of records of the load that is live; undefined if nothing is. */
  readonly lastRows: (asset: string) => number | undefined
  /** Returns the load that an incremental one continues. */
  readonly base: (asset: string) => LoadBase | undefined
  /** Returns the rows that a source is asked for. */
  readonly parents: (asset: string) => ParentRows | undefined
  /** Opens the warehouse for sources that are in it. */
  readonly warehouse?: UseWarehouse | undefined
  /** A folder of this environment alone, which the caller cleans up. */
  readonly spoolFolder: string
  readonly memory: FileMemory
  readonly answers: AnswerMemory
  /** Returns the live load of the source as it is defined now; undefined where it is to be made anew. */
  readonly liveLoad: (asset: string) => BuildRecord | undefined
  /** Returns whether the source delivered the same content as at the last load. */
  readonly isKnown: (asset: string, loadId: string) => boolean
  readonly signal: AbortSignal
  readonly emit: EmitEvent
}

/** Returns the fetched sources by asset; failures are in `progress`. Rejects when interrupted. */
export async function fetchSources(
  work: FetchWork,
  progress: RunProgress,
): Promise<Map<string, FetchedSource>> {
  const fetched = new Map<string, FetchedSource>()
  const hosts = createHostPaces(usualPause)
  await executeSteps(work.steps, {
    threads: work.threads,
    async execute(step, queue) {
      work.signal.throwIfAborted()
      const asset = work.project.byName.get(step.asset)
      const source = asset === undefined ? undefined : await fetchOne(asset, { ...work, hosts }, progress)
      if (source === undefined) return
      fetched.set(step.asset, source)
      queue.done(step)
    },
  })
  return fetched
}

interface OneFetch extends FetchWork {
  readonly hosts: HostPaces
}

async function fetchOne(
  asset: Asset,
  work: OneFetch,
  progress: RunProgress,
): Promise<FetchedSource | undefined> {
  const { name } = asset
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  work.emit({ type: 'fetch-started', asset: name })
  let betweenPages: readonly DriftChange[] = []
  const onPageDrift = (changes: readonly DriftChange[]) => {
    betweenPages = changes
  }
  const sayPageDrift = () => {
    if (betweenPages.length > 0)
      work.emit({ type: 'source-drift', asset: name, between: 'pages', changes: betweenPages })
  }
  try {
    const source = await fetchInto(asset, work, progress, onPageDrift)
    const unchanged = work.isKnown(name, source.loadId)
    const { rows, bytes } = source
    const took = seconds()
    progress.fetchSeconds.set(name, took)
    work.emit({ type: 'fetch-finished', asset: name, rows, bytes, seconds: took, unchanged })
    if (!unchanged && source.drift.length > 0)
      work.emit({ type: 'source-drift', asset: name, between: 'loads', changes: source.drift })
    if (!unchanged) sayPageDrift()
    if (source.rejects !== undefined) noteRejects(name, source.rejects, false, work, progress)
    return source
  } catch (error) {
    if (work.signal.aborted) throw error
    sayPageDrift()
    failAsset(
      progress,
      work.project,
      work.names,
      assetFailure(asset, error, ['ingest'], undefined, mayBePersonal(work.project, asset)),
      seconds(),
      work.emit,
    )
    return undefined
  }
}

function noteRejects(
  asset: string,
  { rows, values, columns, tables }: RejectCounts,
  refused: boolean,
  work: FetchWork,
  progress: RunProgress,
): void {
  progress.rejects.set(asset, { rows, values, columns, tables, refused })
  work.emit({ type: 'records-rejected', asset, rows, values, columns, tables, refused })
}

async function fetchInto(
  asset: Asset,
  work: OneFetch,
  progress: RunProgress,
  onPageDrift: (changes: readonly DriftChange[]) => void,
): Promise<FetchedSource> {
  const spoolFolder = join(work.spoolFolder, asset.name)
  const reader = await sourceFor(limitedIngest(asset, work.project.settings))
  if (reader.resumes !== true) await rm(spoolFolder, { recursive: true, force: true })
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 })
  const remember = await work.memory.watch(asset, spoolFolder)
  let isWarned = false
  let answers: KnownAnswers | undefined
  const source = await reader.fetch({
    asset,
    engine: work.project.engine,
    root: work.root,
    spoolFolder,
    previous: work.previous.get(asset.name),
    known: work.known(asset.name),
    loaded: work.loaded(asset.name),
    dropped: () => work.dropped(asset.name),
    lastRows: work.lastRows(asset.name),
    base: work.base(asset.name),
    parents: work.parents(asset.name),
    onPageDrift,
    onRefused: refused => {
      progress.refused.set(asset.name, refused)
      noteRejects(asset.name, refused, true, work, progress)
    },
    live: liveAnswers(asset.name, work),
    onAnswers: found => {
      answers = found
    },
    hosts: work.hosts,
    ...(work.warehouse !== undefined && { warehouse: work.warehouse }),
    env: work.world.env,
    now: work.world.now,
    signal: work.signal,
    onProgress: progress => work.emit({ type: 'fetch-progress', asset: asset.name, ...progress }),
    onWarning: warning => {
      isWarned = true
      work.emit({ type: 'source-warned', asset: asset.name, ...warning })
    },
    onRequest: request => work.emit({ type: 'request', asset: asset.name, ...request }),
  })
  // A source with rejects or warnings is not remembered as unchanged: every run has to report them, and compare
  // the rejects with the current limit.
  if (source.rejects !== undefined || isWarned) return source
  await remember(source)
  work.answers.keep(asset.name, source.loadId, answers)
  return source
}

function liveAnswers(asset: string, { answers, liveLoad }: FetchWork): LiveAnswers | undefined {
  const load = liveLoad(asset)
  const known = load === undefined || load.load_id === null ? undefined : answers.recall(asset, load.load_id)
  return load === undefined || known === undefined ? undefined : { load, answers: known }
}
