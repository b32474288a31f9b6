/**
 * Writes the records of a text file anew, where the database would read others than there are: UTF-8, one kind of line end,
 * doubled quotes, nothing but records. Lines that are no records go elsewhere.
 */
import type { TextLayout } from './find-layout.ts'
import { textOf } from './read-text.ts'
import { type Dialect, noDelimiter, scanLines, type TextLine } from './scan-lines.ts'
import { splitValues } from './split-values.ts'
import { quoteReason, widthReason } from './survey.ts'

export interface Rewriting {
  readonly signal?: AbortSignal | undefined
  /** Whether lines that end early are records, with empty values at the end. */
  readonly isPadded: boolean
  readonly onRecord: (record: RewrittenRecord) => void
  readonly onBad: (line: RejectedLine) => void
  /** Called after each piece, so that what was written can be waited for. */
  readonly onPiece?: () => Promise<void> | void
}

export interface RewrittenRecord {
  readonly values: () => readonly string[]
  /** The record as the plain dialect writes it. */
  readonly bytes: () => Buffer
}

export interface RejectedLine {
  readonly line: number
  readonly raw: string
  readonly reason: string
}

/** The dialect in which records are written. */
export function plainDialect({ delimiter }: Dialect): Dialect {
  const isPlain = Buffer.byteLength(delimiter) === 1
  return {
    delimiter: delimiter === '' ? '' : isPlain ? delimiter : ',',
    quote: '"',
    escape: '"',
    comment: '',
    returnEnds: false,
  }
}

export async function rewriteText(path: string, layout: TextLayout, options: Rewriting): Promise<void> {
  const rewriter = new Rewriter(layout, options)
  const scanner = scanLines(layout.dialect, line => rewriter.see(line))
  for await (const piece of textOf(path, { encoding: layout.encoding, signal: options.signal })) {
    scanner.push(piece)
    await options.onPiece?.()
  }
  scanner.end()
}

class Rewriter {
  readonly #layout: TextLayout
  readonly #options: Rewriting
  readonly #width: number
  readonly #plain: Dialect
  readonly #isPlain: boolean
  #isHeaderSeen: boolean
  /** Empty lines of a single column, which are records if another follows them. */
  #pending = 0

  constructor(layout: TextLayout, options: Rewriting) {
    this.#layout = layout
    this.#options = options
    this.#width = layout.columns.length
    this.#plain = plainDialect(layout.dialect)
    const { delimiter, quote, escape: mark } = layout.dialect
    this.#isPlain = quote === '"' && (mark === '"' || mark === '') && delimiter === this.#plain.delimiter
    this.#isHeaderSeen = layout.header === undefined
  }

  see(found: TextLine): void {
    if (found.line <= this.#layout.skipped || found.kind === 'comment') return
    if (found.kind === 'empty') {
      if (this.#isHeaderSeen && this.#width === 1) this.#pending++
    } else if (this.#isHeaderSeen) this.#seeRecord(found)
    else this.#isHeaderSeen = true
  }

  #seeRecord(found: TextLine): void {
    for (; this.#pending > 0; this.#pending--) this.#write([''])
    const { bytes, start, end, fields, problem, line, isOdd } = found
    const isShort = fields < this.#width
    if (problem !== undefined || fields > this.#width || (isShort && !this.#options.isPadded)) {
      const hasHeader = this.#layout.header !== undefined
      const reason = problem === undefined ? widthReason(fields, this.#width, hasHeader) : quoteReason
      this.#options.onBad({ line, raw: bytes.toString('utf8', start, end), reason })
      return
    }
    if (this.#isPlain && !isOdd && !isShort) {
      const values = () => splitValues(bytes.toString('utf8', start, end), this.#layout.dialect)
      this.#options.onRecord({ values, bytes: () => bytes.subarray(start, end) })
      return
    }
    const values = splitValues(bytes.toString('utf8', start, end), this.#layout.dialect)
    const missing = Array.from({ length: this.#width - values.length }, () => '')
    this.#write([...values, ...missing])
  }

  #write(values: readonly string[]): void {
    this.#options.onRecord({ values: () => values, bytes: () => Buffer.from(written(values, this.#plain)) })
  }
}

function written(values: readonly string[], { delimiter }: Dialect): string {
  const mark = delimiter === '' ? noDelimiter : delimiter
  const needsQuotes = (value: string) =>
    value.includes('"') || value.includes('\n') || value.includes('\r') || value.includes(mark)
  return values.map(value => (needsQuotes(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(mark)
}
