/** The tests of Jinja: `{% if x is defined %}`. */
import { contains } from './iterate.ts'
import { CallProblem } from './problem.ts'
import {
  type Arguments,
  compare,
  Dict,
  equal,
  Float,
  isList,
  isNumber,
  JinjaObject,
  numberOf,
  toText,
  Undefined,
  type Value,
} from './values.ts'

type Test = (value: Value, other: Value) => boolean

const named = (names: readonly string[], test: Test) => names.map(name => [name, test] as const)
const isSequence: Test = value => typeof value === 'string' || isList(value) || value instanceof Dict

const tests = new Map<string, Test>([
  ['defined', value => !(value instanceof Undefined)],
  ['undefined', value => value instanceof Undefined],
  ['none', value => value === null],
  ['string', value => typeof value === 'string'],
  ['number', value => isNumber(value)],
  ['integer', value => typeof value === 'number'],
  ['float', value => value instanceof Float],
  ['boolean', value => typeof value === 'boolean'],
  ['true', value => value === true],
  ['false', value => value === false],
  ['mapping', value => value instanceof Dict],
  ...named(['iterable', 'sequence'], isSequence),
  ['callable', value => value instanceof JinjaObject && value.parts.call !== undefined],
  ['odd', value => numberOf(value) % 2 !== 0],
  ['even', value => numberOf(value) % 2 === 0],
  ['divisibleby', (value, other) => numberOf(value) % numberOf(other) === 0],
  ['lower', value => toText(value) === toText(value).toLowerCase()],
  ['upper', value => toText(value) === toText(value).toUpperCase()],
  ['in', (value, other) => contains(other, value)],
  ['sameas', (value, other) => value === other],
  ...named(['eq', 'equalto', '=='], equal),
  ...named(['ne', '!='], (value, other) => !equal(value, other)),
  ...named(['lt', 'lessthan', '<'], (value, other) => compare(value, other) < 0),
  ...named(['le', '<='], (value, other) => compare(value, other) <= 0),
  ...named(['gt', 'greaterthan', '>'], (value, other) => compare(value, other) > 0),
  ...named(['ge', '>='], (value, other) => compare(value, other) >= 0),
])

export function passes(name: string, value: Value, { positional: [other] }: Arguments): boolean {
  const test = tests.get(name)
  if (test === undefined) throw new CallProblem(`there is no test "is ${name}"`)
  return test(value, other ?? null)
}
