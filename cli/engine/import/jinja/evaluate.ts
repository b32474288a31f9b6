/**
 * Runs templates: a walk over their trees. No code is made of them, and names reach only what the caller hands in,
 * so a template of somebody else can do nothing but make text.
 */
import { Budget, limitedList, limitedText } from './budget.ts'
import type { Expression, Given } from './expressions.ts'
import { type Asking, filters } from './filters.ts'
import { contains, itemsOf } from './iterate.ts'
import { joined, methodOf } from './methods.ts'
import { CallProblem, JinjaProblem, type Site, type Template } from './problem.ts'
import { percentFormatted } from './python-format.ts'
import { passes } from './tests.ts'
import {
  type Arguments,
  compare,
  Dict,
  equal,
  Float,
  isList,
  isNumber,
  isTrue,
  JinjaObject,
  keyOf,
  kindOf,
  numberOf,
  orUndefined,
  Tuple,
  toNumber,
  toText,
  tupleOf,
  Undefined,
  type Value,
} from './values.ts'

/** The names that a part of a template sees. */
export class Scope {
  readonly #names = new Map<string, Value>()
  readonly #around: Scope | ((name: string) => Value | undefined)

  constructor(around: Scope | ((name: string) => Value | undefined)) {
    this.#around = around
  }

  find(name: string): Value | undefined {
    const own = this.#names.get(name)
    if (own !== undefined) return own
    return this.#around instanceof Scope ? this.#around.find(name) : this.#around(name)
  }

  set(name: string, value: Value): void {
    this.#names.set(name, value)
  }
}

export class Evaluator {
  readonly budget = new Budget()

  evaluate(expression: Expression, scope: Scope, template: Template): Value {
    return this.at({ template, at: expression.at }, () => {
      this.budget.step()
      return this.#value(expression, scope, template)
    })
  }

  /** Runs something that belongs to a place: what it says against its arguments gets that place. */
  at<T>(site: Site, run: () => T): T {
    try {
      return run()
    } catch (error) {
      if (error instanceof CallProblem) throw new JinjaProblem(error.message, site, error.hint, error.shared)
      throw error
    }
  }

  call(value: Value, given: Arguments, site: Site): Value {
    if (!(value instanceof JinjaObject) || value.parts.call === undefined) {
      const name =
        value instanceof Undefined ? `"${value.name}" is no function or macro that is known here` : undefined
      throw new CallProblem(name ?? `${kindOf(value)} cannot be called`)
    }
    const result = value.parts.call(given, site)
    return typeof result === 'string' ? this.budget.made(result) : result
  }

  filter(name: string, value: Value, given: Arguments): Value {
    const filter = filters.get(name)
    if (filter === undefined) throw new CallProblem(`there is no filter "${name}"`)
    const result = filter(value, given, this.#asking)
    return typeof result === 'string' ? this.budget.made(result) : result
  }

  readonly #asking: Asking = {
    member: (of, name) => this.member(of, name),
    filter: (name, value, given) => this.filter(name, value, given),
    test: passes,
  }

  member(of: Value, name: string): Value {
    const method = methodOf(of, name)
    if (method !== undefined) return method
    if (of instanceof Dict) return orUndefined(of.entries.get(name), name)
    if (of instanceof JinjaObject) {
      const member = of.parts.member?.(name)
      if (member !== undefined) return member
      throw new CallProblem(`${of.parts.name} has no "${name}" here`)
    }
    if (of instanceof Undefined) throw new CallProblem(`"${of.name}" has no value, so it has no "${name}"`)
    return new Undefined(name)
  }

  given(given: Given, scope: Scope, template: Template): Arguments {
    const positional = given.positional.flatMap(({ value, isSpread }): readonly Value[] => {
      const each = this.evaluate(value, scope, template)
      return isSpread ? itemsOf(each) : [each]
    })
    const named = new Map<string, Value>()
    for (const { name, value } of given.named) {
      const each = this.evaluate(value, scope, template)
      if (name !== undefined) named.set(name, each)
      else if (each instanceof Dict) for (const [key, one] of each.entries) named.set(String(key), one)
      else throw new CallProblem(`** takes a mapping, not ${kindOf(each)}`)
    }
    return { positional, named }
  }

  #value(expression: Expression, scope: Scope, template: Template): Value {
    const value = (each: Expression) => this.evaluate(each, scope, template)
    switch (expression.kind) {
      case 'literal':
        return expression.isFloat ? new Float(Number(expression.value)) : expression.value
      case 'name':
        return orUndefined(scope.find(expression.name), expression.name)
      case 'list':
        return expression.isTuple === true
          ? tupleOf(expression.items.map(value))
          : expression.items.map(value)
      case 'dict':
        return new Dict(expression.entries.map(([key, each]) => [keyOf(value(key)), value(each)]))
      case 'member':
        return this.member(value(expression.of), expression.name)
      case 'item':
        return item(value(expression.of), value(expression.key))
      case 'slice':
        return slice(
          value(expression.of),
          expression.bounds.map(each => (each === undefined ? undefined : numberOf(value(each)))),
        )
      case 'call': {
        const callee = value(expression.of)
        const given = this.given(expression.given, scope, template)
        return this.call(callee, given, { template, at: expression.at })
      }
      case 'filter':
        return this.filter(
          expression.name,
          value(expression.of),
          this.given(expression.given, scope, template),
        )
      case 'test': {
        const given = this.given(expression.given, scope, template)
        return passes(expression.name, value(expression.of), given) !== expression.negated
      }
      case 'unary':
        return unary(expression.sign, value(expression.of))
      case 'binary':
        return this.#binary(expression, value)
      case 'choice':
        if (isTrue(value(expression.condition))) return value(expression.then)
        return expression.otherwise === undefined ? new Undefined('else') : value(expression.otherwise)
    }
  }

  #binary(
    { sign, left, right }: Extract<Expression, { kind: 'binary' }>,
    value: (expression: Expression) => Value,
  ): Value {
    const first = value(left)
    if (sign === 'and') return isTrue(first) ? value(right) : first
    if (sign === 'or') return isTrue(first) ? first : value(right)
    const second = value(right)
    if (sign === '~') return this.budget.made(toText(first) + toText(second))
    const result = ownResult(sign, first, second) ?? operators.get(sign)?.(first, second)
    if (result === undefined) throw new CallProblem(`"${sign}" is not known`)
    return typeof result === 'string' ? this.budget.made(result) : result
  }
}

