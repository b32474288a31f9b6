/**
 * Scans JSON in bytes without making objects: finds the end of each value, validates it, and records the
 * kinds of values in a shape. It is as strict as JSON.parse with two differences: NaN, Infinity and -Infinity
 * are numbers (many servers write them, DuckDB reads them), and duplicate keys in an object are rejected if a
 * shape is recorded (one of the values would be lost). It keeps no values.
 */
import { classifyText } from './iso-time.ts'
import {
  addField,
  fieldWithKey,
  type JsonField,
  type JsonShape,
  newField,
  newShape,
  plainTexts,
  seen,
} from './json-shape.ts'

/** Thrown if the bytes end inside the value and more may follow. */
export const incomplete: unique symbol = Symbol('incomplete')

/** Thrown for text that is not JSON. `offset` is in the bytes given to `use`. */
export class JsonProblem extends Error {
  readonly offset: number
  /** What to do about text that is JSON all the same, but not such as svc takes; undefined for other text. */
  readonly hint: string | undefined

  constructor(message: string, offset: number, hint?: string) {
    super(message)
    this.offset = offset
    this.hint = hint
  }

  get isJson(): boolean {
    return this.hint !== undefined
  }
}

/** Bytes below this are never part of a token. */
const space = 32
/** The levels of nesting without a setting. */
export const usualDepth = 500
export const maxKeys = 2000
export const maxRecordKeys = 10_000
const hints = {
  depth: 'Raise limits.depth under ingest, or ask the source for records that are less nested.',
  stack:
    'Ask the source for records that are less nested: no setting helps, so deep is what a process can read.',
  keys: 'Ask the source for a list instead of an object with a key for each thing; no key raises this limit.',
  twice: 'Ask the source to give each key once: one of the two values would be lost.',
}
const none = newShape()

/** Numbers the objects of all scans, because one shape may collect from several scanners. */
let objects = 0

export class JsonScanner {
  /** Whether an escaped lone surrogate was seen since `clearFlags`: no text can hold it. */
  loneSurrogates = false
  /** Where numbers begin and end that a DOUBLE would change, one after the other, since `clearFlags`. */
  inexact: number[] = []
  /** Whether a line break between tokens was seen since `clearFlags`. */
  lineBreaks = false
  #bytes: Uint8Array = new Uint8Array(1)
  #end = 0
  #final = true
  #at = 0
  readonly #mostLevels: number

  constructor(mostLevels = usualDepth) {
    this.#mostLevels = mostLevels
  }

  /**
   * Sets the bytes to scan. `bytes[end]` must exist and be 0: it stops every loop without a bounds check. At
   * the end of the text (`final`) an unfinished value is a JsonProblem; before, it throws `incomplete`.
   */
  use(bytes: Uint8Array, end: number, final: boolean): void {
    this.#bytes = bytes
    this.#end = end
    this.#final = final
  }

  /** Returns the end of the value at `start` and records its content in `shape` down to `levels` objects. */
  value(start: number, shape: JsonShape | undefined, levels: number): number {
    this.#at = start
    try {
      this.#readValue(shape ?? none, levels, 0)
    } catch (error) {
      // A level takes some of the stack of this process, which ends before a limit that is far too high.
      if (!(error instanceof RangeError)) throw error
      throw new JsonProblem('more levels of nesting than can be read', start, hints.stack)
    }
    return this.#at
  }

  /** Returns the first offset from `start` that is not white space. */
  skipSpace(start: number): number {
    this.#at = start
    this.#skipWhitespace()
    return this.#at
  }

