/**
 * Reads types, in casts and before strings: `DECIMAL(12, 2)[]`, `STRUCT(a INT)`, `TIMESTAMP WITH TIME ZONE`.
 */
import { cannotBe, wordSet } from '../grammar.ts'
import type { Expression, Name, TypeText } from '../tree.ts'
import { expressionsIn } from './brackets.ts'
import { deepest, skipTooDeep } from './depth.ts'
import { readExpression } from './expression.ts'
import { readIntervalUnit } from './forms.ts'
import { readClose, readItems } from './lists.ts'
import { typedLiteral } from './literals.ts'
import { nameOf } from './names.ts'
import { insertion, report } from './problems.ts'
import { advance, is, peek, previous, type Reader, take, takeBoth } from './reader.ts'

export function readType(reader: Reader): TypeText {
  const { start } = reader.token
  const names: Name[] = []
  if (!beginsType(reader)) {
    reportNoType(reader)
    return { start: reader.end, end: reader.end, names }
  }
  readTypeInto(reader, names)
  return { start, end: reader.end, names }
}

function beginsType(reader: Reader): boolean {
  const { token } = reader
  if (token.kind === 'quoted') return true
  if (token.kind !== 'word') return false
  return (token.bits & cannotBe.type) === 0 || nested.has(token.word) || token.word === 'setof'
}

const nested = new Set(['struct', 'row', 'map', 'union', 'national'])

function reportNoType(reader: Reader): void {
  const before = previous(reader) ?? reader.token
  report(reader, before, 'a type is missing', {
    hint: 'Write a type such as INTEGER there.',
    repair: [insertion(reader.end, ' VARCHAR')],
  })
}

function readTypeInto(reader: Reader, names: Name[]): void {
  if (reader.depth >= deepest) {
    skipTooDeep(reader)
    return
  }
  reader.depth++
  take(reader, 'setof')
  const { word } = reader.token
  const name = nameOf(reader, advance(reader))
  if (reader.token.word === '.') readQualifiedType(reader, name, names)
  else {
    names.push(name)
    readTypeRest(reader, word, names)
  }
  readBounds(reader)
  reader.depth--
}

function readQualifiedType(reader: Reader, first: Name, names: Name[]): void {
  let name = first
  while (reader.token.word === '.') {
    advance(reader)
    if (reader.token.kind === 'word' || reader.token.kind === 'quoted') name = nameOf(reader, advance(reader))
  }
  names.push(name)
  if (reader.token.word === '(') readModifiers(reader)
}

/** Reads what may follow the first word of a type. */
function readTypeRest(reader: Reader, word: string, names: Name[]): void {
  if (word === 'national' && !take(reader, 'character')) take(reader, 'char')
  if (word === 'double') take(reader, 'precision')
  else if (varying.has(word)) take(reader, 'varying')
  else if (word === 'interval') readIntervalUnit(reader)
  if (reader.token.word === '(') {
    if (nested.has(word)) readMembers(reader, word === 'map', names)
    else readModifiers(reader)
  }
  if (word === 'time' || word === 'timestamp') readTimeZone(reader)
}

const varying = new Set(['bit', 'char', 'character', 'national', 'nchar'])

function readTimeZone(reader: Reader): void {
  const { word } = reader.token
  if ((word !== 'with' && word !== 'without') || peek(reader).word !== 'time') return
  advance(reader)
  takeBoth(reader, 'time', 'zone')
}

/** Reads `(12, 2)` and `('a', 'b')`. */
function readModifiers(reader: Reader): void {
  advance(reader)
  if (!is(reader, ')')) readItems(reader, expressionsIn[')'], () => readExpression(reader))
  readClose(reader, ')')
}

/** Reads `(name type, …)`, or `(type, type)` of a MAP. */
function readMembers(reader: Reader, bare: boolean, names: Name[]): void {
  advance(reader)
  do {
    const isNamed = !bare && (reader.token.kind === 'word' || reader.token.kind === 'quoted')
    if (isNamed) advance(reader)
    if (!beginsType(reader)) break
    readTypeInto(reader, names)
  } while (take(reader, ','))
  readClose(reader, ')')
}

/** Reads any number of `[]`, `[3]`, `ARRAY`, `ARRAY[3]`. */
function readBounds(reader: Reader): void {
  if (reader.token.word === 'array') advance(reader)
  while (reader.token.word === '[') {
    const next = peek(reader)
    if (next.word === ']') advance(reader)
    else if (next.kind === 'number' && peek(reader, 2).word === ']') {
      advance(reader)
      advance(reader)
    } else return
    advance(reader)
  }
}

// ---------------------------------------------------------------- before strings

const constants = wordSet(
  `bigint bit boolean char character dec decimal double float int integer national nchar numeric real
  smallint time timestamp varchar`,
)

/**
 * Returns whether `TIMESTAMP WITH TIME ZONE '…'` or `DECIMAL(12, 2) '1.5'` follows; a single word before its
 * string is handled elsewhere.
 */
export function isTypedConstant(reader: Reader): boolean {
  if (!constants.has(reader.token.word)) return false
  let by = 1
  while (constantWords.has(peek(reader, by).word)) by++
  if (peek(reader, by).word === '(') {
    while (by < 8 && peek(reader, by).word !== ')') by++
    by++
    while (constantWords.has(peek(reader, by).word)) by++
  }
  return by > 1 && peek(reader, by).kind === 'string'
}

const constantWords = wordSet('varying precision with without time zone char character')

export function readTypedConstant(reader: Reader): Expression {
  const { start } = reader.token
  const [name] = readType(reader).names
  const typeName = name ?? nameOf(reader, reader.token)
  return reader.token.kind === 'string'
    ? typedLiteral(reader, start, typeName)
    : { kind: 'reference', start, end: reader.end, tag: undefined, path: [typeName] }
}
