/**
 * The runs that a dashboard started: one at a time, each a child process of the same `svc`. Their lines are
 * kept, so that a page which lost its connection can continue. An id starts only one run, however often it is
 * sent. The dashboard itself never opens a warehouse.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { RunFacts, StreamFact } from '@svc/server/contract'
import { createKeptEvents, type KeptEvent } from './kept-events.ts'
import { createEventReader, type RunEnd } from './run-events.ts'

export interface RunOrder {
  /**
   * The arguments of `svc`: `['run', '+orders']`. They contain only known names and are never passed to a
   * shell.
   */
  readonly words: readonly string[]
  readonly kind: 'run' | 'rollback'
  readonly selector: string | null
}

export interface RunHandle {
  readonly facts: RunFacts
  /**
   * Calls the listener with stored events from that sequence on, then with new ones. Returns a function that
   * stops it.
   */
  follow(from: number, listener: (event: KeptEvent) => void): () => void
  /** The sequence number of the next event. */
  readonly next: number
}

export type Started =
  | { readonly kind: 'started' | 'known'; readonly run: RunHandle }
  /** Another run is in progress. */
  | { readonly kind: 'busy'; readonly other: RunFacts }
  /** The id was used before, and its events are no longer stored. */
  | { readonly kind: 'gone' }

export interface Runs {
  start(id: string, order: RunOrder): Started
  find(id: string): RunHandle | undefined
  /** Finds a run that ended before this dashboard began, by its log. */
  open?(id: string): Promise<RunHandle | undefined>
  /** The run in progress, otherwise the last one. */
  readonly latest: RunFacts | undefined
  /** Calls the listener when a run has started. Returns a function that stops it. */
  onStart(listener: (run: RunFacts) => void): () => void
  /** Asks the process to stop, as Ctrl-C does. Returns false if it is not running. */
  cancel(id: string): boolean
  /** Cancels the run in progress and waits for its end. */
  close(): Promise<void>
}

export interface RunsOptions {
  /** The program and its first arguments, which come before those of an order. */
  readonly command: readonly [string, ...string[]]
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly limits?: { readonly events?: number; readonly runs?: number }
}

const mostRuns = 5

export function createRuns(options: RunsOptions): Runs {
  const runs = new Map<string, LiveRun>()
  const seen = new Set<string>()
  const listeners = new Set<(run: RunFacts) => void>()
  let latest: LiveRun | undefined
  let isClosing = false

  function forgetOld(): void {
    const most = options.limits?.runs ?? mostRuns
    for (const [id, run] of runs) if (runs.size > most && !run.facts.running) runs.delete(id)
  }

  return {
    find: id => runs.get(id),
    get latest() {
      return latest?.facts
    },
    start(id, order) {
      const known = runs.get(id)
      if (known !== undefined) return { kind: 'known', run: known }
      // A page may still send requests while the last run is being awaited.
      if (seen.has(id) || isClosing) return { kind: 'gone' }
      if (latest?.facts.running === true) return { kind: 'busy', other: latest.facts }
      latest = startRun(id, order, options)
      runs.set(id, latest)
      seen.add(id)
      forgetOld()
      for (const listener of listeners) listener(latest.facts)
      return { kind: 'started', run: latest }
    },
    onStart(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cancel(id) {
      const run = runs.get(id)
      if (run?.facts.running !== true) return false
      run.cancel()
      return true
    },
    async close() {
      isClosing = true
      if (latest?.facts.running === true) latest.cancel()
      await latest?.ended
    },
  }
}

interface LiveRun extends RunHandle {
  cancel(): void
  readonly ended: Promise<void>
}

function startRun(id: string, order: RunOrder, options: RunsOptions): LiveRun {
  const { now } = options
  const startedAt = now()
  const events = createKeptEvents(options.limits?.events)
  let running = true
  let cancelled = false

  const child = spawnRun(order, options)
  const ended = readRun(child, events.tell).then(process => {
    running = false
    const seconds = (now().getTime() - startedAt.getTime()) / 1000
    const how = process.ended ?? { ...endOfProcess(process, cancelled), warned: 0, seconds }
    events.tell({ type: 'end', ...how, exit_code: process.exitCode })
    events.end()
  })
  const { kind, selector } = order
  return {
    ended,
    get facts() {
      const started_at = startedAt.toISOString()
      const pid = child.pid ?? null
      return { run: id, kind, selector, started_at, running, origin: 'dashboard', pid } as const
    },
    get next() {
      return events.next
    },
    follow: events.follow,
    cancel() {
      cancelled = true
      child.kill('SIGINT')
    },
  }
}

/** Returns how a run ended that did not say it itself: it was refused, or killed. */
function endOfProcess(
  { exitCode, signal, reason }: ProcessEnd,
  cancelled: boolean,
): Pick<RunEnd, 'status' | 'verdict' | 'reason'> {
  if (exitCode === 0) return { status: 'deployed', verdict: 'Deployed', reason: null }
  if (cancelled) return { status: 'cancelled', verdict: 'Stopped', reason }
  if (signal === null) return { status: 'Failed', verdict: 'Failed', reason }
  return { status: 'killed', verdict: 'Killed', reason: `the process was ended by ${signal}` }
}

function spawnRun({ words }: RunOrder, { command, root, env }: RunsOptions): ChildProcess {
  const [program, ...first] = command
  return spawn(program, [...first, ...words, '--log-format', 'json'], {
    cwd: root,
    // For the history of runs.
    env: { SVC_TRIGGER: 'dashboard', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // The child gets its own process group, so that Ctrl-C in the terminal reaches only the dashboard, which
    // forwards it once: a second signal would kill the run.
    detached: process.platform !== 'win32',
  })
}

interface ProcessEnd {
  /** Null if a signal ended the process. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** The first failure that it reported. */
  readonly reason: string | null
  /** As the run said it. */
  readonly ended: RunEnd | undefined
}

/** Reads the output to its end; the exit code is 70 if the process could not be started. */
async function readRun(child: ChildProcess, tell: (fact: StreamFact) => void): Promise<ProcessEnd> {
  const reader = createEventReader(tell)
  const { stdout, stderr } = child
  if (stdout !== null) createInterface({ input: stdout }).on('line', reader.read)
  if (stderr !== null) createInterface({ input: stderr }).on('line', reader.say)
  return new Promise(resolve => {
    const end = (exitCode: number | null, signal: NodeJS.Signals | null) => {
      reader.end()
      resolve({ exitCode, signal, reason: reader.failure, ended: reader.ended })
    }
    child.once('error', error => {
      reader.say(`svc cannot be started: ${error.message}`)
      end(70, null)
    })
    // Ctrl-C before the program has begun ends it by the signal itself.
    child.once('close', (code, signal) => (signal === 'SIGINT' ? end(130, null) : end(code, signal)))
  })
}
