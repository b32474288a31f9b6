/**
 * Holds a whole text file against its layout: each of its lines is a record as wide as the header, or is counted and named. The
 * database reads the file where it is only if it finds the very same records in it.
 */
import { isUtf8 } from 'node:buffer'
import { notUtf8 } from './decode.ts'
import type { TextLayout } from './find-layout.ts'
import { textOf } from './read-text.ts'
import { scanLines, type TextLine } from './scan-lines.ts'
import { splitValues } from './split-values.ts'
import { createUtf8Check } from './utf8-check.ts'

export interface Counted {
  readonly count: number
  /** The number of the first line. */
  readonly first: number
}

export interface BadLine {
  readonly line: number
  readonly reason: string
}

export interface Survey {
  /** The records as wide as the header. */
  readonly records: number
  /** The lines below the header that are no records: too many values, too few, quotes in the wrong place. */
  readonly bad: { readonly count: number; readonly first: BadLine | undefined }
  /** A quote that swallows the lines behind it. */
  readonly openQuote: number | undefined
  /** Empty lines between records. */
  readonly empty: Counted
  readonly comments: Counted
  /** Records that repeat the header. */
  readonly repeated: { readonly count: number; readonly lines: readonly number[] }
  readonly longest: { readonly bytes: number; readonly line: number }
  /** Whether the database would read something else, so that the records have to be written anew. */
  readonly isOdd: boolean
  readonly endings: readonly string[]
}

export interface SurveyOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes as they are in the file. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined
  /** Whether lines that end early are records. */
  readonly isPadded?: boolean | undefined
}

const placesShown = 3

/** Throws `TextFileError` for a file that is not in its encoding. */
export async function surveyText(path: string, layout: TextLayout, options: SurveyOptions): Promise<Survey> {
  const surveyor = new Surveyor(path, layout, options.isPadded === true)
  const scanner = scanLines(layout.dialect, line => surveyor.see(line))
  const utf8 = createUtf8Check()
  for await (const piece of textOf(path, { ...options, encoding: layout.encoding })) {
    if (layout.encoding === 'utf-8' && !utf8.push(piece)) surveyor.isSuspect = true
    scanner.push(piece)
  }
  if (!utf8.end()) surveyor.isSuspect = true
  scanner.end()
  return surveyor.result()
}

class Surveyor {
  /** Whether one of the next lines is not UTF-8. */
  isSuspect = false
  readonly #path: string
  readonly #layout: TextLayout
  readonly #width: number
  readonly #isPadded: boolean
  /** The first bytes of the header and of a quote; -1 for none. */
  readonly #firstByte: number
  readonly #quoteByte: number
  #isHeaderSeen: boolean
  #records = 0
  #bad = 0
  #firstBad: BadLine | undefined
  #openQuote: number | undefined
  #empty = { count: 0, first: 0 }
  /** Empty lines of which it is not known yet whether a record follows them. */
  #pending = { count: 0, first: 0 }
  #comments = { count: 0, first: 0 }
  #repeated: number[] = []
  #repeats = 0
  #longest = { bytes: 0, line: 0 }
  #isOdd: boolean
  readonly #endings = new Set<string>()

  constructor(path: string, layout: TextLayout, isPadded: boolean) {
    this.#path = path
    this.#layout = layout
    this.#width = layout.columns.length
    this.#isPadded = isPadded
    this.#isHeaderSeen = layout.header === undefined
    this.#firstByte = Buffer.from(layout.header?.[0] ?? '')[0] ?? -1
    this.#quoteByte = Buffer.from(layout.dialect.quote)[0] ?? -1
    this.#isOdd = layout.encoding !== 'utf-8'
  }

