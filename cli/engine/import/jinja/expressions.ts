/** Expressions of templates as trees, with the precedence that Jinja gives its operators. */
import { JinjaProblem, type Template } from './problem.ts'
import type { Token } from './tokens.ts'

export type Expression = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: null | boolean | string | number; readonly isFloat: boolean }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly isTuple?: boolean }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'item'; readonly of: Expression; readonly key: Expression }
  | { readonly kind: 'slice'; readonly of: Expression; readonly bounds: readonly (Expression | undefined)[] }
  | { readonly kind: 'call'; readonly of: Expression; readonly given: Given }
  | { readonly kind: 'filter'; readonly of: Expression; readonly name: string; readonly given: Given }
  | {
      readonly kind: 'test'
      readonly of: Expression
      readonly name: string
      readonly given: Given
      readonly negated: boolean
    }
  | { readonly kind: 'unary'; readonly sign: string; readonly of: Expression }
  | { readonly kind: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'choice'
      readonly condition: Expression
      readonly then: Expression
      readonly otherwise: Expression | undefined
    }
)

/** The arguments of a call. */
export interface Given {
  readonly positional: readonly { readonly value: Expression; readonly isSpread: boolean }[]
  readonly named: readonly { readonly name: string | undefined; readonly value: Expression }[]
}

const nothingGiven: Given = { positional: [], named: [] }
/** Expressions nested more deeply are nobody's own writing. */
const deepest = 100

/** Reads tokens one after the other. */
export class Reader {
  readonly template: Template
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0
  #isLoopHead = false

  constructor(template: Template, tokens: readonly Token[]) {
    this.template = template
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#index] ?? { kind: 'end', value: '', at: this.template.text.length }
  }

  get afterNext(): Token | undefined {
    return this.#tokens[this.#index + 1]
  }

  take(): Token {
    const token = this.next
    this.#index++
    return token
  }

  /** Takes the next token if it is this sign or word. */
  takes(value: string): boolean {
    if (!this.sees(value)) return false
    this.#index++
    return true
  }

  sees(value: string): boolean {
    return (this.next.kind === 'sign' || this.next.kind === 'name') && this.next.value === value
  }

  want(value: string): void {
    if (!this.takes(value)) this.fail(`"${value}" is missing here`)
  }

  wantName(): string {
    if (this.next.kind !== 'name') this.fail('a name is missing here')
    return this.take().value
  }

  isAtEnd(): boolean {
    return this.next.kind === 'end'
  }

  wantEnd(): void {
    if (this.next.kind !== 'end') this.fail(`"${this.next.value}" is not understood here`)
  }

  fail(message: string): never {
    throw new JinjaProblem(message, { template: this.template, at: this.next.at })
  }

  /** The condition of a loop is no choice between lists: in `for x in xs if x`, the `if` belongs to the loop. */
  inLoopHead<T>(read: () => T): T {
    this.#isLoopHead = true
    const value = read()
    this.#isLoopHead = false
    return value
  }

  get mayChoose(): boolean {
    return !this.#isLoopHead || this.#depth > 1
  }