function ownResult(sign: string, first: Value, second: Value): Value | undefined {
  const left = first instanceof JinjaObject ? first.parts.operate?.(sign, second, false) : undefined
  return left ?? (second instanceof JinjaObject ? second.parts.operate?.(sign, first, true) : undefined)
}

function unary(sign: string, value: Value): Value {
  if (sign === 'not') return !isTrue(value)
  const number = numberOf(value)
  return toNumber(sign === '-' ? -number : number, value instanceof Float)
}

function arithmetic(compute: (a: number, b: number) => number) {
  return (a: Value, b: Value): Value =>
    toNumber(compute(numberOf(a), numberOf(b)), a instanceof Float || b instanceof Float)
}

function added(a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof Tuple && b instanceof Tuple) return tupleOf([...a, ...b])
  if (isList(a) && isList(b)) return limitedList([...a, ...b])
  if (isNumber(a) && isNumber(b)) return arithmetic((x, y) => x + y)(a, b)
  throw new CallProblem(`${kindOf(a)} and ${kindOf(b)} cannot be added`, 'Write ~ to join texts.')
}

function multiplied(a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'number') {
    limitedText(a.length * Math.max(0, b))
    return a.repeat(Math.max(0, b))
  }
  if (isList(a) && typeof b === 'number') {
    if (a.length * b > 100_000) throw new CallProblem('the list would be too long')
    return Array.from({ length: Math.max(0, b) }, () => a).flat()
  }
  return arithmetic((x, y) => x * y)(a, b)
}

function divided(a: Value, b: Value): Value {
  if (numberOf(b) === 0) throw new CallProblem('a division by zero')
  return new Float(numberOf(a) / numberOf(b))
}

/** The rest has the sign of the divisor, as in Python; `'%s' % x` formats. */
function rest(a: Value, b: Value): Value {
  if (typeof a === 'string') return percentFormatted(a, b instanceof Tuple ? b : [b])
  if (numberOf(b) === 0) throw new CallProblem('a division by zero')
  return arithmetic((x, y) => x - y * Math.floor(x / y))(a, b)
}

const operators = new Map<string, (a: Value, b: Value) => Value>([
  ['==', equal],
  ['!=', (a, b) => !equal(a, b)],
  ['<', (a, b) => compare(a, b) < 0],
  ['<=', (a, b) => compare(a, b) <= 0],
  ['>', (a, b) => compare(a, b) > 0],
  ['>=', (a, b) => compare(a, b) >= 0],
  ['in', (a, b) => contains(b, a)],
  ['not in', (a, b) => !contains(b, a)],
  ['+', added],
  ['-', arithmetic((x, y) => x - y)],
  ['*', multiplied],
  ['/', divided],
  ['//', (a, b) => arithmetic((x, y) => Math.floor(x / y))(a, b)],
  ['%', rest],
  ['**', arithmetic((x, y) => x ** y)],
])

function item(of: Value, key: Value): Value {
  if (of instanceof Dict) return orUndefined(of.entries.get(keyOf(key)), toText(key))
  if (isList(of) || typeof of === 'string') {
    const at = numberOf(key)
    return orUndefined(typeof of === 'string' ? [...of].at(at) : of.at(at), toText(key))
  }
  if (of instanceof JinjaObject) {
    const member = of.parts.member?.(toText(key))
    if (member !== undefined) return member
  }
  throw new CallProblem(`${kindOf(of)} has no parts`)
}

function slice(of: Value, [start, end, step = 1]: readonly (number | undefined)[]): Value {
  const items = itemsOf(of)
  const part = stepped(items, start, end, step)
  if (typeof of === 'string') return joined(part, '')
  return of instanceof Tuple ? tupleOf(part) : part
}

/** As in Python: a step below nothing goes from the end to the start. */
function stepped(
  items: readonly Value[],
  start: number | undefined,
  end: number | undefined,
  step: number,
): Value[] {
  if (step === 0) throw new CallProblem('a slice takes no steps of 0')
  const { length } = items
  const within = (at: number, least: number, most: number) =>
    Math.min(Math.max(at < 0 ? at + length : at, least), most)
  const part: Value[] = []
  if (step > 0) {
    const [from, to] = [within(start ?? 0, 0, length), within(end ?? length, 0, length)]
    for (let at = from; at < to; at += step) part.push(items[at] ?? null)
    return part
  }
  const from = start === undefined ? length - 1 : within(start, -1, length - 1)
  const to = end === undefined ? -1 : within(end, -1, length - 1)
  for (let at = from; at > to; at += step) part.push(items[at] ?? null)
  return part
}
