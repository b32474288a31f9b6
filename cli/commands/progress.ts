/** Which renderer shows the events of a run: a terminal that redraws, plain lines, or NDJSON on stdout. */

import type { LogSql } from '../engine/workspace/logged-warehouse.ts'
import { formatSeconds } from '../render/numbers.ts'
import { jsonProgress, plainProgress, type RunProgress } from '../render/run-progress.ts'
import { terminalProgress } from '../render/run-terminal.ts'
import type { CommandContext } from './command.ts'

export function progressOf(context: CommandContext): RunProgress {
  const { output, options, world } = context
  if (options.text('log-format') === 'json') return jsonProgress(output.out)
  const inCi = (world.env['CI'] ?? '') !== ''
  // Statements would be drawn over.
  const debug = options.has('debug') && options.flag('debug')
  if (debug || !output.err.isTerminal || inCi || world.env['TERM'] === 'dumb')
    return plainProgress(output.err)
  return terminalProgress({
    channel: output.err,
    nowMs: () => world.now().getTime(),
    every: (ms, draw) => {
      const timer = setInterval(draw, ms)
      return () => clearInterval(timer)
    },
  })
}

/** `--debug`: each statement with its time, on stderr. */
export function sayStatement({ output }: CommandContext): LogSql {
  const { style } = output.err
  return ({ sql, seconds, failed }) => {
    const head = `-- ${formatSeconds(seconds)}${failed ? ', failed' : ''}`
    output.err.lines([style.dim(head), ...sql.split('\n').map(style.dim)])
  }
}

/** Shows progress while `work` runs and ends the drawing whatever happens. */
export async function withProgress<T>(
  context: CommandContext,
  work: (progress: RunProgress) => Promise<T>,
): Promise<T> {
  const progress = progressOf(context)
  try {
    return await work(progress)
  } finally {
    progress.close()
  }
}
