/** Reads the arguments of functions, filters and methods. */
import { CallProblem } from './problem.ts'
import { type Arguments, isList, kindOf, numberOf, toText, type Value } from './values.ts'

/** Returns the values in the order of the names, undefined for those not given. Throws for others. */
export function bound(
  given: Arguments,
  names: readonly string[],
  name: string,
): readonly (Value | undefined)[] {
  const values: (Value | undefined)[] = names.map((each, index) =>
    index < given.positional.length ? given.positional[index] : given.named.get(each),
  )
  if (given.positional.length > names.length) {
    throw new CallProblem(`${name} takes ${names.length} arguments, not ${given.positional.length}`)
  }
  for (const each of given.named.keys()) {
    if (!names.includes(each)) throw new CallProblem(`${name} has no argument "${each}"`)
  }
  return values
}

/** Returns the only argument. */
export function one(given: Arguments, name: string): Value {
  const [value] = bound(given, ['value'], name)
  if (value === undefined) throw new CallProblem(`${name} takes a value`)
  return value
}

export function textArgument(value: Value | undefined, name: string): string {
  if (typeof value === 'string') return value
  throw new CallProblem(`${name} takes a text, not ${value === undefined ? 'nothing' : kindOf(value)}`)
}

export function optionalText(value: Value | undefined, otherwise: string): string {
  return value === undefined || value === null ? otherwise : toText(value)
}

export function numberArgument(value: Value | undefined, otherwise: number): number {
  return value === undefined || value === null ? otherwise : numberOf(value)
}

export function listArgument(value: Value | undefined, name: string): readonly Value[] {
  if (value !== undefined && isList(value)) return value
  throw new CallProblem(`${name} takes a list, not ${value === undefined ? 'nothing' : kindOf(value)}`)
}
