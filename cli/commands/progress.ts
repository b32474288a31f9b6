/**
 * Chooses the renderer for the events of a run: a terminal that redraws, plain lines, or NDJSON on stdout.
 * Also writes its log.
 */
import { createRunLog } from '../engine/log/run-log.ts'
import type { EmitEvent } from '../engine/run/events.ts'
import { processStart } from '../engine/warehouse/lease/process-identity.ts'
import { debugLines } from '../render/debug-lines.ts'
import {
  eventStamp,
  failuresOnly,
  jsonProgress,
  plainProgress,
  type RunProgress,
} from '../render/run-progress.ts'
import { terminalProgress } from '../render/run-terminal.ts'
import { clip } from '../render/width.ts'
import type { CommandContext } from './command.ts'
import { sayWaiting } from './say-waiting.ts'

/** Rows for the state tables are megabytes of SQL, which nobody reads. */
const longestStatement = 20_000

export function progressOf(context: CommandContext): RunProgress {
  const { output, world } = context
  const debug = wantsDebug(context)
  if (tellsEvents(context)) {
    const events = jsonProgress(output.out, { now: world.now, debug })
    const tellFailure = failuresOnly(output.err)
    return {
      ...events,
      emit(event) {
        events.emit(event)
        tellFailure(event)
      },
    }
  }
  const inCi = (world.env['CI'] ?? '') !== ''
  // Redrawing would overwrite the statements.
  if (debug || !output.err.isTerminal || inCi || world.env['TERM'] === 'dumb')
    return plainProgress(output.err, { debug })
  return terminalProgress({
    channel: output.err,
    nowMs: () => world.now().getTime(),
    every: (ms, draw) => {
      const timer = setInterval(draw, ms)
      return () => clearInterval(timer)
    },
  })
}

/** With `--log-format json`, stdout contains only events; what failed is told on stderr too. */
export function tellsEvents({ options }: CommandContext): boolean {
  return options.has('log-format') && options.text('log-format') === 'json'
}

function wantsDebug({ options }: CommandContext): boolean {
  return options.has('debug') && options.flag('debug')
}

/**
 * Shows progress while `work` runs, and always ends the drawing. All events and all SQL statements go to the
 * log of the run that they belong to.
 */
export async function withProgress<T>(
  context: CommandContext,
  work: (progress: { readonly emit: EmitEvent }) => Promise<T>,
): Promise<T> {
  const { trace, world, output } = context
  const progress = progressOf(context)
  const log = createRunLog({ redact: output.redact, nowMs: () => world.now().getTime() })
  const stamped = eventStamp(world.now)
  // With these, programs that follow the log can check whether the run is still alive.
  const started = processStart(world.pid)
  const writer = {
    pid: world.pid,
    host: world.host,
    ...(started !== undefined && { process_start: started }),
  }
  const emit: EmitEvent = event => {
    log.write(JSON.stringify({ ...stamped(event), ...(event.type === 'run-started' && writer) }))
    // The log begins with this line in it: who looks at the log of a run that was killed at once learns what it was.
    if ((event.type === 'run-started' || event.type === 'run-finished') && trace.root !== undefined) {
      log.begin(trace.root, event.run_id)
      trace.runId = event.run_id
    }
    progress.emit(event)
  }
  trace.onStatement = statement =>
    emit({ type: 'statement', ...statement, sql: clip(statement.sql, longestStatement) })
  try {
    return await work({ emit })
  } finally {
    trace.onStatement = undefined
    progress.close()
    trace.log = log.path()
    log.close()
  }
}

/**
 * For commands that print their own report at the end: shows events with `--log-format json` and statements
 * with `--debug`.
 */
export async function withTelling<T>(
  context: CommandContext,
  work: (emit: EmitEvent) => Promise<T>,
): Promise<T> {
  const { trace, output, world } = context
  const debug = wantsDebug(context)
  const waiting = sayWaiting(context)
  const { err } = output
  const emit: EmitEvent = tellsEvents(context)
    ? jsonProgress(output.out, { now: world.now, debug }).emit
    : event => {
        waiting(event)
        if (debug) err.lines(debugLines(event, err.style))
      }
  trace.onStatement = statement =>
    emit({ type: 'statement', ...statement, sql: clip(statement.sql, longestStatement) })
  try {
    return await work(emit)
  } finally {
    trace.onStatement = undefined
  }
}
