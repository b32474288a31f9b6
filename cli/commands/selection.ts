/** Combines the argument, `--select` and `--exclude` of a command into one selector (interface.md 4.4). */
import { withoutAssets } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import type { ArgumentHelp, OptionHelp } from '../render/help.ts'
import type { CommandContext } from './command.ts'

export const selectorArgument: ArgumentHelp = {
  name: 'asset_selector',
  summary:
    'x, +x (and upstream), x+ (and downstream), 2+x, @x, stg_*, tag:x, path:glob, state:modified, result:failed; commas add up, & intersects; all by default',
  variadic: true,
}

export const selectionOptions: readonly OptionHelp[] = [
  {
    name: 'select',
    short: 's',
    value: 'selector',
    summary: 'the same as an option; may be repeated',
    repeatable: true,
  },
  { name: 'exclude', value: 'selector', summary: 'without these; may be repeated', repeatable: true },
]

/** Returns undefined for all assets. `--all` with a selector is wrong usage (interface.md 4.4 rule 1). */
export function selectorOf({ rest, options }: CommandContext): string | undefined {
  const words = [...rest, ...options.texts('select')]
  const excluded = options.texts('exclude')
  if (words.length + excluded.length > 0 && options.has('all') && options.flag('all')) {
    throw new SvcError('wrong-usage', '--all cannot be combined with an asset selector', {
      hint: 'Leave out one of them.',
    })
  }
  const selected = words.length === 0 ? undefined : words.join(',')
  return excluded.length === 0 ? selected : withoutAssets(selected, refuseSigns(excluded).join(','))
}

function refuseSigns(excluded: readonly string[]): readonly string[] {
  const odd = excluded.find(word => /(^|[\s,])!/.test(word))
  if (odd === undefined) return excluded
  throw new SvcError('wrong-usage', `--exclude takes what is left out, without "!": "${odd}"`, {
    hint: 'Select it instead: --select x --exclude y.',
  })
}
