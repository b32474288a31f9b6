/** `--full-refresh [selector]`: what is fetched and built anew although nothing changed (decisions 8, "Forced and limited"). */
import type { RunRequest } from '../engine/run/run.ts'
import type { OptionHelp } from '../render/help.ts'
import type { CommandContext } from './command.ts'

export const refreshOption: OptionHelp = {
  name: 'full-refresh',
  value: 'selector',
  valueOptional: true,
  summary: 'fetch and build anew what would be reused; with a selector only these',
}

/** Returns what `--full-refresh` names; undefined without it. */
export function refreshOf({ options }: CommandContext): RunRequest['refresh'] {
  const selector = options.text('full-refresh')
  if (selector !== undefined) return { selector }
  return options.flag('full-refresh') ? 'all' : undefined
}
