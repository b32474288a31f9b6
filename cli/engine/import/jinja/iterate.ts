/** What a loop, a filter or `list()` goes over. */
import { CallProblem } from './problem.ts'
import { Dict, equal, isList, kindOf, Undefined, type Value } from './values.ts'

export function itemsOf(value: Value): readonly Value[] {
  if (isList(value)) return value
  if (typeof value === 'string') return [...value]
  if (value instanceof Dict) return [...value.entries.keys()]
  if (value instanceof Undefined) return []
  throw new CallProblem(`${kindOf(value)} is no list`)
}

export function lengthOf(value: Value): number {
  return value instanceof Undefined ? 0 : itemsOf(value).length
}

export function contains(whole: Value, part: Value): boolean {
  if (typeof whole === 'string') {
    if (typeof part !== 'string') throw new CallProblem(`${kindOf(part)} is never in a text`)
    return whole.includes(part)
  }
  return itemsOf(whole).some(each => equal(each, part))
}
