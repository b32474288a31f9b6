/**
 * Runs that were started elsewhere in this project: in a terminal, an editor or a scheduler. Each is followed
 * through its log (`.svc/logs/<run>.ndjson`) from its first event on; runs of this dashboard, which write
 * logs too, are left out.
 */

import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { open } from 'node:fs/promises'
import type { EventOf, RunFacts } from '@svc/server/contract'
import { listLogs, logPath, logsFolder, signsOfLife } from '../engine/log/log-files.ts'
import { isGone, killedWords, summarizeLog } from '../engine/log/log-summary.ts'
import { isDebugEvent } from '../engine/run/debug-events.ts'
import { createKeptEvents } from './kept-events.ts'
import { createEventReader, type EventReader, endOf, eventOf, type RunEnd } from './run-events.ts'
import type { RunHandle } from './runs.ts'

export interface FollowedRunsOptions {
  readonly root: string
  readonly environment: string
  /** Returns whether a process is a run of this dashboard. */
  readonly isOwn: (pid: number) => boolean
}

/** A killed process writes no final event, so its process is polled. */
const lookMs = 500
const mostRuns = 5

export function followRuns(options: FollowedRunsOptions) {
  const logs = new Map<string, FollowedLog>()
  const listeners = new Set<(run: RunFacts) => void>()
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined

  const known = () => [...logs.values()].filter(log => log.facts !== undefined)

  function tellStart(facts: RunFacts): void {
    for (const listener of listeners) listener(facts)
  }

  function take(id: string, isOld: boolean): void {
    if (!logs.has(id)) {
      logs.set(id, followLog({ ...options, id, isOld, tellStart }))
      const ended = known().filter(({ facts }) => facts?.running === false)
      for (const { id: old } of ended.slice(0, Math.max(0, logs.size - mostRuns))) logs.delete(old)
    }
    void logs.get(id)?.read()
  }

  function begin(): void {
    if (watcher !== undefined) return
    const folder = logsFolder(options.root)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const running = listLogs(options.root)
      .slice(0, mostRuns)
      .filter(log => summarizeLog(options.root, log).status === 'running')
    watcher = watch(folder, (_event, name) => {
      const id = /^([0-9a-z]+)\.ndjson$/.exec(name ?? '')?.[1]
      if (id !== undefined) take(id, false)
    })
    // The folder was removed; known runs are kept.
    watcher.on('error', () => {})
    for (const { runId } of running) take(runId, true)
    timer = setInterval(() => {
      for (const log of logs.values()) if (!log.ended) void log.read()
    }, lookMs).unref()
  }

  return {
    find: (id: string) => {
      const log = logs.get(id)
      return log?.facts === undefined ? undefined : handleOf(log, log.facts)
    },
    /** Reads the log of a run that ended before anybody watched. */
    async open(id: string) {
      if (!isLogName(id)) return undefined
      const log = followLog({ ...options, id, isOld: false, isOwn: () => false, tellStart: () => {} })
      await log.read()
      return log.facts === undefined ? undefined : handleOf(log, log.facts)
    },
    /** The run that started last. */
    get latest() {
      return known().at(-1)?.facts
    },
    /**
     * Calls the listener when a run has started. Watching begins with the first call. Returns a function that
     * stops it.
     */
    onStart(listener: (run: RunFacts) => void) {
      begin()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      watcher?.close()
      clearInterval(timer)
      listeners.clear()
    },
  }
}

type FollowedLog = ReturnType<typeof followLog>

/** An id of ours is a name without a path. */
function isLogName(id: string): boolean {
  return /^[0-9a-z]+$/.test(id)
}

function handleOf({ events }: FollowedLog, facts: RunFacts): RunHandle {
  return { facts, follow: events.follow, next: events.next }
}

interface FollowOptions extends FollowedRunsOptions {
  readonly id: string
  /** Whether the log existed before this dashboard watched; if its process is gone, the run died long ago. */
  readonly isOld: boolean
  readonly tellStart: (facts: RunFacts) => void
}

/**
 * Returns undefined if the run belongs to another environment or to this process, or died before anybody
 * watched.
 */
