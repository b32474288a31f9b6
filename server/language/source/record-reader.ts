/**
 * Cuts the records out of a JSON text that comes in pieces: a list, a list somewhere inside an envelope, one object,
 * or one object a line. Holds no more than the piece it was given, one record, and the envelope around the records.
 * Gives bytes, never objects.
 */
import { createJsonScanner, decodeUtf8, incomplete, JsonProblem } from './json-scanner.ts'
import { type JsonField, type JsonShape, newShape, seen } from './json-shape.ts'

/** Where the records are. `lines`: one value a line (or simply one after the other). */
export type RecordPlace =
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'lines' }

export interface FoundRecord {
  /** The window that holds it; valid only during the call. */
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** It is an object; other values are loaded as `{"value": …}`. */
  readonly isObject: boolean
  /** It spreads over lines. */
  readonly lineBreaks: boolean
  /** A line break stands before it, or nothing. */
  readonly startsLine: boolean
  readonly loneSurrogates: boolean
}

export interface RecordReaderOptions {
  readonly place: RecordPlace
  /** Shape of the records. A record that is no object is noted as its key `value`. */
  readonly shape: JsonShape
  /** How many objects deep the shape is of interest, the record itself counted. */
  readonly levels: number
  readonly onRecord: (record: FoundRecord) => void
}

export interface RecordReader {
  push(piece: Uint8Array): void
  /** Checks that the text is complete. JsonProblem as for `push`; its offset counts from the start of the text. */
  end(): RecordEnvelope
}

export interface RecordEnvelope {
  readonly records: number
  /** The text around the records, with `[]` in their place; undefined for `lines`. */
  readonly bytes: Uint8Array | undefined
  /** What was at the path: `missing` where nothing was (`null` counts as an empty list). */
  readonly found: 'list' | 'object' | 'null' | 'missing' | 'scalar'
}

type State = 'start' | 'records' | 'suffix' | 'lines'

const initialSize = 64 * 1024
const emptyList: Uint8Array = new Uint8Array([91, 93])

