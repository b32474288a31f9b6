/** How the events of a run are shown while it works; one of three renderers. */
import type { RunEvent } from '@svc/server/contract'
import { isDebugEvent } from '../engine/run/debug-events.ts'
import { debugLines } from './debug-lines.ts'
import { countOf } from './numbers.ts'
import type { Channel } from './output.ts'
import { finishedLines, noteLines, step } from './run-lines.ts'

export interface RunProgress {
  emit(event: RunEvent): void
  /** Ends every drawing. Idempotent. */
  close(): void
}

/** Not a terminal (CI, a file): one line at start and end of each, no redrawing, no colours. */
export function plainProgress(channel: Channel, options: { readonly debug: boolean }): RunProgress {
  const { style } = channel
  let reused = 0
  function sayReused(): void {
    if (reused > 0) channel.lines([step('=', countOf(reused, 'asset'), 'reused', [], style)])
    reused = 0
  }
  return {
    emit(event) {
      if (options.debug) channel.lines(debugLines(event, style))
      if (event.type === 'asset-reused') reused++
      if (event.type === 'fetch-started') channel.lines([step('·', event.asset, 'fetching', [], style)])
      if (event.type === 'build-started') channel.lines([step('·', event.asset, 'building', [], style)])
      if (event.type === 'fetch-progress' && event.note) {
        channel.lines(noteLines(event.asset, event.note, style))
      }
      if (event.type === 'tests-finished' || event.type === 'promoted' || event.type === 'run-finished')
        sayReused()
      channel.lines(finishedLines(event, style) ?? [])
    },
    close: sayReused,
  }
}

export interface JsonProgressOptions {
  readonly now: () => Date
  /** Statements, requests and decisions too. */
  readonly debug: boolean
}

/** `--log-format json`: each event as one line of JSON, keys as in the other JSON outputs. */
export function jsonProgress(channel: Channel, { now, debug }: JsonProgressOptions): RunProgress {
  const stamped = eventStamp(now)
  return {
    emit: event => {
      const line = stamped(event)
      if (debug || !isDebugEvent(event)) channel.raw(`${JSON.stringify(line)}\n`)
    },
    close: () => {},
  }
}

/** An event as it leaves the program: when it was said, by which run (null before there is one), and what. */
export function eventStamp(now: () => Date): (event: RunEvent) => { readonly at: string } & RunEvent {
  let runId: string | null = null
  return event => {
    if (event.type === 'run-started' || event.type === 'run-finished') runId = event.run_id
    return { at: now().toISOString(), run_id: runId, ...event }
  }
}