  nested<T>(read: () => T): T {
    if (++this.#depth > deepest) this.fail('the expression is nested too deeply')
    const value = read()
    this.#depth--
    return value
  }
}

export function readExpression(reader: Reader): Expression {
  return reader.nested(() => {
    let then = readOr(reader)
    while (reader.mayChoose && reader.takes('if')) {
      const condition = readOr(reader)
      const otherwise = reader.takes('else') ? readExpression(reader) : undefined
      then = { kind: 'choice', at: then.at, condition, then, otherwise }
    }
    return then
  })
}

/** As `readExpression`, and several with commas between them are a list. */
export function readTuple(reader: Reader): Expression {
  const first = readExpression(reader)
  if (!reader.sees(',')) return first
  const items = [first]
  while (reader.takes(',')) {
    if (reader.next.kind === 'end' || reader.sees(')')) break
    items.push(readExpression(reader))
  }
  return { kind: 'list', at: first.at, items, isTuple: true }
}

type Level = (reader: Reader) => Expression

/** A level of precedence whose operators group from the left. */
function level(signs: readonly string[], below: Level): Level {
  return reader => {
    let left = below(reader)
    for (;;) {
      const sign = signs.find(each => reader.sees(each))
      if (sign === undefined) return left
      reader.take()
      left = { kind: 'binary', at: left.at, sign, left, right: below(reader) }
    }
  }
}

/** A sign belongs to its value before powers and filters do: `-2 ** 2` is 4, and `-3 | abs` is 3. */
const readUnary: Level = reader => readFiltered(reader, readSigned(reader))

function readSigned(reader: Reader): Expression {
  return reader.nested(() => {
    const { at } = reader.next
    const sign = ['-', '+'].find(each => reader.takes(each))
    if (sign === undefined) return readPostfix(reader, readPrimary(reader))
    return { kind: 'unary', at, sign, of: readSigned(reader) }
  })
}

const readPower = level(['**'], readUnary)
const readProduct = level(['*', '//', '/', '%'], readPower)
const readJoined = level(['~'], readProduct)
const readSum = level(['+', '-'], readJoined)
const comparisons = ['==', '!=', '<=', '>=', '<', '>', 'in']

/** `a < b < c` asks both. */
const readComparison: Level = reader => {
  let left = readSum(reader)
  let all: Expression | undefined
  for (;;) {
    const isNotIn = reader.sees('not') && reader.afterNext?.value === 'in'
    if (isNotIn) reader.take()
    const sign = comparisons.find(each => reader.takes(each))
    if (sign === undefined) return all ?? left
    const right = readSum(reader)
    const one: Expression = { kind: 'binary', at: left.at, sign: isNotIn ? 'not in' : sign, left, right }
    all = all === undefined ? one : { kind: 'binary', at: all.at, sign: 'and', left: all, right: one }
    left = right
  }
}

const readNot: Level = reader => {
  const { at } = reader.next
  if (!reader.takes('not')) return readComparison(reader)
  return reader.nested(() => ({ kind: 'unary', at, sign: 'not', of: readNot(reader) }))
}

const readOr = level(['or'], level(['and'], readNot))

function readFiltered(reader: Reader, start: Expression): Expression {
  let value = start
  for (;;) {
    const { at } = reader.next
    if (reader.takes('|')) value = readFilter(reader, value, at)
    else if (reader.takes('is')) value = readTest(reader, value, at)
    else return value
  }
}

function readFilter(reader: Reader, of: Expression, at: number): Expression {
  const name = dottedName(reader)
  const given = reader.takes('(') ? readGiven(reader) : nothingGiven
  return readPostfix(reader, { kind: 'filter', at, of, name, given })
}

function dottedName(reader: Reader): string {
  let name = reader.wantName()
  while (reader.takes('.')) name += `.${reader.wantName()}`
  return name
}

const endOfTest = new Set(['else', 'or', 'and', 'is', 'in', 'not', 'if', 'recursive'])

function readTest(reader: Reader, of: Expression, at: number): Expression {
  const negated = reader.takes('not')
  const name = dottedName(reader)
  const { next } = reader
  const takesValue =
    ['text', 'int', 'float'].includes(next.kind) ||
    (next.kind === 'name' && !endOfTest.has(next.value)) ||
    reader.sees('[') ||
    reader.sees('{')
  let given = nothingGiven
  if (reader.takes('(')) given = readGiven(reader)
  else if (takesValue) {
    const value = readPostfix(reader, readPrimary(reader))
    given = { positional: [{ value, isSpread: false }], named: [] }
  }
  return { kind: 'test', at, of, name, given, negated }
}

function readPostfix(reader: Reader, start: Expression): Expression {
  let value = start
  for (;;) {
    const { at } = reader.next
    if (reader.takes('.')) {
      const { kind, value: name } = reader.take()
      if (kind === 'int') value = { kind: 'item', at, of: value, key: literal(Number(name), at) }
      else if (kind === 'name') value = { kind: 'member', at: value.at, of: value, name }
      else reader.fail('a name is missing after the dot')
    } else if (reader.takes('[')) value = readItem(reader, value, at)
    else if (reader.takes('(')) value = { kind: 'call', at: value.at, of: value, given: readGiven(reader) }
    else return value
  }
}

function readItem(reader: Reader, of: Expression, at: number): Expression {
  const bounds: (Expression | undefined)[] = [undefined]
  let isSlice = false
  while (!reader.takes(']')) {
    if (reader.takes(':')) {
      isSlice = true
      bounds.push(undefined)
    } else bounds[bounds.length - 1] = readExpression(reader)
    if (bounds.length > 3) reader.fail('a slice has three parts at most')
  }
  const [key] = bounds
  if (isSlice) return { kind: 'slice', at, of, bounds }
  if (key === undefined) return reader.fail('the brackets are empty')
  return { kind: 'item', at, of, key }
}

export function readGiven(reader: Reader): Given {
  const positional: { value: Expression; isSpread: boolean }[] = []
  const named: { name: string | undefined; value: Expression }[] = []
  while (!reader.takes(')')) {
    if (reader.takes('**')) named.push({ name: undefined, value: readExpression(reader) })
    else if (reader.takes('*')) positional.push({ value: readExpression(reader), isSpread: true })
    else if (
      reader.next.kind === 'name' &&
      reader.afterNext?.value === '=' &&
      reader.afterNext?.kind === 'sign'
    ) {
      const name = reader.take().value
      reader.take()
      named.push({ name, value: readExpression(reader) })
    } else positional.push({ value: readExpression(reader), isSpread: false })
    if (!reader.sees(')')) reader.want(',')
  }
  return { positional, named }
}

function literal(value: null | boolean | string | number, at: number, isFloat = false): Expression {
  return { kind: 'literal', value, at, isFloat }
}

const constants: Readonly<Record<string, null | boolean>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}

