/**
 * The runs that a dashboard started: one at a time, each a child process of the same `svc`, whose lines are kept so that
 * a page which lost its connection goes on where it was. An id starts a run once, whoever asks again. The dashboard
 * itself never opens a warehouse.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { RunFacts, StreamFact } from '@svc/server/contract'
import { createKeptEvents, type KeptEvent } from './kept-events.ts'
import { createEventReader } from './run-events.ts'

export interface RunOrder {
  /** What `svc` is given: `['run', '+orders']`. Made of known names only, never by a shell. */
  readonly words: readonly string[]
  readonly kind: 'run' | 'rollback'
  readonly selector: string | null
}

export interface RunHandle {
  readonly facts: RunFacts
  /** Events from that sequence on, as far as they are kept, then those to come. Returns how to stop. */
  follow(from: number, listener: (event: KeptEvent) => void): () => void
  /** The sequence after the last event. */
  readonly next: number
}

export type Started =
  | { readonly kind: 'started' | 'known'; readonly run: RunHandle }
  /** Another one runs. */
  | { readonly kind: 'busy'; readonly other: RunFacts }
  /** That id had its run, and its events are forgotten. */
  | { readonly kind: 'gone' }

export interface Runs {
  start(id: string, order: RunOrder): Started
  find(id: string): RunHandle | undefined
  /** The one that runs, else the last one. */
  readonly latest: RunFacts | undefined
  /** Calls when a run has begun. Returns how to stop. */
  onStart(listener: (run: RunFacts) => void): () => void
  /** Asks the process to stop in order, as Ctrl-C does. False: it does not run. */
  cancel(id: string): boolean
  /** Cancels what runs and waits for its end. */
  close(): Promise<void>
}

export interface RunsOptions {
  /** The program and its first words, before those of an order. */
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
      // A page may still ask while the last run is waited for.
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
  const ended = readRun(child, events.tell).then(exitCode => {
    running = false
    const status = exitCode === 0 ? 'deployed' : cancelled ? 'cancelled' : 'Failed'
    const seconds = (now().getTime() - startedAt.getTime()) / 1000
    events.tell({ type: 'end', status, exit_code: exitCode, seconds })
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

function spawnRun({ words }: RunOrder, { command, root, env }: RunsOptions): ChildProcess {
  const [program, ...first] = command
  return spawn(program, [...first, ...words, '--log-format', 'json'], {
    cwd: root,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // Ctrl-C in the terminal reaches the dashboard alone, which asks once: a second signal would end the run in disorder.
    detached: process.platform !== 'win32',
  })
}

/** Reads to the end; gives the exit code, 70 where there was no process. */
async function readRun(child: ChildProcess, tell: (fact: StreamFact) => void): Promise<number> {
  const reader = createEventReader(tell)
  const { stdout, stderr } = child
  if (stdout !== null) createInterface({ input: stdout }).on('line', reader.read)
  if (stderr !== null) createInterface({ input: stderr }).on('line', reader.say)
  return new Promise(resolve => {
    child.once('error', error => {
      reader.say(`svc cannot be started: ${error.message}`)
      resolve(70)
    })
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 70)))
  })
}
