/** Progress of a run on a terminal: finished lines stay, the lines of what is running are redrawn in place. */
import type { RunEvent } from '@svc/server/contract'
import { countOf, formatCount, formatSeconds } from './numbers.ts'
import type { Channel } from './output.ts'
import { createPendingAssets } from './pending-assets.ts'
import { finishedLines, progressDetails, step } from './run-lines.ts'
import type { RunProgress } from './run-progress.ts'
import type { Style } from './style.ts'
import { truncate } from './width.ts'

export interface TerminalOptions {
  readonly channel: Channel
  /** Milliseconds; only differences count. */
  readonly nowMs: () => number
  /** Calls `draw` again and again until the returned function is called. */
  readonly every: (ms: number, draw: () => void) => () => void
}

interface Running {
  readonly name: string
  readonly what: string
  readonly sinceMs: number
  /** Rows so far; empty where they are not known. */
  amount: string
  details: readonly string[]
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const frameMs = 80
const mostRunningLines = 8
const mostWaitingLines = 3
/** Named in one line; the others are counted. */
const mostParents = 2

export function terminalProgress(options: TerminalOptions): RunProgress {
  const { channel, nowMs } = options
  const running = new Map<string, Running>()
  const pending = createPendingAssets()
  const waiting: string[] = []
  let reused = 0
  let drawn = 0
  let closed = false

  let hidden = false

  const stop = options.every(frameMs, draw)

  function draw(): void {
    if (closed) return
    const lines = runningLines()
    if (waiting.length === 0 && lines.length === 0 && drawn === 0) return
    const text =
      eraseText(drawn) +
      waiting
        .splice(0)
        .map(line => `${line}\n`)
        .join('') +
      lines.map(line => `${line}\n`).join('')
    drawn = lines.length
    hideCursor()
    channel.raw(text)
  }

  /** Not before there is something to draw: until then an interrupt ends the process as it is. */
  function hideCursor(): void {
    if (!hidden) channel.raw('\u001b[?25l')
    hidden = true
  }

  function runningLines(): string[] {
    const at = nowMs()
    const glyph = spinner[Math.floor(at / frameMs) % spinner.length] ?? ''
    const room = channel.columns() - 1
    const style = { ...channel.style, width: Math.min(channel.width(), room) }
    const all = [...running.values()]
    const limit = Math.max(1, Math.min(mostRunningLines, channel.rows() - 4))
    const lines = all.slice(0, limit).map(each => {
      const details = [each.amount, formatSeconds(Math.max(0, at - each.sinceMs) / 1000), ...each.details]
      // A line that the terminal breaks in two could not be erased.
      const line = truncate(step(glyph, each.name, each.what, details, style), room)
      return line.replace(glyph, style.cyan(glyph))
    })
    if (all.length > limit)
      lines.push(style.dim(truncate(`    and ${all.length - limit} more running`, room)))
    // Beside what runs: by itself nothing comes next.
    return lines.length === 0 ? [] : [...lines, ...waitingLines(Math.max(0, limit - all.length), room, style)]
  }

  function waitingLines(free: number, room: number, style: Style): string[] {
    const { waiting, more } = pending.next(Math.min(mostWaitingLines, free))
    const lines = waiting.map(({ asset, after }) =>
      step(' ', asset, `waiting for ${namesOf(after)}`, [], style),
    )
    if (more > 0 && free > waiting.length) lines.push(`    and ${formatCount(more)} more waiting`)
    return lines.map(line => style.dim(truncate(line, room)))
  }

  function begin(name: string, what: string): void {
    running.set(name, { name, what, sinceMs: nowMs(), amount: '', details: [] })
  }

  function note(event: RunEvent): void {
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
      case 'asset-reused':
        reused++
        return
      case 'fetch-finished':
      case 'build-finished':
      case 'asset-failed':
      case 'asset-skipped':
        running.delete(event.asset)
        return
      default:
        return
    }
  }

  function sayReused(): void {
    if (reused === 0) return
    waiting.push(step(channel.style.dim('='), countOf(reused, 'asset'), 'reused', [], channel.style))
    reused = 0
  }

  return {
    emit(event) {
      note(event)
      pending.note(event)
      if (event.type === 'tests-finished' || event.type === 'promoted' || event.type === 'run-finished')
        sayReused()
      waiting.push(...(finishedLines(event, channel.style) ?? []))
    },
    close() {
      if (closed) return
      running.clear()
      draw()
      closed = true
      stop()
      if (hidden) channel.raw('\u001b[?25h')
    },
  }
}

/** `flights`, `flights and airports`, `flights, airports and 3 more` */
function namesOf(names: readonly string[]): string {
  const more = names.length - mostParents
  if (more > 0) return `${names.slice(0, mostParents).join(', ')} and ${formatCount(more)} more`
  return names.join(' and ')
}

/** Moves up over the lines drawn last and clears from there to the end of the screen. */
function eraseText(lines: number): string {
  return lines === 0 ? '' : `\u001b[${lines}A\u001b[0J`
}