function factsOf(
  event: EventOf<'run-started'>,
  { id, isOld, environment, isOwn }: FollowOptions,
): RunFacts | undefined {
  const { kind, selector, at: started_at, pid = null } = event
  if (event.environment !== environment || (pid !== null && isOwn(pid))) return undefined
  if (isOld && (pid === null || isGone(writerOf(event)))) return undefined
  return { run: id, kind, selector, started_at, running: true, origin: 'elsewhere', pid }
}

function writerOf({ pid, host, process_start: processStart }: EventOf<'run-started'>) {
  return { pid, host, processStart }
}

/** A process that wrote no end was alive until its files were touched last. */
function deathOf(startedAt: string | undefined, signs: readonly number[]): RunEnd {
  const seconds = (Math.max(...signs) - Date.parse(startedAt ?? '')) / 1000
  const isKnown = Number.isFinite(seconds)
  return {
    status: 'killed',
    verdict: 'Killed',
    warned: 0,
    seconds: isKnown ? Math.max(0, seconds) : null,
    reason: killedWords,
  }
}

function followLog(options: FollowOptions) {
  const { id, root } = options
  const events = createKeptEvents()
  const tail = tailOf(logPath(root, id))
  const reader: EventReader = createEventReader(events.tell)
  let facts: RunFacts | undefined
  let writer: ReturnType<typeof writerOf> | undefined
  let ended = false
  let reading: Promise<void> | undefined

  function begin(event: EventOf<'run-started'>): void {
    writer = writerOf(event)
    facts = factsOf(event, options)
    if (facts === undefined) ended = true
    else options.tellStart(facts)
  }

  function end(how: RunEnd): void {
    if (facts !== undefined) facts = { ...facts, running: false }
    ended = true
    const isWell = how.status === 'deployed' && how.verdict !== 'Deployed in part'
    events.tell({ type: 'end', ...how, exit_code: isWell ? 0 : null })
    events.end()
  }

  function take(text: string): void {
    const event = eventOf(text)
    // Statements and requests are skipped; some come before the run's first event.
    if (ended || event === undefined || isDebugEvent(event)) return
    if (event.type === 'run-started') begin(event)
    if (ended) return
    reader.take(event)
    if (event.type === 'run-finished') end(endOf(event))
  }

  async function readOn(): Promise<void> {
    // This is checked before the last lines are read, so that a process which died after writing them is seen
    // as complete.
    const hasDied = facts !== undefined && writer !== undefined && isGone(writer)
    const lines = await tail()
    // Old logs are deleted.
    if (lines === undefined) ended = true
    for (const text of lines ?? []) take(text)
    if (!ended && hasDied) end(deathOf(facts?.started_at, signsOfLife(root, id)))
  }

  return {
    id,
    events,
    /** Undefined if its first event is missing so far, or the run is not shown here. */
    get facts() {
      return facts
    },
    get ended() {
      return ended
    },
    async read() {
      if (ended) return
      // Reads one after another, because two readers of one file would read lines twice.
      reading = (reading ?? Promise.resolve()).then(readOn, readOn)
      await reading
    },
  }
}

const pieceBytes = 1024 * 1024

/**
 * Returns a function that returns the complete lines since its last call; undefined if the file does not
 * exist.
 */
function tailOf(path: string): () => Promise<readonly string[] | undefined> {
  let offset = 0
  let rest = Buffer.alloc(0)
  return async () => {
    const file = await open(path, 'r').catch(() => undefined)
    if (file === undefined) return undefined
    try {
      const lines: string[] = []
      for (;;) {
        const piece = Buffer.alloc(pieceBytes)
        const { bytesRead } = await file.read(piece, 0, pieceBytes, offset)
        if (bytesRead === 0) return lines
        offset += bytesRead
        const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)])
        const end = bytes.lastIndexOf(10)
        rest = bytes.subarray(end + 1)
        if (end > 0) lines.push(...bytes.toString('utf8', 0, end).split('\n'))
      }
    } finally {
      await file.close()
    }
  }
}