  /** Returns the end of the string at `start`, after its closing quote. */
  string(start: number): number {
    this.#at = start
    if (this.#bytes[start] !== 34) this.unexpected(start)
    this.#skipString()
    return this.#at
  }

  clearFlags(): void {
    this.loneSurrogates = false
    this.lineBreaks = false
    if (this.inexact.length > 0) this.inexact = []
  }

  #fail(message: string, offset: number, hint?: string): never {
    if (offset >= this.#end) {
      if (!this.#final) throw incomplete
      throw new JsonProblem('the text ends in the middle of a value', this.#end)
    }
    throw new JsonProblem(message, offset, hint)
  }

  #tooDeep(): never {
    return this.#fail(`more than ${this.#mostLevels} levels of nesting`, this.#at, hints.depth)
  }

  /** Throws the error for an invalid byte at `offset`. */
  unexpected(offset: number): never {
    return this.#fail(`unexpected ${describeByte(this.#bytes[offset] as number)}`, offset)
  }

  #skipWhitespace(): number {
    for (;;) {
      const byte = this.#bytes[this.#at] as number
      if (byte > space) return byte
      if (byte === 10 || byte === 13) this.lineBreaks = true
      else if (byte !== 32 && byte !== 9) return byte
      this.#at++
    }
  }

