/**
 * Finds how the records of a text file are written: delimiter, quotes, the lines above the header. Our own rules, so that no
 * line is ever left out because of what stands in a later one:
 * - The header's line decides, not the majority: a delimiter counts only if it is in the header.
 * - Lines above the header are passed over only where the header below them is beyond doubt, and a load says so.
 * - Nothing is a comment unless the user says which sign begins one.
 */
import type { FileOptions } from '../../../language/index.ts'
import { type Dialect, scanLines, type TextLine } from './scan-lines.ts'
import { splitValues } from './split-values.ts'
import { isNote, isValue } from './value-kinds.ts'

export interface SampledLine {
  readonly kind: 'record' | 'empty' | 'comment'
  readonly values: readonly string[]
  readonly line: number
  readonly hasProblem: boolean
  readonly ending: TextLine['ending']
  /** Whether the line begins and ends with a quote. */
  readonly isQuoted: boolean
}

export interface FoundDialect {
  readonly dialect: Dialect
  /** The number of lines above the header or the first record. */
  readonly skipped: number
  /** How many of them are passed over by our own rules, and are neither empty nor said by the user. */
  readonly passedOver: number
  readonly firstPassed: number
  readonly lines: readonly SampledLine[]
}

/** Those first that are rare in sentences. */
const candidates = ['\t', '|', ';', ','] as const
const sampledLines = 1000

export function findDialect(text: Buffer, isWhole: boolean, options: FileOptions): FoundDialect {
  const returnEnds = !text.includes(10) && text.includes(13)
  const said = options.delimiter === undefined ? separatorLine(text) : undefined
  const delimiters = options.delimiter ?? said?.delimiter
  const skipped = options.skip ?? (said === undefined ? 0 : 1)
  const tried = delimiters === undefined ? candidates : [delimiters]
  const look = (delimiter: string, quoting: Quoting) => {
    const dialect = { delimiter, ...quoting, comment: options.comment ?? '', returnEnds }
    return judged(dialect, sampled(text, isWhole, dialect), { options, skipped })
  }
  const quotings = quotingsFor(text, options)
  const found = tried.flatMap(delimiter => quotings.map(quoting => look(delimiter, quoting)))
  const several = found.filter(each => each.width > 1 && (delimiters !== undefined || !each.isSentence))
  const best = [...several].sort(better)[0]
  if (best !== undefined) return best
  const single = quotings.map(quoting => look(options.delimiter ?? '', quoting))
  return [...single].sort(better)[0] as Judged
}

/** Excel writes and reads a first line that says which delimiter follows. */
function separatorLine(text: Buffer): { readonly delimiter: string } | undefined {
  const first = /^"?sep=(.)"?[,;\t|]*(\r\n|\n|\r|$)/i.exec(text.subarray(0, 64).toString('latin1'))
  return first === null ? undefined : { delimiter: first[1] as string }
}

type Quoting = Pick<Dialect, 'quote' | 'escape'>

function quotingsFor(text: Buffer, { quote, escape: given }: FileOptions): readonly Quoting[] {
  const quotes = quote !== undefined ? [quote] : text.includes("'") ? ['"', "'"] : ['"']
  return quotes.flatMap(each => {
    if (given !== undefined) return [{ quote: each, escape: given }]
    const isEscaped = each !== '' && text.includes(`\\${each}`)
    const usual = { quote: each, escape: each }
    return isEscaped ? [usual, { quote: each, escape: '\\' }] : [usual]
  })
}

function sampled(text: Buffer, isWhole: boolean, dialect: Dialect): readonly SampledLine[] {
  const lines: SampledLine[] = []
  let cut = 0
  const scanner = scanLines(dialect, ({ kind, bytes, start, end, line, problem, ending }) => {
    cut = lines.length
    if (lines.length > sampledLines) return
    const written = bytes.toString('utf8', start, end)
    const values = kind === 'record' ? splitValues(written, dialect) : []
    const { quote } = dialect
    const isQuoted = quote !== '' && written.startsWith(quote) && written.endsWith(quote)
    lines.push({ kind, values, line, hasProblem: problem !== undefined, ending, isQuoted })
  })
  scanner.push(text.length > sampledBytes ? text.subarray(0, sampledBytes) : text)
  const isCut = !isWhole || text.length > sampledBytes
  scanner.end()
  // The last line of a part of a file may be a part of a line.
  return isCut && cut > 0 && cut < lines.length ? lines.slice(0, cut) : lines
}

/** Enough for a thousand lines of most files, and for the header of very wide ones. */
const sampledBytes = 1 << 20

