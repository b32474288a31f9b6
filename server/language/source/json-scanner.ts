/**
 * Walks over JSON in bytes without making objects of it: finds where each value ends, checks that it is valid, and
 * notes in a shape what kinds of values it saw. As strict as JSON.parse, with two differences: NaN, Infinity and
 * -Infinity are numbers (many servers write them, DuckDB reads them), and a key given twice in one object is refused
 * where a shape is kept (one of the two values would be lost). Never keeps a value.
 */
import { classifyText } from './iso-time.ts'
import { type JsonField, type JsonShape, newShape, seen } from './json-shape.ts'

/** The bytes end before the value does: more may come. */
export const incomplete: unique symbol = Symbol('incomplete')

/** Not JSON. `offset` is in the bytes given to `use`. */
export class JsonProblem extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Bytes below this are never part of a token. */
const space = 32
const maxDepth = 500
const maxKeys = 2000
const maxRecordKeys = 10_000
const none = newShape()

/** Numbers every object of every scan: one shape may gather what several scanners see. */
let objects = 0

export interface JsonScanner {
  /**
   * Looks at `bytes` from now on. `bytes[end]` must exist and be 0: every loop stops there, so none counts. At the
   * end of the text (`final`) an unfinished value is a JsonProblem, before it throws `incomplete`.
   */
  use(bytes: Uint8Array, end: number, final: boolean): void
  /** The end of the value at `start`; what it holds is noted in `shape` down to `levels` objects. */
  value(start: number, shape: JsonShape | undefined, levels: number): number
  /** The first offset from `start` on that is not white space. */
  skipSpace(start: number): number
  /** The end of the string at `start`, both quotes included. */
  string(start: number): number
  /** Since `clearFlags` there was an escape of half a character: no text can hold it. */
  readonly loneSurrogates: boolean
  /** Since `clearFlags` there was a line break between tokens. */
  readonly lineBreaks: boolean
  clearFlags(): void
  /** Throws what is to be thrown for a byte that cannot stand at `offset`. */
  unexpected(offset: number): never
}

