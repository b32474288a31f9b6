/** Renders the statements of a template to text. */
import { limitedList } from './budget.ts'
import { Evaluator, Scope } from './evaluate.ts'
import type { Expression } from './expressions.ts'
import { itemsOf } from './iterate.ts'
import { softBlank } from './pieces.ts'
import { CallProblem, type Site, type Template } from './problem.ts'
import type { MacroParts, Parameter, Statement } from './statements.ts'
import {
  type Arguments,
  Dict,
  equal,
  fn,
  isTrue,
  JinjaObject,
  kindOf,
  orUndefined,
  toText,
  tupleOf,
  Undefined,
  type Value,
} from './values.ts'

/** What is kept of the outermost template besides its text. */
export interface Marks {
  /** Returns what stands in place of a comment. */
  comment(statement: Extract<Statement, { kind: 'comment' }>): string
  /** Returns what stands in place of a value. */
  output(expression: Expression, value: Value): string
}

/** Ends a macro with a value that need not be text: `{{ return(x) }}`. */
export class Returned {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

class LoopEnd {
  readonly kind: 'break' | 'continue'
  /** What the round made before it ended. */
  text = ''
  constructor(kind: 'break' | 'continue') {
    this.kind = kind
  }
}

interface Place {
  readonly template: Template
  readonly scope: Scope
  readonly marks: Marks | undefined
}

export class Renderer extends Evaluator {
  render(statements: readonly Statement[], template: Template, scope: Scope, marks?: Marks): string {
    return this.#all(statements, { template, scope, marks })
  }

  /** A macro as a function; it sees the names around its definition, never those of its callers. */
  macro(
    { name, parameters, body }: MacroParts,
    template: Template,
    around: Scope | ((name: string) => Value | undefined),
  ): JinjaObject {
    return fn(name, given =>
      this.budget.inside(() => {
        const place = { template, scope: new Scope(around), marks: undefined }
        this.#bind(parameters, given, place, name)
        try {
          return this.#all(body, place)
        } catch (signal) {
          if (signal instanceof Returned) return signal.value
          throw signal
        }
      }),
    )
  }

  #bind(
    parameters: readonly Parameter[],
    { positional, named }: Arguments,
    place: Place,
    name: string,
  ): void {
    const rest = new Map(named)
    const caller = rest.get('caller')
    for (const [index, parameter] of parameters.entries()) {
      const value = index < positional.length ? positional[index] : rest.get(parameter.name)
      if (positional[index] === undefined) rest.delete(parameter.name)
      else if (rest.has(parameter.name)) throw new CallProblem(`${name} is given "${parameter.name}" twice`)
      if (value !== undefined) place.scope.set(parameter.name, value)
      else if (parameter.usual === undefined) place.scope.set(parameter.name, new Undefined(parameter.name))
      else place.scope.set(parameter.name, this.evaluate(parameter.usual, place.scope, place.template))
    }
    if (caller !== undefined && !parameters.some(each => each.name === 'caller'))
      place.scope.set('caller', caller)
    rest.delete('caller')
    place.scope.set('varargs', tupleOf(positional.slice(parameters.length)))
    place.scope.set('kwargs', new Dict(rest))
  }

