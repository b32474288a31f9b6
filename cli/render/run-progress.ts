/** Shows the events of a run while it works, with one of three renderers. */
import type { RunEvent } from '@svc/server/contract'
import { isDebugEvent } from '../engine/run/debug-events.ts'
import { debugLines } from './debug-lines.ts'
import { countOf } from './numbers.ts'
import type { Channel } from './output.ts'
import { finishedLines, noteLines, step } from './run-lines.ts'

export interface RunProgress {
  emit(event: RunEvent): void
  /** Ends all drawing. Idempotent. */
  close(): void
}

/**
 * Renders for output that is not a terminal (CI, a file): one line at start and end of each step, without
 * redrawing or colours.
 */
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
      if (event.type === 'asset-reused' && event.made_by === undefined) reused++
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
  /** Whether statements, requests and decisions are included. */
  readonly debug: boolean
}

/** Renders `--log-format json`: each event as one line of JSON, with the keys of the other JSON outputs. */
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

/** Where the events go to a file, the log of a job would be empty of the reason for which it fails. */
export function failuresOnly(channel: Channel): RunProgress['emit'] {
  return event => {
    const isFailure =
      event.type === 'asset-failed' || (event.type === 'test-finished' && event.result.status === 'fail')
    if (isFailure) channel.lines(finishedLines(event, channel.style) ?? [])
  }
}

/** Adds time and run id (null before there is one) to an event, as it is printed. */
export function eventStamp(now: () => Date): (event: RunEvent) => { readonly at: string } & RunEvent {
  let runId: string | null = null
  return event => {
    if (event.type === 'run-started' || event.type === 'run-finished') runId = event.run_id
    return { at: now().toISOString(), run_id: runId, ...event }
  }
}