  see(found: TextLine): void {
    const { kind, line, ending } = found
    if (this.isSuspect) this.#check(found)
    if (ending !== 'none' && !this.#endings.has(ending)) this.#endings.add(ending)
    if (line <= this.#layout.skipped) {
      // Quotes may be around a line end there, which the database counts in another way.
      if (found.problem !== undefined || found.isOdd || isQuotedAnyhow(found, this.#layout))
        this.#isOdd = true
      return
    }
    if (kind === 'empty' && !(this.#width === 1 && this.#isHeaderSeen)) this.#seeEmpty(line)
    else if (kind === 'comment') {
      this.#isOdd = true
      count(this.#comments, line)
    } else this.#seeRecord(found)
  }

  #seeEmpty(line: number): void {
    if (!this.#isHeaderSeen) this.#isOdd = true
    else if (this.#records + this.#bad > 0) count(this.#pending, line)
    else count(this.#empty, line)
  }

  #seeRecord(found: TextLine): void {
    const { bytes, start, end, line, fields, problem, kind } = found
    if (kind === 'empty') {
      // In a single column an empty line is a record without a value, unless nothing follows it.
      count(this.#pending, line)
      return
    }
    this.#settle()
    const length = end - start
    if (length > this.#longest.bytes) this.#longest = { bytes: length, line }
    if (found.isOdd) this.#isOdd = true
    if (!this.#isHeaderSeen) {
      this.#isHeaderSeen = true
      if (found.problem !== undefined) this.#isOdd = true
      return
    }
    // The database would take it for the mark of an encoding.
    if (this.#records === 0 && bytes.indexOf(mark, start) === start) this.#isOdd = true
    if (problem === 'open') this.#openQuote ??= line
    if (problem !== undefined) this.#seeBad(line, quoteReason)
    else if (fields === this.#width) {
      this.#records++
      if (this.#width > 1 && length < mostHeaderBytes && this.#isHeader(bytes, start, end))
        this.#seeRepeated(line)
    } else if (fields < this.#width && this.#isPadded) {
      this.#records++
      this.#isOdd = true
    } else this.#seeBad(line, widthReason(fields, this.#width, this.#layout.header !== undefined))
  }

  /** Adds the empty lines that turned out to stand between records. */
  #settle(): void {
    if (this.#pending.count === 0) return
    if (this.#width === 1) this.#records += this.#pending.count
    else {
      if (this.#empty.count === 0) this.#empty.first = this.#pending.first
      this.#empty.count += this.#pending.count
    }
    this.#pending = { count: 0, first: 0 }
  }

  #seeBad(line: number, reason: string): void {
    this.#bad++
    this.#firstBad ??= { line, reason }
  }

  #seeRepeated(line: number): void {
    this.#repeats++
    if (this.#repeated.length < placesShown) this.#repeated.push(line)
  }

  /** Only a line that begins as the header does is taken apart. */
  #isHeader(bytes: Buffer, start: number, end: number): boolean {
    const { header, dialect } = this.#layout
    if (header === undefined) return false
    const at = bytes[start] === this.#quoteByte ? start + 1 : start
    if (bytes[at] !== this.#firstByte) return false
    const values = splitValues(bytes.toString('utf8', start, end), dialect)
    return values.every((value, index) => value.trim() === header[index])
  }
  #check({ bytes, start, end, line }: TextLine): void {
    const written = bytes.subarray(start, end)
    if (!isUtf8(written)) throw notUtf8(this.#path, line, written)
  }

  result(): Survey {
    // At the end of a file of one column empty lines would be read as records.
    const isTail = this.#width === 1 && this.#pending.count > 0
    return {
      records: this.#records,
      bad: { count: this.#bad, first: this.#firstBad },
      openQuote: this.#openQuote,
      empty: this.#empty,
      comments: this.#comments,
      repeated: { count: this.#repeats, lines: this.#repeated },
      longest: this.#longest,
      isOdd: this.#isOdd || isTail || this.#endings.size > 1 || this.#endings.has('cr'),
      endings: [...this.#endings],
    }
  }
}

const mark = Buffer.from('\ufeff')
const mostHeaderBytes = 1 << 16

function count(counted: { count: number; first: number }, line: number): void {
  if (counted.count === 0) counted.first = line
  counted.count++
}

function isQuotedAnyhow({ bytes, start, end }: TextLine, { dialect }: TextLayout): boolean {
  return dialect.quote !== '' && bytes.subarray(start, end).includes(dialect.quote)
}

export const quoteReason = 'a quote is in the wrong place'

export function widthReason(fields: number, width: number, hasHeader: boolean): string {
  const values = fields === 1 ? '1 value' : `${fields} values`
  return `${values}, where ${hasHeader ? 'the header has' : 'the first line has'} ${width}`
}
