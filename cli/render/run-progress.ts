/** How the events of a run are shown while it works; one of three renderers. */
import type { RunEvent } from '../engine/run/events.ts'
import { countOf } from './numbers.ts'
import type { Channel } from './output.ts'
import { finishedLines, step } from './run-lines.ts'

export interface RunProgress {
  emit(event: RunEvent): void
  /** Ends every drawing. Idempotent. */
  close(): void
}

/** Not a terminal (CI, a file): one line at start and end of each, no redrawing, no colours. */
export function plainProgress(channel: Channel): RunProgress {
  const { style } = channel
  let reused = 0
  function sayReused(): void {
    if (reused > 0) channel.lines([step('=', countOf(reused, 'asset'), 'reused', [], style)])
    reused = 0
  }
  return {
    emit(event) {
      if (event.type === 'asset-reused') reused++
      if (event.type === 'fetch-started') channel.lines([step('·', event.asset, 'fetching', [], style)])
      if (event.type === 'build-started') channel.lines([step('·', event.asset, 'building', [], style)])
      if (event.type === 'fetch-progress' && event.note !== undefined) {
        channel.lines([step('·', event.asset, 'fetching', [event.note], style)])
      }
      if (event.type === 'tests-finished' || event.type === 'promoted' || event.type === 'run-finished')
        sayReused()
      channel.lines(finishedLines(event, style) ?? [])
    },
    close: sayReused,
  }
}

/** `--log-format json`: each event as one line of JSON, keys as in the other JSON outputs. */
export function jsonProgress(channel: Channel): RunProgress {
  return {
    emit: event => channel.raw(`${JSON.stringify(eventJson(event))}\n`),
    close: () => {},
  }
}

/** An event with snake_case keys; rows of data keep theirs. */
export function eventJson(event: RunEvent): Readonly<Record<string, unknown>> {
  return snakeKeys(event)
}

function snakeKeys(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      isPlainObject(inner) ? snakeKeys(inner) : (inner ?? null),
    ]),
  )
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