export function createJsonScanner(): JsonScanner {
  let bytes: Uint8Array = new Uint8Array(1)
  let end = 0
  let final = true
  let at = 0
  let loneSurrogates = false
  let lineBreaks = false

  function fail(message: string, offset: number): never {
    if (offset >= end) {
      if (!final) throw incomplete
      throw new JsonProblem('the text ends in the middle of a value', end)
    }
    throw new JsonProblem(message, offset)
  }

  function unexpected(offset: number): never {
    return fail(`unexpected ${describeByte(bytes[offset] as number)}`, offset)
  }

  function whitespace(): number {
    for (;;) {
      const byte = bytes[at] as number
      if (byte > space) return byte
      if (byte === 10 || byte === 13) lineBreaks = true
      else if (byte !== 32 && byte !== 9) return byte
      at++
    }
  }

  function value(shape: JsonShape, levels: number, depth: number): void {
    const byte = bytes[at] as number
    if (byte === 34) text(shape)
    else if (byte === 123) object(shape, levels, depth)
    else if (byte === 91) list(shape, levels, depth)
    else if (byte === 45 || (byte >= 48 && byte <= 57)) number(shape)
    else literal(shape, byte)
  }

  function text(shape: JsonShape): void {
    const start = at + 1
    const escaped = string()
    if ((shape.kinds & seen.text) === 0)
      shape.kinds |= escaped ? seen.text : classifyText(bytes, start, at - 1)
  }

  /** Moves behind the string at `at`; true where it holds escapes. */
  function string(): boolean {
    let escaped = false
    let position = at + 1
    for (;;) {
      const byte = bytes[position] as number
      if (byte === 34) {
        at = position + 1
        return escaped
      }
      if (byte === 92) {
        escaped = true
        position = escapeSequence(position + 1)
      } else if (byte < space) {
        if (position >= end) fail('', position)
        fail(`unescaped ${describeByte(byte)} in a string`, position)
      } else position++
    }
  }

  /** The offset behind the escape whose letter is at `position`. */
  function escapeSequence(position: number): number {
    const byte = bytes[position] as number
    if (byte === 117) return unicodeEscape(position + 1)
    // " \ / b f n r t
    if (byte === 34 || byte === 92 || byte === 47 || byte === 98) return position + 1
    if (byte === 102 || byte === 110 || byte === 114 || byte === 116) return position + 1
    return unexpected(position)
  }

  function unicodeEscape(position: number): number {
    const unit = codeUnit(position)
    const next = position + 4
    if (unit < 0xd800 || unit > 0xdfff) return next
    if (unit > 0xdbff || bytes[next] !== 92 || bytes[next + 1] !== 117) {
      if (unit <= 0xdbff && next + 1 >= end && !final) throw incomplete
      loneSurrogates = true
      return next
    }
    const low = codeUnit(next + 2)
    if (low >= 0xdc00 && low <= 0xdfff) return next + 6
    loneSurrogates = true
    return next
  }

  function codeUnit(position: number): number {
    let unit = 0
    for (let index = position; index < position + 4; index++) {
      const byte = bytes[index] as number
      const digit = byte <= 57 ? byte - 48 : (byte | 32) - 87
      if (digit < 0 || digit > 15 || (byte > 57 && digit < 10)) unexpected(index)
      unit = unit * 16 + digit
    }
    return unit
  }

  function number(shape: JsonShape): void {
    const start = at
    if (bytes[at] === 45) at++
    const first = at
    if (bytes[at] === 73) {
      literal(shape, 73)
      return
    }
    if (bytes[at] === 48) at++
    else digits()
    let kind: number
    const byte = bytes[at] as number
    if (byte === 46 || byte === 101 || byte === 69) kind = fraction(first)
    else kind = at - first <= 15 ? seen.integer : longInteger(start)
    // A number may go on in the next bytes.
    if (at >= end && !final) throw incomplete
    if ((bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) unexpected(at)
    shape.kinds |= kind
  }

  function digits(): void {
    const start = at
    while ((bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) at++
    if (at === start) unexpected(at)
  }

  function fraction(first: number): number {
    if (bytes[at] === 46) {
      at++
      digits()
    }
    const significant = at - first - 1
    if (bytes[at] === 101 || bytes[at] === 69) {
      at++
      if (bytes[at] === 43 || bytes[at] === 45) at++
      digits()
    }
    return significant > 15 ? seen.double | seen.longDecimal : seen.double
  }

  function longInteger(start: number): number {
    if (at >= end && !final) throw incomplete
    const exact = BigInt(latin1(start, at))
    if (exact <= 9007199254740992n && exact >= -9007199254740992n) return seen.integer
    if (BigInt.asIntN(64, exact) === exact) return seen.longInteger
    return BigInt.asIntN(128, exact) === exact ? seen.hugeInteger : seen.endlessInteger
  }

  function literal(shape: JsonShape, byte: number): void {
    if (byte === 110) word('null', seen.null, shape)
    else if (byte === 116) word('true', seen.boolean, shape)
    else if (byte === 102) word('false', seen.boolean, shape)
    else if (byte === 78) word('NaN', seen.double, shape)
    else if (byte === 73) word('Infinity', seen.double, shape)
    else unexpected(at)
  }

  function word(letters: string, kind: number, shape: JsonShape): void {
    for (let index = 0; index < letters.length; index++) {
      if (bytes[at] !== letters.charCodeAt(index)) unexpected(at)
      at++
    }
    shape.kinds |= kind
  }

  function list(shape: JsonShape, levels: number, depth: number): void {
    if (depth >= maxDepth) fail(`more than ${maxDepth} levels of nesting`, at)
    shape.kinds |= seen.list
    let element = none
    if (levels > 0 && shape !== none) {
      element = shape.element ?? newShape()
      shape.element = element
    }
    at++
    if (whitespace() === 93) {
      at++
      return
    }
    for (;;) {
      value(element, levels, depth + 1)
      const byte = whitespace()
      at++
      if (byte === 93) return
      if (byte !== 44) unexpected(at - 1)
      whitespace()
    }
  }

  function object(shape: JsonShape, levels: number, depth: number): void {
    if (depth >= maxDepth) fail(`more than ${maxDepth} levels of nesting`, at)
    shape.kinds |= seen.object
    at++
    if (whitespace() === 125) {
      at++
      shape.objects++
      return
    }
    if (levels > 0 && shape !== none && (shape.kinds & seen.wide) === 0) knownObject(shape, levels, depth)
    else unknownObject(depth)
  }

  function unknownObject(depth: number): void {
    for (;;) {
      if (bytes[at] !== 34) unexpected(at)
      string()
      colon()
      value(none, 0, depth + 1)
      if (endOfMember()) return
    }
  }

  /** Keys come in the same order in most records: the expected one is compared as bytes, without making a string. */
  function knownObject(shape: JsonShape, levels: number, depth: number): void {
    const { fields } = shape
    const number = ++objects
    let expected = 0
    for (;;) {
      if (bytes[at] !== 34) unexpected(at)
      const candidate = fields[expected]
      let field: JsonField
      if (candidate !== undefined && startsWith(candidate.bytes, at + 1)) {
        at += candidate.bytes.length + 2
        field = candidate
      } else field = findField(shape, depth)
      if (field.lastObject === number) fail(`the key "${field.key}" is given twice in one object`, at - 1)
      field.lastObject = number
      expected = field.position + 1
      colon()
      value(field.shape, levels - 1, depth + 1)
      field.count++
      if (endOfMember()) {
        shape.objects++
        return
      }
    }
  }

  function startsWith(key: Uint8Array, offset: number): boolean {
    const { length } = key
    if (bytes[offset + length] !== 34) return false
    for (let index = 0; index < length; index++) if (bytes[offset + index] !== key[index]) return false
    return true
  }

  function findField(shape: JsonShape, depth: number): JsonField {
    const start = at + 1
    const escaped = string()
    const raw = bytes.slice(start, at - 1)
    const key = escaped ? (JSON.parse(`"${decodeUtf8(raw)}"`) as string) : decodeUtf8(raw)
    shape.byKey ??= new Map(shape.fields.map(field => [field.key, field]))
    const known = shape.byKey.get(key)
    if (known !== undefined) return known
    if (shape.fields.length >= (depth === 0 ? maxRecordKeys : maxKeys)) {
      if (depth === 0) fail(`records have more than ${maxRecordKeys} different keys`, start - 1)
      shape.kinds |= seen.wide
      return { key, bytes: raw, position: 0, shape: newShape(), lastObject: -1, count: 0 }
    }
    const field = {
      key,
      bytes: raw,
      position: shape.fields.length,
      shape: newShape(),
      lastObject: -1,
      count: 0,
    }
    shape.fields.push(field)
    shape.byKey.set(key, field)
    return field
  }

  function colon(): void {
    if (bytes[at] === 58) at++
    else {
      if (whitespace() !== 58) unexpected(at)
      at++
    }
    if ((bytes[at] as number) <= space) whitespace()
  }

  /** Behind a member: true at the end of the object, else at the next key. */
  function endOfMember(): boolean {
    let byte = bytes[at] as number
    if (byte <= space) byte = whitespace()
    if (byte === 125) {
      at++
      return true
    }
    if (byte !== 44) unexpected(at)
    at++
    if (bytes[at] !== 34) whitespace()
    return false
  }

  function latin1(start: number, stop: number): string {
    let result = ''
    for (let index = start; index < stop; index++) result += String.fromCharCode(bytes[index] as number)
    return result
  }

  return {
    use(nextBytes, nextEnd, nextFinal) {
      bytes = nextBytes
      end = nextEnd
      final = nextFinal
    },
    value(start, shape, levels) {
      at = start
      value(shape ?? none, levels, 0)
      return at
    },
    skipSpace(start) {
      at = start
      whitespace()
      return at
    },
    string(start) {
      at = start
      if (bytes[at] !== 34) unexpected(at)
      string()
      return at
    },
    get loneSurrogates() {
      return loneSurrogates
    },
    get lineBreaks() {
      return lineBreaks
    },
    unexpected,
    clearFlags() {
      loneSurrogates = false
      lineBreaks = false
    },
  }
}

function describeByte(byte: number): string {
  if (byte === 0) return 'NUL byte'
  if (byte < space) return `control character (byte ${byte})`
  return byte < 127 ? `"${String.fromCharCode(byte)}"` : `byte ${byte}`
}

/** UTF-8 that was checked before; the language has no decoder of its own. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++] as number
    if (first < 0x80) text += String.fromCharCode(first)
    else {
      const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1
      let point = first & (0x3f >> more)
      for (let index = 0; index < more; index++) point = (point << 6) | ((bytes[at++] ?? 0) & 0x3f)
      text += point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
    }
  }
  return text
}
