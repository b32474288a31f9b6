/** Signature help in the call of a macro. */
import type { Engine } from '../engines/engine.ts'
import { type Macro, macroKey, type Parameter, parameterText } from '../macros/macro.ts'
import type { Project } from '../project/project.ts'
import { partsOf } from '../syntax/macro-call.ts'
import { labelOfCall } from './functions/function-text.ts'
import type { SignatureHelp } from './signature-help.ts'

export interface MacroCall {
  readonly macro: Macro
  /** The index of the parameter whose argument is being written. */
  readonly parameter: number
  /** The parameters whose names may be written here: an argument begins, and nothing before it gives them. */
  readonly nameable: readonly Parameter[]
}

const opening = /\{\{\s*([A-Za-z_]\w*)\s*\(/g

/** Returns the innermost call whose arguments are being written at an offset, if they are not in a function's brackets. */
export function macroCallAt(
  { macros, engine }: Pick<Project, 'macros' | 'engine'>,
  text: string,
  offset: number,
): MacroCall | undefined {
  const before = text.slice(0, offset)
  const calls = [...before.matchAll(opening)].reverse()
  for (const call of calls) {
    const macro = macros.byName.get(macroKey(call[1] ?? ''))
    const written = before.slice(call.index + call[0].length)
    const argument = macro && argumentAtEnd(written, engine)
    if (macro === undefined || argument === undefined) continue
    const [current = '', ...earlier] = [...argument.texts].reverse()
    const found = indexOfNamed(macro, current)
    const given = earlier.reverse().map((each, index) => {
      const named = indexOfNamed(macro, each)
      return named < 0 ? index : named
    })
    const isBeginning = /^\s*\w*$/.test(current)
    const nameable = isBeginning ? macro.parameters.filter((_, index) => !given.includes(index)) : []
    const free = macro.parameters.findIndex((_, index) => !given.includes(index))
    const next = free < 0 ? macro.parameters.length : free
    return { macro, parameter: found < 0 ? next : found, nameable }
  }
  return undefined
}

/** Returns the index of the parameter that an argument names; -1 for none. */
function indexOfNamed({ parameters }: Macro, argument: string): number {
  const name = /^\s*([A-Za-z_]\w*)\s*:=/.exec(argument)?.[1]
  return name === undefined ? -1 : parameters.findIndex(each => macroKey(each.name) === macroKey(name))
}

/** Returns the texts of the arguments; undefined behind the end of the call, and in the brackets of a function. */
function argumentAtEnd(written: string, engine: Engine): { texts: readonly string[] } | undefined {
  const tokens = engine.tokens(written).filter(({ kind }) => kind !== 'comment')
  let depth = 0
  for (const { kind, start, end } of tokens) {
    const mark = kind === 'punctuation' ? written.slice(start, end) : ''
    if (mark === '(' || mark === '[' || mark === '{') depth++
    if (mark === ')' || mark === ']' || mark === '}') depth--
    if (depth < 0) return undefined
  }
  if (depth > 0) return undefined
  const parts = partsOf(written, tokens)
  const starts = parts.map(part => part[0]?.start ?? written.length)
  return { texts: starts.map((start, index) => written.slice(start, parts[index]?.at(-1)?.end ?? start)) }
}

export function macroHelp({ macro, parameter }: MacroCall): SignatureHelp {
  const { name, description, parameters } = macro
  const label = labelOfCall(
    name,
    parameters.map(each => parameterText(macro, each)),
  )
  const activeParameter = parameter < parameters.length ? parameter : undefined
  return { signatures: [{ ...label, documentation: description, activeParameter }] }
}
