/**
 * Shows the progress of a run on a terminal: finished lines stay, the lines of running steps are redrawn in
 * place.
 */
import { countOf, formatCount } from './numbers.ts'
import type { Channel } from './output.ts'
import { createPendingAssets, type PendingAssets } from './pending-assets.ts'
import { finishedLines, step } from './run-lines.ts'
import type { RunProgress } from './run-progress.ts'
import { createRunningAssets, frameMs, type RunningAssets } from './running-assets.ts'
import type { Style } from './style.ts'
import { truncate } from './width.ts'

export interface TerminalOptions {
  readonly channel: Channel
  /** Milliseconds; only differences matter. */
  readonly nowMs: () => number
  /** Calls `draw` repeatedly until the returned function is called. */
  readonly every: (ms: number, draw: () => void) => () => void
}

const mostRunningLines = 8
const mostWaitingLines = 3
/** The number of parents that are named; the others are counted. */
const mostParents = 2
const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'

export function terminalProgress({ channel, nowMs, every }: TerminalOptions): RunProgress {
  const running = createRunningAssets(nowMs)
  const pending = createPendingAssets()
  const waiting: string[] = []
  let reused = 0
  let drawn = 0
  let closed = false
  let hidden = false
  const stop = every(frameMs, draw)

  function draw(): void {
    if (closed) return
    const lines = liveLines(channel, running, pending)
    if (waiting.length === 0 && lines.length === 0 && drawn === 0) return
    const text = [...waiting.splice(0), ...lines].map(line => `${line}\n`).join('')
    // The cursor is hidden only when there is something to draw: until then an interrupt simply ends the
    // process.
    if (!hidden) channel.raw(hideCursor)
    hidden = true
    channel.raw(eraseText(drawn) + text)
    drawn = lines.length
  }

  function sayReused(): void {
    if (reused === 0) return
    waiting.push(step(channel.style.dim('='), countOf(reused, 'asset'), 'reused', [], channel.style))
    reused = 0
  }

  return {
    emit(event) {
      running.note(event)
      pending.note(event)
      if (event.type === 'asset-reused' && event.made_by === undefined) reused++
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
      if (hidden) channel.raw(showCursor)
    },
  }
}

/** Returns the lines that are redrawn: running assets, and below them waiting ones. */
function liveLines(channel: Channel, running: RunningAssets, pending: PendingAssets): string[] {
  const room = channel.columns() - 1
  const style = { ...channel.style, width: Math.min(channel.width(), room) }
  const limit = Math.max(1, Math.min(mostRunningLines, channel.rows() - 4))
  const lines = running.lines(limit, room, style)
  // Waiting assets are shown only below running ones.
  if (lines.length === 0) return []
  return [...lines, ...waitingLines(pending, Math.max(0, limit - running.count()), room, style)]
}

function waitingLines(pending: PendingAssets, free: number, room: number, style: Style): string[] {
  const { waiting, more } = pending.next(Math.min(mostWaitingLines, free))
  const lines = waiting.map(({ asset, after }) =>
    step(' ', asset, `waiting for ${namesOf(after)}`, [], style),
  )
  if (more > 0 && free > waiting.length) lines.push(`    and ${formatCount(more)} more waiting`)
  return lines.map(line => style.dim(truncate(line, room)))
}

/** `flights`, `flights and airports`, `flights, airports and 3 more` */
function namesOf(names: readonly string[]): string {
  const more = names.length - mostParents
  if (more > 0) return `${names.slice(0, mostParents).join(', ')} and ${formatCount(more)} more`
  return names.join(' and ')
}

/** Moves up over the lines that were drawn last, and clears to the end of the screen. */
function eraseText(lines: number): string {
  return lines === 0 ? '' : `\u001b[${lines}A\u001b[0J`
}
