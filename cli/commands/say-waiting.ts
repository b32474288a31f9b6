/**
 * For commands without progress: reports only that they wait for another process, and what a dead run left.
 */
import type { EmitEvent } from '../engine/run/events.ts'
import { recoveredLines } from '../render/recovered.ts'
import type { CommandContext } from './command.ts'

export function sayWaiting({ output }: CommandContext): EmitEvent {
  const { err } = output
  return event => {
    if (event.type === 'waiting') err.lines([`Waiting: ${event.reason}`])
    if (event.type === 'recovered') err.lines(recoveredLines(event, err.style))
  }
}
