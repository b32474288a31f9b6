/**
 * Tells the lines of a text file with a delimiter apart: records, empty lines, comments. A record may have line ends between
 * quotes. This is our own rule of what a record is; the database only reads files of which it makes the same records.
 */

export interface Dialect {
  /** Empty where a line is one value. */
  readonly delimiter: string
  /** Empty for none. */
  readonly quote: string
  readonly escape: string
  /** Begins a line that is no record; empty for none. */
  readonly comment: string
  /** Whether a carriage return alone ends a line, as in files without any line feed. */
  readonly returnEnds: boolean
}

export interface TextLine {
  readonly kind: 'record' | 'empty' | 'comment'
  /** Holds the line from `start` to `end`; used for the next one afterwards. */
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** The number of the line, counted from 1, in which it begins. */
  readonly line: number
  readonly fields: number
  /** `quote`: something stands behind a closing quote; `open`: a quote is closed behind the end of its line, or never. */
  readonly problem: 'quote' | 'open' | undefined
  /** Whether the database would read something else in it, so that it has to be written anew. */
  readonly isOdd: boolean
  readonly ending: 'lf' | 'crlf' | 'cr' | 'none'
}

/** Stands for a delimiter where a line is one value: the database needs one. */
export const noDelimiter = '\u001f'

const lineFeed = 10
const carriageReturn = 13
const space = 32

/** The bytes that have a meaning; all others are 0. The fields are counted by adding these up. */
const delimits = 1
const quotes = 2
const endsLine = 3
const returns = 4
const confuses = 5

/** So many bytes must follow a place before its meaning is certain. */
const lookAhead = 4

export function scanLines(dialect: Dialect, onLine: (line: TextLine) => void) {
  const scanner = new LineScanner(dialect, onLine)
  return {
    push: (bytes: Buffer) => scanner.push(bytes),
    end: () => scanner.end(),
  }
}

class LineScanner {
  readonly #onLine: (line: TextLine) => void
  readonly #meanings = new Uint8Array(256)
  readonly #delimiter: Buffer
  readonly #quote: number
  readonly #escape: number
  readonly #comment: Buffer
  readonly #returnEnds: boolean
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0
  /** Whether the bytes are a copy, which may be written behind its end. */
  #isOwn = false
  /** Where the record begins that is being read, and the next byte. */
  #start = 0
  #at = 0
  #line = 1
  /** The number of lines that ended between the quotes of this record. */
  #inner = 0
  #openedAt = 0
  #fields = 1
  #isQuoted = false
  #isClosed = false
  #isBroken = false
  #isOdd = false
  #problem: TextLine['problem']

