/**
 * Splits a JSON text that arrives in chunks into records: a list, a list inside an envelope, one object, or
 * one object per line. It holds only the present chunk, one record, and the envelope around the records. It
 * returns bytes, never objects.
 */
import { decodeUtf8, incomplete, JsonProblem, JsonScanner } from './json-scanner.ts'
import { addField, type JsonShape, seen } from './json-shape.ts'

/** The place of the records. `lines`: one value per line (or values one after the other). */
export type RecordPlace =
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'lines' }

export interface FoundRecord {
  /** The buffer that contains it; valid only during the call. */
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Whether it is an object; other values are loaded as `{"value": …}`. */
  readonly isObject: boolean
  /** Whether it has line breaks. */
  readonly lineBreaks: boolean
  /** Whether it starts a line. */
  readonly startsLine: boolean
  readonly loneSurrogates: boolean
  /** Where numbers begin and end in the buffer that a DOUBLE would change, one after the other. */
  readonly inexact: readonly number[]
}

export interface RecordReaderOptions {
  readonly place: RecordPlace
  /** The shape of the records. A record that is no object is recorded as its key `value`. */
  readonly shape: JsonShape
  /** The number of nested objects that the shape covers, including the record itself. */
  readonly levels: number
  readonly onRecord: (record: FoundRecord) => void
  /** The size of a record beyond which it is refused. */
  readonly mostBytes?: number
  /** The levels of nesting beyond which a record is refused. */
  readonly mostLevels?: number
}

export interface RecordEnvelope {
  readonly records: number
  /** The text around the records, with `[]` in their place; undefined for `lines`. */
  readonly bytes: Uint8Array | undefined
  /** The kind of the value at the path: `missing` if there was none (`null` counts as an empty list). */
  readonly found: 'list' | 'object' | 'null' | 'missing' | 'scalar'
}

type State = 'start' | 'records' | 'suffix' | 'lines'

const initialSize = 64 * 1024
const largeRecord = 1 << 20
const emptyList: Uint8Array = new Uint8Array([91, 93])
/** The letters of `value`. */
const valueKey: Uint8Array = new Uint8Array([118, 97, 108, 117, 101])

export function createRecordReader(options: RecordReaderOptions): RecordReader {
  return new RecordReader(options)
}

class RecordReader {
  readonly #scanner: JsonScanner
  readonly #options: RecordReaderOptions
  #window: Uint8Array = new Uint8Array(initialSize)
  #from = 0
  #to = 0
  /** The number of bytes of the text before the buffer. */
  #dropped = 0
  #state: State
  #first = true
  #startsLine = true
  #records = 0
  #prefix: Uint8Array = new Uint8Array(0)
  #found: RecordEnvelope['found'] = 'missing'
  /**
   * The start of an envelope and a long record are scanned again from their beginning, but only once twice as
   * much has arrived.
   */
  #tryAgainAt = 0

  constructor(options: RecordReaderOptions) {
    this.#scanner = new JsonScanner(options.mostLevels)
    this.#options = options
    this.#state = options.place.kind === 'lines' ? 'lines' : 'start'
  }

  push(piece: Uint8Array): void {
    this.#makeRoom(piece.length)
    this.#window.set(piece, this.#to)
    this.#to += piece.length
    this.#window[this.#to] = 0
    this.#run(false)
  }