function readPrimary(reader: Reader): Expression {
  const token = reader.take()
  const { kind, value, at } = token
  if (kind === 'text') {
    let text = value
    while (reader.next.kind === 'text') text += reader.take().value
    return literal(text, at)
  }
  if (kind === 'int' || kind === 'float') return literal(Number(value), at, kind === 'float')
  if (kind === 'name') {
    return Object.hasOwn(constants, value)
      ? literal(constants[value] ?? null, at)
      : { kind: 'name', name: value, at }
  }
  if (value === '(') return reader.nested(() => readBracket(reader, at))
  if (value === '[') return reader.nested(() => ({ kind: 'list', at, items: readList(reader, ']') }))
  if (value === '{') return reader.nested(() => readDict(reader, at))
  throw new JinjaProblem(kind === 'end' ? 'a value is missing here' : `"${value}" is not understood here`, {
    template: reader.template,
    at,
  })
}

function readBracket(reader: Reader, at: number): Expression {
  if (reader.takes(')')) return { kind: 'list', at, items: [], isTuple: true }
  const value = readTuple(reader)
  reader.want(')')
  return value
}

function readList(reader: Reader, close: string): readonly Expression[] {
  const items: Expression[] = []
  while (!reader.takes(close)) {
    items.push(readExpression(reader))
    if (!reader.sees(close)) reader.want(',')
  }
  return items
}

function readDict(reader: Reader, at: number): Expression {
  const entries: (readonly [Expression, Expression])[] = []
  while (!reader.takes('}')) {
    const key = readExpression(reader)
    reader.want(':')
    entries.push([key, readExpression(reader)])
    if (!reader.sees('}')) reader.want(',')
  }
  return { kind: 'dict', at, entries }
}