  constructor(dialect: Dialect, onLine: (line: TextLine) => void) {
    this.#onLine = onLine
    this.#delimiter = Buffer.from(dialect.delimiter)
    this.#quote = dialect.quote === '' ? -1 : (Buffer.from(dialect.quote)[0] as number)
    this.#escape = dialect.escape === '' ? this.#quote : (Buffer.from(dialect.escape)[0] as number)
    this.#comment = Buffer.from(dialect.comment)
    this.#returnEnds = dialect.returnEnds
    this.#meanings[lineFeed] = endsLine
    this.#meanings[carriageReturn] = returns
    if (this.#quote >= 0) this.#meanings[this.#quote] = quotes
    if (this.#delimiter.length > 0) this.#meanings[this.#delimiter[0] as number] = delimits
    else this.#meanings[noDelimiter.charCodeAt(0)] = confuses
  }

  push(chunk: Buffer): void {
    this.#append(chunk)
    this.#scan(this.#length - lookAhead)
  }

  end(): void {
    this.#scan(this.#length)
    if (this.#start < this.#length) this.#finish(this.#length, this.#length, 'none')
  }

  /** Keeps the record that is not at its end, and adds what follows it. */
  #append(chunk: Buffer): void {
    const kept = this.#length - this.#start
    if (kept === 0) {
      this.#bytes = chunk
    } else {
      const needed = kept + chunk.length
      // Half as much again, so that a long record is not copied for each of its pieces.
      const into = Buffer.allocUnsafe(kept > chunk.length ? needed + (needed >> 1) : needed)
      const room = this.#start === 0 && this.#bytes.length >= needed && this.#isOwn ? this.#bytes : into
      if (room !== this.#bytes) this.#bytes.copy(room, 0, this.#start, this.#length)
      chunk.copy(room, kept)
      this.#bytes = room
      this.#isOwn = true
    }
    if (kept === 0) this.#isOwn = false
    this.#at -= this.#start
    this.#start = 0
    this.#length = kept + chunk.length
  }
  #scan(limit: number): void {
    while (this.#at < limit) {
      if (this.#isQuoted) this.#scanQuoted(limit)
      else if (this.#isClosed) this.#scanClosed(limit)
      else this.#scanPlain(limit)
    }
  }

  #scanPlain(limit: number): void {
    const bytes = this.#bytes
    const meanings = this.#meanings
    const isOneByte = this.#delimiter.length === 1 && this.#comment.length === 0
    let at = this.#at
    while (at < limit) {
      let meaning = meanings[bytes[at] as number]
      // Most bytes are passed here, so nothing else is done for them.
      if (isOneByte && meaning !== undefined && meaning <= delimits) {
        let fields = this.#fields
        do {
          fields += meaning
          if (++at >= limit) break
          meaning = meanings[bytes[at] as number] as number
        } while (meaning <= delimits)
        this.#fields = fields
        if (at >= limit) break
      }
      if (meaning === endsLine) at = this.#finish(at, at + 1, 'lf')
      else if (meaning === quotes && this.#opens(at)) {
        this.#isQuoted = true
        this.#openedAt = this.#inner
        this.#at = at + 1
        return
      } else at = this.#passOther(at, meaning as number)
    }
    this.#at = at
  }

  /** Passes what is rarer than values and line feeds, and returns the next place. */
  #passOther(at: number, meaning: number): number {
    if (meaning === delimits && this.#isDelimiter(at)) {
      this.#fields++
      return at + this.#delimiter.length
    }
    if (meaning === returns) {
      if (at + 1 < this.#length && this.#bytes[at + 1] === lineFeed) return this.#finish(at, at + 2, 'crlf')
      if (this.#returnEnds) return this.#finish(at, at + 1, 'cr')
    }
    if (meaning === returns || meaning === confuses) this.#isOdd = true
    return at + 1
  }

  #isDelimiter(at: number): boolean {
    const { length } = this.#delimiter
    if (this.#isComment()) return false
    return length === 1 || this.#bytes.compare(this.#delimiter, 0, length, at, at + length) === 0
  }

  #isComment(): boolean {
    const { length } = this.#comment
    if (length === 0 || this.#start + length > this.#length) return false
    return this.#bytes.compare(this.#comment, 0, length, this.#start, this.#start + length) === 0
  }

  /** A quote opens a value only at its beginning, or behind spaces. */
  #opens(at: number): boolean {
    if (this.#isBroken || this.#isComment()) return false
    let from = at
    const isSpaced = this.#delimiter[0] !== space
    while (isSpaced && from > this.#start && this.#bytes[from - 1] === space) from--
    if (from === this.#start) return true
    const { length } = this.#delimiter
    return length > 0 && this.#bytes.compare(this.#delimiter, 0, length, from - length, from) === 0
  }

  #scanQuoted(limit: number): void {
    const bytes = this.#bytes
    const quote = this.#quote
    const mark = this.#escape
    let at = this.#at
    while (at < limit) {
      const byte = bytes[at] as number
      const next = at + 1 < this.#length ? bytes[at + 1] : undefined
      if (byte === mark && (next === quote || (next === mark && mark !== quote))) at += 2
      else if (byte === quote) {
        this.#isQuoted = false
        this.#isClosed = true
        at++
        break
      } else {
        if (byte === mark) this.#isOdd = true
        if (byte === lineFeed || (byte === carriageReturn && this.#returnEnds)) this.#inner++
        at++
      }
    }
    this.#at = at
  }

  /** Behind a closing quote the value ends, but for spaces. */
  #scanClosed(limit: number): void {
    let at = this.#at
    const isSpaced = this.#delimiter[0] !== space
    while (isSpaced && at < limit && this.#bytes[at] === space) at++
    this.#at = at
    if (at >= limit) return
    this.#isClosed = false
    const meaning = this.#meanings[this.#bytes[at] as number]
    if (meaning === endsLine || (meaning === delimits && this.#isDelimiter(at))) return
    if (meaning === returns && (this.#returnEnds || this.#bytes[at + 1] === lineFeed)) return
    this.#isBroken = true
    this.#problem = this.#inner > this.#openedAt ? 'open' : (this.#problem ?? 'quote')
  }

  #finish(end: number, next: number, ending: TextLine['ending']): number {
    if (this.#isQuoted) this.#problem = this.#inner > 0 ? 'open' : 'quote'
    const isEmpty = end === this.#start
    const kind = isEmpty ? 'empty' : this.#isComment() ? 'comment' : 'record'
    this.#onLine({
      kind,
      bytes: this.#bytes,
      start: this.#start,
      end,
      line: this.#line,
      fields: this.#fields,
      problem: this.#problem,
      isOdd: this.#isOdd,
      ending,
    })
    this.#line += this.#inner + 1
    this.#inner = 0
    this.#fields = 1
    this.#isQuoted = false
    this.#isClosed = false
    this.#isBroken = false
    this.#isOdd = false
    this.#problem = undefined
    this.#start = next
    return next
  }
}
