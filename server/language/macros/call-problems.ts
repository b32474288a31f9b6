/** What may be wrong with a call of a macro. */
import { oncePer } from '../once.ts'
import { allTags, type TemplateProblem, tagNames } from '../syntax/scan-template.ts'
import { tagHint } from '../syntax/tag-habits.ts'
import type { MacroArgument, MacroTag } from '../syntax/template.ts'
import { newNameIndex } from '../text/name-index.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { type Macro, type MacroSql, type Macros, macroKey, signatureOf } from './macro.ts'

const callable = oncePer((byName: Macros['byName']) =>
  newNameIndex([...Array.from(byName.values(), macro => macro.name), ...tagNames]),
)

export function unknownMacro({ name, nameRange }: MacroTag, macros: Pick<Macros, 'byName'>): TemplateProblem {
  const suggestions = callable(macros.byName).nearest(name)
  const [nearest] = suggestions
  const about = { range: nameRange, message: `there is no macro and no tag "${name}"` }
  const hint = tagHint(name)
  if (hint !== undefined) return { code: 'unknown-macro', ...about, hint }
  if (nearest === undefined)
    return { code: 'unknown-macro', ...about, hint: `Macros are in macros/*.sql. ${allTags}` }
  const fix = { suggestions, replacement: nearest }
  return { code: 'unknown-macro', ...about, hint: `did you mean "${nearest}"?`, ...fix }
}

export type BoundArgument = MacroArgument | { readonly fallback: MacroSql }

/** Returns what stands for each parameter, or the problem. */
export function boundArguments(
  macro: Macro,
  tag: MacroTag,
): { readonly values: readonly BoundArgument[] } | { readonly problem: TemplateProblem } {
  const given = new Map<number, MacroArgument>()
  const signature = signatureOf(macro)
  const refuse = (range: MacroTag['range'], message: string, more: Partial<TemplateProblem> = {}) => ({
    problem: { code: 'macro-arguments', range, message, hint: `It is ${signature}.`, ...more } as const,
  })
  let hasNamed = false
  for (const [position, argument] of tag.arguments.entries()) {
    const { name, nameRange, range } = argument
    if (name === undefined && hasNamed)
      return refuse(range, 'an argument without a name cannot follow one with a name')
    hasNamed ||= name !== undefined
    const index = name === undefined ? position : indexOf(macro, name)
    if (index < 0)
      return refuse(
        nameRange ?? range,
        `"${macro.name}" has no parameter "${name}"`,
        nearest(macro, name ?? ''),
      )
    if (index >= macro.parameters.length) return refuse(tag.range, tooMany(macro, tag))
    if (given.has(index))
      return refuse(nameRange ?? range, `the parameter "${macro.parameters[index]?.name}" is given twice`)
    given.set(index, argument)
  }
  const values: BoundArgument[] = []
  for (const [index, { name, fallback }] of macro.parameters.entries()) {
    const value = given.get(index) ?? (fallback && { fallback })
    if (value === undefined) return refuse(tag.range, `"${macro.name}" needs a value for "${name}"`)
    values.push(value)
  }
  return { values }
}

function indexOf({ parameters }: Macro, name: string): number {
  return parameters.findIndex(parameter => macroKey(parameter.name) === macroKey(name))
}

function nearest({ parameters }: Macro, name: string): Partial<TemplateProblem> {
  const suggestions = nearestNames(
    name,
    parameters.map(parameter => parameter.name),
  )
  const [best] = suggestions
  return best === undefined ? {} : { suggestions, replacement: best, hint: `did you mean "${best}"?` }
}

function tooMany({ name, parameters }: Macro, { arguments: given }: MacroTag): string {
  const most = parameters.length === 1 ? '1 argument' : `${parameters.length} arguments`
  return `"${name}" takes ${parameters.length === 0 ? 'no argument' : most}, not ${given.length}`
}
