/** For commands without progress: only that they wait, and for whom. */
import type { EmitEvent } from '../engine/run/events.ts'
import type { CommandContext } from './command.ts'

export function sayWaiting({ output }: CommandContext): EmitEvent {
  return event => {
    if (event.type === 'waiting') output.err.lines([`Waiting: ${event.reason}`])
  }
}