  #makeRoom(extra: number): void {
    if (this.#to + extra + 1 <= this.#window.length) return
    const kept = this.#to - this.#from
    const target =
      kept + extra + 1 <= this.#window.length
        ? this.#window
        : new Uint8Array(Math.max(this.#window.length * 2, kept + extra + 1))
    target.set(this.#window.subarray(this.#from, this.#to))
    this.#window = target
    this.#dropped += this.#from
    this.#tryAgainAt -= this.#from
    this.#from = 0
    this.#to = kept
  }

  #run(final: boolean): void {
    this.#scanner.use(this.#window, this.#to, final)
    try {
      if (!final && this.#to < this.#tryAgainAt) return
      if (this.#state === 'start') this.#findRecords()
      if (this.#state === 'records') this.#readList()
      if (this.#state === 'lines') this.#readLines()
    } catch (problem) {
      if (problem !== incomplete) throw this.#placed(problem)
      const pending = this.#to - this.#from
      if (this.#state !== 'start') this.#refuseLarge(pending)
      if (this.#state === 'start' || pending > largeRecord) this.#tryAgainAt = this.#from + 2 * pending
    }
  }

  #refuseLarge(bytes: number): void {
    const { mostBytes = Number.POSITIVE_INFINITY } = this.#options
    if (bytes <= mostBytes) return
    throw new JsonProblem(
      `record ${this.#records + 1} is larger than ${mostBytes} bytes`,
      this.#dropped + this.#from,
      'Raise ingest.limits.record, or ask the source for smaller records.',
    )
  }

  #placed(problem: unknown): unknown {
    return problem instanceof JsonProblem
      ? new JsonProblem(problem.message, this.#dropped + problem.offset, problem.hint)
      : problem
  }

  #findRecords(): void {
    this.#skipByteOrderMark()
    let at = this.#scanner.skipSpace(this.#from)
    const { place } = this.#options
    const path = place.kind === 'path' ? place.path : []
    for (const step of path) {
      const next = this.#window[at] === 91 ? this.#itemAt(at, step) : this.#memberNamed(at, step)
      if (next === undefined) {
        this.#beginSuffix('missing')
        return
      }
      at = next
    }
    if (this.#window[at] === 91) this.#beginList(at + 1)
    else if (this.#window[at] === 123) this.#readSingle(at)
    else {
      this.#scanner.value(at, undefined, 0)
      this.#beginSuffix(this.#window[at] === 110 ? 'null' : 'scalar')
    }
  }

  /** Returns the offset of the value of `key` in the object at `start`. */
  #memberNamed(start: number, key: string): number | undefined {
    if (start >= this.#to) this.#scanner.unexpected(start)
    if (this.#window[start] !== 123) return undefined
    let at = this.#scanner.skipSpace(start + 1)
    while (this.#window[at] !== 125) {
      const keyEnd = this.#scanner.string(at)
      const name = JSON.parse(decodeUtf8(this.#window.subarray(at, keyEnd))) as string
      at = this.#expect(keyEnd, 58)
      if (name === key) return at
      at = this.#scanner.skipSpace(this.#scanner.value(at, undefined, 0))
      if (this.#window[at] !== 125) at = this.#expect(at, 44)
    }
    return undefined
  }

  /** Returns the offset of an item of the list at `start`, by its index from 0. */
  #itemAt(start: number, step: string): number | undefined {
    if (!/^\d+$/.test(step)) return undefined
    let at = this.#scanner.skipSpace(start + 1)
    for (let index = 0; this.#window[at] !== 93; index++) {
      if (index === Number(step)) return at
      at = this.#scanner.skipSpace(this.#scanner.value(at, undefined, 0))
      if (this.#window[at] !== 93) at = this.#expect(at, 44)
    }
    return undefined
  }

  /** Returns the offset of the token after a required character. */
  #expect(start: number, byte: number): number {
    const at = this.#scanner.skipSpace(start)
    if (this.#window[at] !== byte) this.#scanner.unexpected(at)
    return this.#scanner.skipSpace(at + 1)
  }

  #beginList(at: number): void {
    this.#found = 'list'
    this.#prefix = this.#window.slice(this.#from, at - 1)
    this.#from = at
    this.#state = 'records'
  }

  #readSingle(at: number): void {
    const end = this.#readRecord(at)
    this.#found = 'object'
    this.#prefix = this.#window.slice(this.#from, at)
    this.#from = end
    this.#state = 'suffix'
  }

  /** Starts the suffix where the path has no list: the whole text is the envelope. */
  #beginSuffix(what: RecordEnvelope['found']): void {
    this.#found = what
    this.#state = 'suffix'
  }

  #readList(): void {
    for (;;) {
      let at = this.#scanner.skipSpace(this.#from)
      if (this.#window[at] === 93) {
        this.#from = at + 1
        this.#state = 'suffix'
        return
      }
      if (!this.#first) at = this.#expect(at, 44)
      this.#from = this.#readRecord(at)
      this.#first = false
    }
  }

  #readLines(): void {
    if (this.#first) this.#skipByteOrderMark()
    for (;;) {
      this.#scanner.clearFlags()
      const at = this.#scanner.skipSpace(this.#from)
      if (this.#scanner.lineBreaks) this.#startsLine = true
      this.#from = at
      if (at >= this.#to) return
      this.#from = this.#readRecord(at)
      this.#startsLine = false
      this.#first = false
    }
  }

  #readRecord(at: number): number {
    this.#scanner.clearFlags()
    if (at >= this.#to) this.#scanner.unexpected(at)
    const { shape, levels, onRecord } = this.#options
    const isObject = this.#window[at] === 123
    const end = isObject
      ? this.#scanner.value(at, shape, levels)
      : this.#scanner.value(at, this.#valueShape(at), levels - 1)
    this.#refuseLarge(end - at)
    const { lineBreaks, loneSurrogates, inexact } = this.#scanner
    this.#records++
    onRecord({
      bytes: this.#window,
      start: at,
      end,
      isObject,
      lineBreaks,
      startsLine: this.#startsLine,
      loneSurrogates,
      inexact,
    })
    return end
  }

  /** Returns the shape for a record that is no object; `null` adds nothing. */
  #valueShape(at: number): JsonShape | undefined {
    if (this.#window[at] === 110) return undefined
    const { shape } = this.#options
    shape.kinds |= seen.object
    shape.objects++
    const known = shape.fields.find(field => field.key === 'value') ?? addField(shape, 'value', valueKey)
    known.count++
    return known.shape
  }

  #skipByteOrderMark(): void {
    if (
      this.#dropped + this.#from === 0 &&
      this.#window[0] === 0xef &&
      this.#window[1] === 0xbb &&
      this.#window[2] === 0xbf
    )
      this.#from = 3
  }

  /**
   * Checks that the text is complete. Throws JsonProblem like `push`, with an offset from the start of the
   * text.
   */
  end(): RecordEnvelope {
    this.#run(true)
    if (this.#options.place.kind === 'lines')
      return { records: this.#records, bytes: undefined, found: 'list' }
    if (this.#state !== 'suffix')
      throw new JsonProblem('the text ends in the middle of a value', this.#dropped + this.#to)
    const placeholder = this.#found === 'list' || this.#found === 'object' ? emptyList : new Uint8Array(0)
    const bytes = concat([this.#prefix, placeholder, this.#window.subarray(this.#from, this.#to)])
    this.#checkEnvelope(bytes)
    return { records: this.#records, found: this.#found, bytes }
  }

  /** Checks that the envelope is valid JSON and that nothing follows it. */
  #checkEnvelope(bytes: Uint8Array): void {
    const { length } = bytes
    try {
      this.#scanner.use(concat([bytes, new Uint8Array(1)]), length, true)
      const at = this.#scanner.skipSpace(this.#scanner.value(this.#scanner.skipSpace(0), undefined, 0))
      if (at < length) throw new JsonProblem('there is more text after the end of the JSON', at)
    } catch (problem) {
      if (!(problem instanceof JsonProblem)) throw problem
      const { message, offset, hint } = problem
      throw new JsonProblem(
        message,
        offset < this.#prefix.length ? offset : this.#dropped + this.#to - (length - offset),
        hint,
      )
    }
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
