/**
 * Keeps track of the assets that are being fetched or built, from a run's events, and renders their lines.
 */
import type { RunEvent } from '@svc/server/contract'
import { countOf, formatSeconds } from './numbers.ts'
import { progressDetails, step } from './run-lines.ts'
import type { Style } from './style.ts'
import { truncate } from './width.ts'

interface Running {
  readonly name: string
  readonly what: string
  readonly sinceMs: number
  /** The rows so far; empty if unknown. */
  amount: string
  details: readonly string[]
}

export type RunningAssets = ReturnType<typeof createRunningAssets>

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
export const frameMs = 80

/** `nowMs` returns milliseconds; only differences matter. */
export function createRunningAssets(nowMs: () => number) {
  const running = new Map<string, Running>()

  function begin(name: string, what: string): void {
    running.set(name, { name, what, sinceMs: nowMs(), amount: '', details: [] })
  }

  return {
    note(event: RunEvent): void {
      switch (event.type) {
        case 'fetch-started':
          begin(event.asset, 'fetching')
          return
        case 'build-started':
          begin(event.asset, 'building')
          return
        case 'fetch-progress': {
          const current = running.get(event.asset)
          if (current === undefined) return
          current.amount = countOf(event.rows, 'row')
          current.details = progressDetails(event)
          return
        }
        case 'fetch-finished':
        case 'build-finished':
        case 'asset-failed':
        case 'asset-skipped':
          running.delete(event.asset)
          return
        default:
          return
      }
    },
    clear: () => running.clear(),
    count: () => running.size,
    /**
     * Returns a line for each of the first `limit` assets, and one for the others; `room` is the width of a
     * line.
     */
    lines(limit: number, room: number, style: Style): string[] {
      const at = nowMs()
      const lines = [...running.values()].slice(0, limit).map(each => runningLine(each, at, room, style))
      const more = running.size - limit
      if (more > 0) lines.push(style.dim(truncate(`    and ${more} more running`, room)))
      return lines
    },
  }
}

function runningLine(
  { name, what, sinceMs, amount, details }: Running,
  at: number,
  room: number,
  style: Style,
) {
  const glyph = spinner[Math.floor(at / frameMs) % spinner.length] ?? ''
  const seconds = formatSeconds(Math.max(0, at - sinceMs) / 1000)
  // A line that the terminal wraps could not be erased.
  const line = truncate(step(glyph, name, what, [amount, seconds, ...details], style), room)
  return line.replace(glyph, style.cyan(glyph))
}
