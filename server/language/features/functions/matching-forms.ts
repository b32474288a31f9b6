/** Selects the overloads that fit the arguments written so far, as far as their types are obvious. */

import type { EngineTypes } from '../../engines/engine.ts'
import { isNumeric } from '../../engines/sql-type.ts'
import type { Call } from '../../sql/tree.ts'
import type { FunctionOverload } from '../knowledge.ts'
import { typeText } from '../sql/column-types.ts'
import type { SqlScope } from '../sql/scope-at.ts'
import type { OpenBracket } from '../sql/sql-cursor.ts'

/** Returns the types of the arguments; undefined for an unknown one. */
export function argumentTypes(
  types: EngineTypes,
  { around, bound }: SqlScope,
  bracket: OpenBracket,
): readonly (string | undefined)[] {
  const call = around.findLast(
    (node): node is Call => node.kind === 'call' && node.brackets.start === bracket.start,
  )
  return (call?.arguments ?? []).map(({ value }) => typeText(types, bound.values.get(value)?.type))
}

const most = 12

/** Returns the overloads, best first, without those that look alike. */
export function bestForms(
  forms: readonly FunctionOverload[],
  given: readonly (string | undefined)[],
  argument: number,
  types: EngineTypes,
): readonly FunctionOverload[] {
  const distinct = new Map(forms.map(form => [JSON.stringify(form), form]))
  return [...distinct.values()]
    .map((form, index) => ({ form, score: scoreOf(form, given, argument, types), index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most)
    .map(({ form }) => form)
}

function scoreOf(
  form: FunctionOverload,
  given: readonly (string | undefined)[],
  argument: number,
  types: EngineTypes,
): number {
  const count = Math.max(given.length, argument + 1)
  const isLongEnough = form.varargs !== undefined || form.parameters.length >= count
  const fit = given.reduce((sum, type, index) => {
    const wanted = form.parameters[index]?.type ?? form.varargs
    return sum + (type === undefined || wanted === undefined ? 0 : typeScore(type, wanted, types))
  }, 0)
  return fit + (isLongEnough ? 20 : 0) - form.parameters.length / 10
}

const anyType = /\bany|^T$/i

function typeScore(type: string, wanted: string, types: EngineTypes): number {
  const [have, want] = [withoutNumbers(type), withoutNumbers(wanted)]
  if (have === want) return 4
  const [one, other] = [types.parse(have), types.parse(want)]
  if (isNumeric(types.family(one)) && isNumeric(types.family(other)))
    return withoutNumbers(types.print(types.widen(one, other))) === want ? 2 : 1
  return anyType.test(want) ? 1 : -4
}

function withoutNumbers(type: string): string {
  return type.replace(/\(.*/, '')
}