interface Judged extends FoundDialect {
  /** The number of values of the header. */
  readonly width: number
  readonly problems: number
  /** The share of records that are as wide as the header. */
  readonly even: number
  /** How many values of the header begin with a space, as words behind a comma in a sentence do. */
  readonly spaced: number
  /** 1 where other quotes than the usual ones are around the values of the header. */
  readonly quoted: number
  /** Whether its delimiter is in the header alone, as a comma in a sentence is. */
  readonly isSentence: boolean
}

function judged(
  dialect: Dialect,
  all: readonly SampledLine[],
  { options, skipped: given }: { readonly options: FileOptions; readonly skipped: number },
): Judged {
  const isBelow = ({ line }: SampledLine) => line > given
  const records = all.filter(line => line.kind === 'record' && isBelow(line))
  const above = options.skip === undefined && options.header !== false ? linesAbove(records, all) : 0
  const header = records[above]
  const width = header?.values.length ?? 1
  const below = records.slice(above)
  const fitting = below.filter(({ values }) => values.length === width).length
  const first = header?.line ?? given + 1
  return {
    dialect,
    skipped: first - 1,
    passedOver: above,
    firstPassed: records[0]?.line ?? 1,
    lines: all.filter(({ line }) => line >= first),
    width,
    problems: records.filter(({ hasProblem }) => hasProblem).length,
    even: below.length === 0 ? 1 : fitting / below.length,
    spaced: header?.values.filter(value => value.startsWith(' ')).length ?? 0,
    quoted: dialect.quote !== '"' && header?.isQuoted === true ? 1 : 0,
    isSentence:
      below.length > 1 && fitting === 1 && (header?.values ?? []).some(value => value.startsWith(' ')),
  }
}

/**
 * Returns how many records above the header are none: a title, notes, a block of comments. That is so only where all lines
 * below them agree on another number of values, and the first of those is a line of names.
 */
function linesAbove(records: readonly SampledLine[], all: readonly SampledLine[]): number {
  const last = records.at(-1)
  if (last === undefined || records.length < 2) return 0
  const width = commonWidth(records)
  if (width < 2) return 0
  const isComment = ({ values }: SampledLine) => /^# /.test(values[0] ?? '')
  const above = records.findIndex(line => line.values.length === width && !isComment(line))
  if (above < 1) return 0
  const below = records.slice(above)
  const even = below.filter(({ values }) => values.length === width).length
  // One line more or less may be a total; a header alone proves nothing.
  if (below.length < 2 || even * 10 < below.length * 9) return 0
  const [names, ...rest] = below
  if (names === undefined || !isNames(names.values)) return 0
  const isSet =
    isSetApart(records, above, all) || records.slice(0, above).every(({ values }) => isNote(values[0] ?? ''))
  // Of two columns one is soon a number, also in sentences.
  return isSet || (width > 2 && hasTypedColumn(names.values, rest)) ? above : 0
}

function commonWidth(records: readonly SampledLine[]): number {
  const counts = new Map<number, number>()
  for (const { values } of records) counts.set(values.length, (counts.get(values.length) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1
}

/** Names are texts, each another, none with a space before it; only the last may be empty, behind a delimiter at the end. */
function isNames(values: readonly string[]): boolean {
  const named = values.at(-1) === '' ? values.slice(0, -1) : values
  const isName = (value: string) => value !== '' && !value.startsWith(' ')
  return (
    named.every(isName) &&
    new Set(named).size === named.length &&
    named.some(value => !isValue(value)) &&
    !isValue(named[0] ?? '')
  )
}

/** An empty line between the notes and the header. */
function isSetApart(records: readonly SampledLine[], above: number, all: readonly SampledLine[]): boolean {
  const from = records[above - 1]?.line ?? 0
  const to = records[above]?.line ?? 0
  return all.some(({ kind, line }) => kind === 'empty' && line > from && line < to)
}

/** A column whose values are numbers or dates below a name that is none. */
function hasTypedColumn(names: readonly string[], rest: readonly SampledLine[]): boolean {
  return names.some((name, column) => {
    if (name === '' || isValue(name)) return false
    const values = rest.map(({ values }) => values[column] ?? '').filter(value => value !== '')
    return values.length > 0 && values.every(isValue)
  })
}

function tabs({ dialect, even }: Judged): number {
  return dialect.delimiter === '\t' && even === 1 ? 1 : 0
}

/** Fewer broken quotes, then more records as wide as the header, then no delimiter inside of a sentence, then more columns. */
function better(a: Judged, b: Judged): number {
  return (
    a.problems - b.problems ||
    b.even - a.even ||
    b.quoted - a.quoted ||
    a.spaced - b.spaced ||
    // Nobody writes a tab into a name.
    tabs(b) - tabs(a) ||
    b.width - a.width ||
    a.passedOver - b.passedOver
  )
}
