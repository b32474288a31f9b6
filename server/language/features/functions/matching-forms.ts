/** Selects the overloads that fit the arguments written so far, as far as their types are obvious. */

import type { EngineTypes } from '../../engines/engine.ts'
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
  types: readonly (string | undefined)[],
  argument: number,
): readonly FunctionOverload[] {
  const distinct = new Map(forms.map(form => [JSON.stringify(form), form]))
  return [...distinct.values()]
    .map((form, index) => ({ form, score: scoreOf(form, types, argument), index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most)
    .map(({ form }) => form)
}

function scoreOf(form: FunctionOverload, types: readonly (string | undefined)[], argument: number): number {
  const count = Math.max(types.length, argument + 1)
  const isLongEnough = form.varargs !== undefined || form.parameters.length >= count
  const fit = types.reduce((sum, type, index) => {
    const wanted = form.parameters[index]?.type ?? form.varargs
    return sum + (type === undefined || wanted === undefined ? 0 : typeScore(type, wanted))
  }, 0)
  return fit + (isLongEnough ? 20 : 0) - form.parameters.length / 10
}

const numbers = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DECIMAL', 'FLOAT', 'DOUBLE']

function typeScore(type: string, wanted: string): number {
  const [have, want] = [type.replace(/\(.*/, ''), wanted.replace(/\(.*/, '')]
  if (have === want) return 4
  if (numbers.includes(have) && numbers.includes(want))
    return numbers.indexOf(want) >= numbers.indexOf(have) ? 2 : 1
  return /ANY|^T$/.test(want) ? 1 : -4
}
