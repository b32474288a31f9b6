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

const isWhole = (value: Value) => typeof value === 'number'
const same: Test = (value, other) => equal(value, other)
const different: Test = (value, other) => !equal(value, other)
const less: Test = (value, other) => compare(value, other) < 0
const atMost: Test = (value, other) => compare(value, other) <= 0
const more: Test = (value, other) => compare(value, other) > 0
const atLeast: Test = (value, other) => compare(value, other) >= 0

const tests = new Map<string, Test>([
  ['defined', value => !(value instanceof Undefined)],
  ['undefined', value => value instanceof Undefined],
  ['none', value => value === null],
  ['string', value => typeof value === 'string'],
  ['number', value => isNumber(value)],
  ['integer', isWhole],
  ['float', value => value instanceof Float],
  ['boolean', value => typeof value === 'boolean'],
  ['true', value => value === true],
  ['false', value => value === false],
  ['mapping', value => value instanceof Dict],
  ['iterable', value => typeof value === 'string' || isList(value) || value instanceof Dict],
  ['sequence', value => typeof value === 'string' || isList(value) || value instanceof Dict],
  ['callable', value => value instanceof JinjaObject && value.parts.call !== undefined],
  ['odd', value => numberOf(value) % 2 !== 0],
  ['even', value => numberOf(value) % 2 === 0],
  ['divisibleby', (value, other) => numberOf(value) % numberOf(other) === 0],
  ['lower', value => toText(value) === toText(value).toLowerCase()],
  ['upper', value => toText(value) === toText(value).toUpperCase()],
  ['in', (value, other) => contains(other, value, equal)],
  ['sameas', (value, other) => value === other],
  ...['eq', 'equalto', '=='].map(name => [name, same] as const),
  ...['ne', '!='].map(name => [name, different] as const),
  ...['lt', 'lessthan', '<'].map(name => [name, less] as const),
  ...['le', '<='].map(name => [name, atMost] as const),
  ...['gt', 'greaterthan', '>'].map(name => [name, more] as const),
  ...['ge', '>='].map(name => [name, atLeast] as const),
])

export function passes(name: string, value: Value, { positional: [other] }: Arguments): boolean {
  const test = tests.get(name)
  if (test === undefined) throw new CallProblem(`there is no test "is ${name}"`)
  return test(value, other ?? null)
}
