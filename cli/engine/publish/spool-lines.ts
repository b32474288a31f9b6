/**
 * The lines of a spool in batches, as bytes: where a destination takes them as they are, a million rows never become
 * objects. A line ends with a line feed and with nothing else.
 */
import type { Operation, SpooledRow } from './destination.ts'
import { operationOf, parseBareRow, parseRow } from './row-text.ts'
import type { OpenSpool } from './spool.ts'

/** What of a spool is read. */
export interface SpoolFile {
  readonly spool: Pick<OpenSpool, 'pieces'>
  /** Whether each line is the payload of a new row, and nothing else. */
  readonly isBare: boolean
}

const lineFeed = 10

/** Lines that follow each other, all of one operation. */
export class SpoolLines {
  readonly bytes: Buffer
  /** The place of the first one among all rows of the publish. */
  readonly from: number
  readonly count: number
  readonly isBare: boolean
  #rows: readonly SpooledRow[] | undefined

  constructor(bytes: Buffer, { from, count, isBare }: Pick<SpoolLines, 'from' | 'count' | 'isBare'>) {
    this.bytes = bytes
    this.from = from
    this.count = count
    this.isBare = isBare
  }

  get to(): number {
    return this.from + this.count
  }

  get operation(): Operation {
    return this.isBare ? 'insert' : operationOf(this.bytes)
  }

  /** Payloads alone, each with its line feed; undefined where the lines say more. */
  get payloads(): Buffer | undefined {
    return this.isBare ? this.bytes : undefined
  }

  get rows(): readonly SpooledRow[] {
    const read = this.isBare ? parseBareRow : parseRow
    this.#rows ??= this.bytes
      .toString('utf8', 0, this.bytes.length - 1)
      .split('\n')
      .map((line, nth) => read(line, this.from + nth))
    return this.#rows
  }

  /** Returns those of its lines that are in a range of places. */
  within(from: number, to: number): SpoolLines {
    const [first, end] = [Math.max(from, this.from), Math.min(to, this.to)]
    const start = this.#offsetOf(first - this.from)
    const bytes = this.bytes.subarray(start, this.#offsetOf(Math.max(first, end) - this.from))
    return new SpoolLines(bytes, { from: first, count: Math.max(0, end - first), isBare: this.isBare })
  }

  #offsetOf(nth: number): number {
    let offset = 0
    for (let line = 0; line < nth; line++) offset = this.bytes.indexOf(lineFeed, offset) + 1
    return offset
  }
}

/** Reads a spool in batches of at most so many lines, from the line of a place on. */
export async function* batchesIn(
  { spool, isBare }: SpoolFile,
  most: number,
  start = 0,
): AsyncGenerator<SpoolLines> {
  let held = Buffer.alloc(0)
  let from = 0
  let count = 0
  let scanned = 0
  const drop = () => {
    held = held.subarray(scanned)
    scanned = 0
  }
  const cut = () => {
    const lines = new SpoolLines(held.subarray(0, scanned), { from, count, isBare })
    drop()
    from += count
    count = 0
    return lines
  }
  for await (const piece of spool.pieces()) {
    held = Buffer.concat([held, piece])
    for (let end = held.indexOf(lineFeed, scanned); end >= 0; end = held.indexOf(lineFeed, scanned)) {
      const isOther = count > 0 && !isBare && held[scanned] !== held[0]
      if (from < start) {
        from++
        scanned = end + 1
        if (from === start) drop()
      } else if (isOther || count === most) yield cut()
      else {
        count++
        scanned = end + 1
      }
    }
    // What is passed over is not held.
    if (from < start) drop()
  }
  if (count > 0) yield cut()
}

/** Returns the lines of a range of places. */
export async function linesWithin(file: SpoolFile, from: number, to: number): Promise<SpoolLines> {
  const found: SpoolLines[] = []
  for await (const lines of batchesIn(file, to - from, from)) {
    if (lines.from >= to) break
    found.push(lines.within(lines.from, to))
  }
  const count = found.reduce((sum, lines) => sum + lines.count, 0)
  return new SpoolLines(Buffer.concat(found.map(({ bytes }) => bytes)), { from, count, isBare: file.isBare })
}