  #all(statements: readonly Statement[], place: Place): string {
    let text = ''
    for (const statement of statements) {
      const site: Site = { template: place.template, at: statement.at }
      try {
        text += this.at(site, () => {
          this.budget.step()
          return this.#one(statement, place, text)
        })
      } catch (signal) {
        if (signal instanceof LoopEnd) signal.text = text + signal.text
        throw signal
      }
    }
    return this.at({ template: place.template, at: statements[0]?.at ?? 0 }, () => this.budget.made(text))
  }

  #one(statement: Statement, place: Place, before: string): string {
    const { template, scope, marks } = place
    switch (statement.kind) {
      case 'text':
        return statement.text
      case 'comment':
        return marks?.comment(statement) ?? ''
      case 'output': {
        const value = this.evaluate(statement.value, scope, template)
        return marks === undefined ? toText(value) : spaced(marks.output(statement.value, value), before)
      }
      case 'do':
        this.evaluate(statement.value, scope, template)
        return ''
      case 'set':
        this.#assignAll(statement.targets, this.evaluate(statement.value, scope, template), place)
        return ''
      case 'if':
        return this.#if(statement, place)
      case 'for':
        return this.#for(statement, place)
      case 'break':
      case 'continue':
        throw new LoopEnd(statement.kind)
      case 'macro':
        scope.set(statement.name, this.macro(statement, template, scope))
        return ''
      case 'block':
        throw new CallProblem(`{% ${statement.word} %} is not understood in this file`)
      default:
        return this.#capturing(statement, place)
    }
  }

  /** Statements whose body becomes a value. */
  #capturing(
    statement: Extract<Statement, { kind: 'capture' | 'call' | 'filter' | 'with' }>,
    { template, scope, marks }: Place,
  ): string {
    const inner = { template, scope: new Scope(scope), marks: undefined }
    switch (statement.kind) {
      case 'capture': {
        let value: Value = this.#all(statement.body, inner)
        for (const { name, given } of statement.filters)
          value = this.filter(name, value, this.given(given, scope, template))
        this.#assign(statement.target, value, { template, scope, marks })
        return ''
      }
      case 'filter':
        return toText(
          this.filter(
            statement.name,
            this.#all(statement.body, inner),
            this.given(statement.given, scope, template),
          ),
        )
      case 'with':
        for (const { name, value } of statement.names)
          inner.scope.set(name, this.evaluate(value, scope, template))
        return this.#all(statement.body, { ...inner, marks })
      case 'call': {
        const caller = this.macro({ ...statement, name: 'caller' }, template, scope)
        if (statement.call.kind !== 'call') throw new CallProblem('{% call %} takes the call of a macro')
        const given = this.given(statement.call.given, scope, template)
        const named = new Map([...given.named, ['caller', caller as Value] as const])
        const callee = this.evaluate(statement.call.of, scope, template)
        return toText(this.call(callee, { ...given, named }, { template, at: statement.at }))
      }
    }
  }

  /** Several targets get the items of a list. */
  #assignAll(targets: readonly Expression[], value: Value, place: Place): void {
    const values = targets.length === 1 ? [value] : itemsOf(value)
    if (values.length !== targets.length) {
      throw new CallProblem(`${targets.length} names are set to ${values.length} values`)
    }
    for (const [index, target] of targets.entries()) this.#assign(target, values[index] ?? null, place)
  }

  #assign(target: Expression, value: Value, { scope, template }: Place): void {
    if (target.kind === 'name') {
      scope.set(target.name, value)
      return
    }
    if (target.kind !== 'member') throw new CallProblem('only a name can be set')
    const owner = this.evaluate(target.of, scope, template)
    if (!(owner instanceof Dict))
      throw new CallProblem(`${kindOf(owner)} cannot be changed; a namespace() can`)
    owner.entries.set(target.name, value)
  }

  #if({ branches }: Extract<Statement, { kind: 'if' }>, place: Place): string {
    for (const { condition, body } of branches) {
      const holds = condition === undefined || isTrue(this.evaluate(condition, place.scope, place.template))
      if (holds) return this.#all(body, place)
    }
    return ''
  }

  #for(statement: Extract<Statement, { kind: 'for' }>, place: Place): string {
    const over = itemsOf(this.evaluate(statement.over, place.scope, place.template))
    const { condition } = statement
    const items = limitedList([...over]).filter(each => {
      if (condition === undefined) return true
      const { scope } = this.#round(statement.targets, each, place)
      return isTrue(this.evaluate(condition, scope, place.template))
    })
    if (items.length === 0) return this.#all(statement.otherwise, place)
    let text = ''
    const seen: Seen = { last: undefined }
    for (const [index, each] of items.entries()) {
      const round = this.#round(statement.targets, each, place)
      round.scope.set('loop', loopOf(items, index, seen))
      try {
        text += this.#all(statement.body, round)
      } catch (signal) {
        if (!(signal instanceof LoopEnd)) throw signal
        text += signal.text
        if (signal.kind === 'break') break
      }
    }
    return text
  }

  #round(targets: readonly Expression[], value: Value, around: Place): Place {
    const place = { ...around, scope: new Scope(around.scope) }
    this.#assignAll(targets, value, place)
    return place
  }
}

/** What `loop.changed` was called with last. */
interface Seen {
  last: readonly Value[] | undefined
}

function loopOf(items: readonly Value[], index: number, seen: Seen): JinjaObject {
  const { length } = items
  const members = new Map<string, Value>([
    ['index', index + 1],
    ['index0', index],
    ['revindex', length - index],
    ['revindex0', length - index - 1],
    ['first', index === 0],
    ['last', index === length - 1],
    ['length', length],
    ['previtem', orUndefined(items[index - 1], 'loop.previtem')],
    ['nextitem', orUndefined(items[index + 1], 'loop.nextitem')],
    ['depth', 1],
    [
      'changed',
      fn('loop.changed', ({ positional }) => {
        const isSame = seen.last !== undefined && equal([...seen.last], [...positional])
        seen.last = positional
        return !isSame
      }),
    ],
    [
      'cycle',
      fn('loop.cycle', ({ positional }) => positional[index % Math.max(1, positional.length)] ?? null),
    ],
  ])
  return new JinjaObject({ name: 'loop', member: name => members.get(name) })
}

/**
 * What a macro made begins and ends with the white space of its file, which is none of the SQL's; its further lines
 * go below the first.
 */
function spaced(text: string, before: string): string {
  // What stands within a text of SQL is its value, also where it has several lines.
  const isInText = (before.match(/'/g)?.length ?? 0) % 2 === 1
  if (!text.includes('\n') || isInText) return text
  const trimmed = text.trim()
  const isGlued = /\S$/.test(before) && /^\s/.test(text)
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1)
  const end = last.includes('--') ? '\n' : /\s$/.test(text) ? softBlank : ''
  const indent = /(?:^|\n|\uE002)([ \t]*)[^\n\uE002]*$/.exec(before)?.[1] ?? ''
  return `${isGlued && !/[([,]$/.test(before) ? ' ' : ''}${indented(trimmed, indent)}${end}`
}

/** Lines of a text in quotes stay where they are. */
function indented(text: string, indent: string): string {
  const [first = '', ...lines] = text.split('\n')
  if (text.split('\n').some(line => (line.match(/'/g)?.length ?? 0) % 2 === 1)) return text
  const depths = lines.filter(line => line.trim() !== '').map(line => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const depth = depths.length === 0 ? 0 : Math.min(...depths)
  return [first, ...lines.map(line => (line.trim() === '' ? '' : indent + line.slice(depth)))].join('\n')
}