  #readValue(shape: JsonShape, levels: number, depth: number): void {
    const byte = this.#bytes[this.#at] as number
    if (byte === 34) this.#readText(shape)
    else if (byte === 123) this.#readObject(shape, levels, depth)
    else if (byte === 91) this.#readList(shape, levels, depth)
    else if (byte === 45 || (byte >= 48 && byte <= 57)) this.#readNumber(shape)
    else this.#readLiteral(shape, byte)
  }

  #readText(shape: JsonShape): void {
    const start = this.#at + 1
    const escaped = this.#skipString()
    if (shape.texts === plainTexts) return
    const kind = escaped ? seen.text : classifyText(this.#bytes, start, this.#at - 1)
    shape.kinds |= kind
    if (kind === seen.text) shape.texts++
  }

  /** Skips the string at `at`; returns true if it has escapes. */
  #skipString(): boolean {
    let escaped = false
    let position = this.#at + 1
    for (;;) {
      const byte = this.#bytes[position] as number
      if (byte === 34) {
        this.#at = position + 1
        return escaped
      }
      if (byte === 92) {
        escaped = true
        position = this.#escapeSequence(position + 1)
      } else if (byte < space) {
        if (position >= this.#end) this.#fail('', position)
        this.#fail(`unescaped ${describeByte(byte)} in a string`, position)
      } else position++
    }
  }

  /** Returns the offset after the escape whose letter is at `position`. */
  #escapeSequence(position: number): number {
    const byte = this.#bytes[position] as number
    if (byte === 117) return this.#unicodeEscape(position + 1)
    // " \ / b f n r t
    if (byte === 34 || byte === 92 || byte === 47 || byte === 98) return position + 1
    if (byte === 102 || byte === 110 || byte === 114 || byte === 116) return position + 1
    return this.unexpected(position)
  }

  #unicodeEscape(position: number): number {
    const unit = this.#codeUnit(position)
    const next = position + 4
    if (unit < 0xd800 || unit > 0xdfff) return next
    if (unit > 0xdbff || this.#bytes[next] !== 92 || this.#bytes[next + 1] !== 117) {
      if (unit <= 0xdbff && next + 1 >= this.#end && !this.#final) throw incomplete
      this.loneSurrogates = true
      return next
    }
    const low = this.#codeUnit(next + 2)
    if (low >= 0xdc00 && low <= 0xdfff) return next + 6
    this.loneSurrogates = true
    return next
  }

  #codeUnit(position: number): number {
    let unit = 0
    for (let index = position; index < position + 4; index++) {
      const byte = this.#bytes[index] as number
      const digit = byte <= 57 ? byte - 48 : (byte | 32) - 87
      if (digit < 0 || digit > 15 || (byte > 57 && digit < 10)) this.unexpected(index)
      unit = unit * 16 + digit
    }
    return unit
  }

  #readNumber(shape: JsonShape): void {
    const start = this.#at
    if (this.#bytes[this.#at] === 45) this.#at++
    const first = this.#at
    if (this.#bytes[this.#at] === 73) {
      this.#readLiteral(shape, 73)
      return
    }
    if (this.#bytes[this.#at] === 48) this.#at++
    else this.#skipDigits()
    let kind: number
    const byte = this.#bytes[this.#at] as number
    if (byte === 46 || byte === 101 || byte === 69) kind = this.#readFraction(first, shape)
    else kind = this.#at - first <= 15 ? seen.integer : this.#longInteger(start)
    // A number may continue in the next bytes.
    if (this.#at >= this.#end && !this.#final) throw incomplete
    if ((this.#bytes[this.#at] as number) >= 48 && (this.#bytes[this.#at] as number) <= 57)
      this.unexpected(this.#at)
    shape.kinds |= kind
  }

  #skipDigits(): void {
    const start = this.#at
    while ((this.#bytes[this.#at] as number) >= 48 && (this.#bytes[this.#at] as number) <= 57) this.#at++
    if (this.#at === start) this.unexpected(this.#at)
  }

  #readFraction(first: number, shape: JsonShape): number {
    if (this.#bytes[this.#at] === 46) {
      this.#at++
      this.#skipDigits()
    }
    let isPlain = this.#at - first - 1 <= 15
    if (this.#bytes[this.#at] === 101 || this.#bytes[this.#at] === 69) {
      this.#at++
      if (this.#bytes[this.#at] === 43 || this.#bytes[this.#at] === 45) this.#at++
      this.#skipDigits()
      isPlain = false
    }
    // Fifteen digits always are those that a DOUBLE gives back.
    return isPlain ? seen.double : this.#longDecimal(first, shape)
  }

  #longDecimal(first: number, shape: JsonShape): number {
    if (this.#at >= this.#end && !this.#final) throw incomplete
    const text = this.#latin1(first, this.#at)
    const double = Number(text)
    if (isWritten(text, double)) return seen.double
    // The reader keeps the text of a number that is too large.
    if (double === Number.POSITIVE_INFINITY) return seen.endless
    this.inexact.push(this.#bytes[first - 1] === 45 ? first - 1 : first, this.#at)
    shape.hasInexact = true
    return double === 0 ? seen.endless : seen.double
  }

  #longInteger(start: number): number {
    if (this.#at >= this.#end && !this.#final) throw incomplete
    const exact = BigInt(this.#latin1(start, this.#at))
    if (exact <= 9007199254740992n && exact >= -9007199254740992n) return seen.integer
    if (BigInt.asIntN(64, exact) === exact) return seen.longInteger
    return BigInt.asIntN(128, exact) === exact ? seen.hugeInteger : seen.endless
  }

  #readLiteral(shape: JsonShape, byte: number): void {
    if (byte === 110) this.#readWord('null', seen.null, shape)
    else if (byte === 116) this.#readWord('true', seen.boolean, shape)
    else if (byte === 102) this.#readWord('false', seen.boolean, shape)
    else if (byte === 78) this.#readWord('NaN', seen.double, shape)
    else if (byte === 73) this.#readWord('Infinity', seen.double, shape)
    else this.unexpected(this.#at)
  }

  #readWord(letters: string, kind: number, shape: JsonShape): void {
    for (let index = 0; index < letters.length; index++) {
      if (this.#bytes[this.#at] !== letters.charCodeAt(index)) this.unexpected(this.#at)
      this.#at++
    }
    shape.kinds |= kind
  }

  #readList(shape: JsonShape, levels: number, depth: number): void {
    if (depth >= this.#mostLevels) this.#tooDeep()
    shape.kinds |= seen.list
    const inexact = this.inexact.length
    let element = none
    if (levels > 0 && shape !== none) {
      element = shape.element ?? newShape()
      shape.element = element
    }
    this.#at++
    if (this.#skipWhitespace() === 93) {
      this.#at++
      return
    }
    for (;;) {
      this.#readValue(element, levels, depth + 1)
      const byte = this.#skipWhitespace()
      this.#at++
      if (this.inexact.length > inexact) shape.hasInexact = true
      if (byte === 93) return
      if (byte !== 44) this.unexpected(this.#at - 1)
      this.#skipWhitespace()
    }
  }

  #readObject(shape: JsonShape, levels: number, depth: number): void {
    if (depth >= this.#mostLevels) this.#tooDeep()
    shape.kinds |= seen.object
    this.#at++
    if (this.#skipWhitespace() === 125) {
      this.#at++
      shape.objects++
      return
    }
    const inexact = this.inexact.length
    if (levels > 0 && shape !== none && (shape.kinds & seen.wide) === 0)
      this.#readKnownObject(shape, levels, depth)
    else this.#readUnknownObject(depth)
    if (this.inexact.length > inexact) shape.hasInexact = true
  }

  #readUnknownObject(depth: number): void {
    for (;;) {
      if (this.#bytes[this.#at] !== 34) this.unexpected(this.#at)
      this.#skipString()
      this.#skipColon()
      this.#readValue(none, 0, depth + 1)
      if (this.#endOfMember()) return
    }
  }

  /**
   * Reads an object whose keys are known. Most records have them in the same order, so the expected key is
   * compared as bytes without making a string.
   */
  #readKnownObject(shape: JsonShape, levels: number, depth: number): void {
    const { fields } = shape
    const number = ++objects
    let expected = 0
    for (;;) {
      if (this.#bytes[this.#at] !== 34) this.unexpected(this.#at)
      const candidate = fields[expected]
      let field: JsonField
      if (candidate !== undefined && this.#startsWith(candidate.bytes, this.#at + 1)) {
        this.#at += candidate.bytes.length + 2
        field = candidate
      } else field = this.#findField(shape, depth)
      if (field.lastObject === number)
        this.#fail(`the key "${field.key}" is given twice in one object`, this.#at - 1, hints.twice)
      field.lastObject = number
      expected = field.position + 1
      this.#skipColon()
      this.#readValue(field.shape, levels - 1, depth + 1)
      field.count++
      if (this.#endOfMember()) {
        shape.objects++
        return
      }
    }
  }

  #startsWith(key: Uint8Array, offset: number): boolean {
    const { length } = key
    if (this.#bytes[offset + length] !== 34) return false
    for (let index = 0; index < length; index++) if (this.#bytes[offset + index] !== key[index]) return false
    return true
  }

  #findField(shape: JsonShape, depth: number): JsonField {
    const start = this.#at + 1
    const escaped = this.#skipString()
    const raw = this.#bytes.slice(start, this.#at - 1)
    const key = escaped ? (JSON.parse(`"${decodeUtf8(raw)}"`) as string) : decodeUtf8(raw)
    const known = fieldWithKey(shape, key)
    if (known !== undefined) return known
    if (shape.fields.length >= (depth === 0 ? maxRecordKeys : maxKeys)) {
      if (depth === 0)
        this.#fail(`records have more than ${maxRecordKeys} different keys`, start - 1, hints.keys)
      shape.kinds |= seen.wide
      return newField(key, raw, 0)
    }
    return addField(shape, key, raw)
  }

  #skipColon(): void {
    if (this.#bytes[this.#at] === 58) this.#at++
    else {
      if (this.#skipWhitespace() !== 58) this.unexpected(this.#at)
      this.#at++
    }
    if ((this.#bytes[this.#at] as number) <= space) this.#skipWhitespace()
  }

  /** Reads past a member; returns true at the end of the object, false at the next key. */
  #endOfMember(): boolean {
    let byte = this.#bytes[this.#at] as number
    if (byte <= space) byte = this.#skipWhitespace()
    if (byte === 125) {
      this.#at++
      return true
    }
    if (byte !== 44) this.unexpected(this.#at)
    this.#at++
    if (this.#bytes[this.#at] !== 34) this.#skipWhitespace()
    return false
  }

  #latin1(start: number, stop: number): string {
    let result = ''
    for (let index = start; index < stop; index++) result += String.fromCharCode(this.#bytes[index] as number)
    return result
  }
}

/** Whether the shortest text of the number has the digits of this one. */
function isWritten(text: string, double: number): boolean {
  const shortest = String(double)
  return text === shortest || digitsOf(text) === digitsOf(shortest)
}

/** Returns the digits of a number without its exponent and the zeros around them; numbers as near as a rounding differ in them. */
function digitsOf(text: string): string {
  return text
    .replace(/[eE].*/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '')
}

function describeByte(byte: number): string {
  if (byte === 0) return 'NUL byte'
  if (byte < space) return `control character (byte ${byte})`
  return byte < 127 ? `"${String.fromCharCode(byte)}"` : `byte ${byte}`
}

/** Decodes UTF-8 that was validated before; this layer has no decoder of its own. */
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