export function createRecordReader(options: RecordReaderOptions): RecordReader {
  const scanner = createJsonScanner()
  const { place, shape, levels, onRecord } = options
  let window: Uint8Array = new Uint8Array(initialSize)
  let from = 0
  let to = 0
  /** Bytes of the text that lie before the window. */
  let dropped = 0
  let state: State = place.kind === 'lines' ? 'lines' : 'start'
  let first = true
  let startsLine = true
  let records = 0
  let prefix: Uint8Array = new Uint8Array(0)
  let found: RecordEnvelope['found'] = 'missing'
  /** The start of an envelope is read again from its beginning; not before twice as much is there. */
  let tryAgainAt = 0

  function push(piece: Uint8Array): void {
    makeRoom(piece.length)
    window.set(piece, to)
    to += piece.length
    window[to] = 0
    run(false)
  }

  function makeRoom(extra: number): void {
    if (to + extra + 1 <= window.length) return
    const kept = to - from
    const target =
      kept + extra + 1 <= window.length
        ? window
        : new Uint8Array(Math.max(window.length * 2, kept + extra + 1))
    target.set(window.subarray(from, to))
    window = target
    dropped += from
    tryAgainAt -= from
    from = 0
    to = kept
  }

  function run(final: boolean): void {
    scanner.use(window, to, final)
    try {
      if (state === 'start' && (final || to >= tryAgainAt)) findRecords()
      if (state === 'records') readList()
      if (state === 'lines') readLines()
    } catch (problem) {
      if (problem !== incomplete) throw placed(problem)
      if (state === 'start') tryAgainAt = from + 2 * (to - from)
    }
  }

  function placed(problem: unknown): unknown {
    return problem instanceof JsonProblem
      ? new JsonProblem(problem.message, dropped + problem.offset)
      : problem
  }

  function findRecords(): void {
    skipByteOrderMark()
    let at = scanner.skipSpace(from)
    const path = place.kind === 'path' ? place.path : []
    for (const step of path) {
      const next = memberNamed(at, step)
      if (next === undefined) {
        endWithout('missing')
        return
      }
      at = next
    }
    if (window[at] === 91) startList(at + 1)
    else if (window[at] === 123) singleRecord(at)
    else {
      scanner.value(at, undefined, 0)
      endWithout(window[at] === 110 ? 'null' : 'scalar')
    }
  }

  /** The offset of the value of `key` in the object at `start`. */
  function memberNamed(start: number, key: string): number | undefined {
    if (start >= to) scanner.unexpected(start)
    if (window[start] !== 123) return undefined
    let at = scanner.skipSpace(start + 1)
    while (window[at] !== 125) {
      const keyEnd = scanner.string(at)
      const name = JSON.parse(decodeUtf8(window.subarray(at, keyEnd))) as string
      at = expect(keyEnd, 58)
      if (name === key) return at
      at = scanner.skipSpace(scanner.value(at, undefined, 0))
      if (window[at] !== 125) at = expect(at, 44)
    }
    return undefined
  }

  /** The offset of the token behind the single character that must come next. */
  function expect(start: number, byte: number): number {
    const at = scanner.skipSpace(start)
    if (window[at] !== byte) scanner.unexpected(at)
    return scanner.skipSpace(at + 1)
  }

  function startList(at: number): void {
    found = 'list'
    prefix = window.slice(from, at - 1)
    from = at
    state = 'records'
  }

  function singleRecord(at: number): void {
    const end = readRecord(at)
    found = 'object'
    prefix = window.slice(from, at)
    from = end
    state = 'suffix'
  }

  /** There is no list at the path: the whole text is the envelope. */
  function endWithout(what: RecordEnvelope['found']): void {
    found = what
    state = 'suffix'
  }

  function readList(): void {
    for (;;) {
      let at = scanner.skipSpace(from)
      if (window[at] === 93) {
        from = at + 1
        state = 'suffix'
        return
      }
      if (!first) at = expect(at, 44)
      from = readRecord(at)
      first = false
    }
  }

  function readLines(): void {
    if (first) skipByteOrderMark()
    for (;;) {
      scanner.clearFlags()
      const at = scanner.skipSpace(from)
      if (scanner.lineBreaks) startsLine = true
      from = at
      if (at >= to) return
      from = readRecord(at)
      startsLine = false
      first = false
    }
  }

  function readRecord(at: number): number {
    scanner.clearFlags()
    if (at >= to) scanner.unexpected(at)
    const isObject = window[at] === 123
    const end = isObject ? scanner.value(at, shape, levels) : scanner.value(at, valueShape(at), levels - 1)
    const { lineBreaks, loneSurrogates } = scanner
    records++
    onRecord({ bytes: window, start: at, end, isObject, lineBreaks, startsLine, loneSurrogates })
    return end
  }

  /** The shape of a record that is no object; `null` says nothing. */
  function valueShape(at: number): JsonShape | undefined {
    if (window[at] === 110) return undefined
    shape.kinds |= seen.object
    shape.objects++
    const known = shape.fields.find(field => field.key === 'value') ?? newValueField()
    known.count++
    return known.shape
  }

  function newValueField(): JsonField {
    const bytes = new Uint8Array([118, 97, 108, 117, 101])
    const position = shape.fields.length
    const field = { key: 'value', bytes, position, shape: newShape(), lastObject: -1, count: 0 }
    shape.fields.push(field)
    shape.byKey?.set('value', field)
    return field
  }

  function skipByteOrderMark(): void {
    if (dropped + from === 0 && window[0] === 0xef && window[1] === 0xbb && window[2] === 0xbf) from = 3
  }

  function end(): RecordEnvelope {
    run(true)
    if (place.kind === 'lines') return { records, bytes: undefined, found: 'list' }
    if (state !== 'suffix') throw new JsonProblem('the text ends in the middle of a value', dropped + to)
    const placeholder = found === 'list' || found === 'object' ? emptyList : new Uint8Array(0)
    const bytes = concat([prefix, placeholder, window.subarray(from, to)])
    checkEnvelope(bytes)
    return { records, found, bytes }
  }

  /** What stands around the records must be JSON too, and nothing may follow it. */
  function checkEnvelope(bytes: Uint8Array): void {
    const { length } = bytes
    try {
      scanner.use(concat([bytes, new Uint8Array(1)]), length, true)
      const at = scanner.skipSpace(scanner.value(scanner.skipSpace(0), undefined, 0))
      if (at < length) throw new JsonProblem('there is more text behind the end of the JSON', at)
    } catch (problem) {
      if (!(problem instanceof JsonProblem)) throw problem
      const { message, offset } = problem
      throw new JsonProblem(message, offset < prefix.length ? offset : dropped + to - (length - offset))
    }
  }

  return { push, end }
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
