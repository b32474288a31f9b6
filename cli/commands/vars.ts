/** Reads `--vars name=value` (decisions 8, "Forced and limited"). */
import { SvcError } from '../engine/errors.ts'
import type { OptionHelp } from '../render/help.ts'

export const varsOption: OptionHelp = {
  name: 'vars',
  value: 'name=value',
  summary: 'another value of a variable; may be repeated',
  repeatable: true,
}

/** Returns the texts by name. Throws SvcError `wrong-usage`. */
export function varsOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map(text => {
      const at = text.indexOf('=')
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)]
      throw new SvcError('wrong-usage', `--vars takes name=value, not "${text}"`, {
        hint: 'Write, for example: --vars country=de --vars limit=10.',
      })
    }),
  )
}
