/**
 * Exact types for numbers without a declared width (NUMERIC in PostgreSQL): the width that their digits need,
 * measured once over the spooled rows. No number is rounded: a few that no decimal holds (NaN, forty digits) become rejects,
 * and many make the column one of texts.
 */
import { decimalOf, isTolerable, type LocalReader, quoteName } from '@svc/server/catalog'
import { internalName, type SourceType } from '@svc/server/language'
import type { FetchContext } from '../source.ts'
import { type DatabaseColumn, scalar } from './database.ts'
import type { SpooledRows } from './row-spool.ts'
import { spooledRows } from './spooled-rows.ts'

export async function withMeasuredDecimals(
  context: Pick<FetchContext, 'onWarning'>,
  rows: SpooledRows,
  columns: readonly DatabaseColumn[],
  local: LocalReader,
): Promise<readonly DatabaseColumn[]> {
  const open = columns.filter(({ isDecimal }) => isDecimal === true)
  if (open.length === 0) return columns
  const all = spooledRows(rows, columns, { kind: 'struct', fields: [] }).from([])
  const measured = new Map<string, Measured>()
  // To plan many aggregates of one statement costs the square of their number.
  for (let from = 0; from < open.length; from += columnsAtOnce) {
    const part = open.slice(from, from + columnsAtOnce)
    const measures = part.flatMap(({ name }, index) => measuresOf(quoteName(name), index))
    const [row = {}] = await local.rows(`SELECT ${measures.join(', ')} FROM ${all}`)
    part.forEach(({ name }, index) => {
      measured.set(name, measuredAt(row, index))
    })
  }
  return columns.map(column => {
    const found = measured.get(column.name)
    if (found === undefined || found.given === 0) return column
    const decimal = decimalType(found)
    if (decimal !== undefined) return { ...column, type: decimal }
    if (column.inexact !== undefined) return { ...column, type: column.inexact }
    warnOfTexts(context, column, found)
    return { ...column, type: scalar('VARCHAR') }
  })
}

const columnsAtOnce = 50
const mostDigits = 38
/** A DOUBLE gives so many digits of any decimal back. */
const exactDigits = 15

interface Measured {
  readonly given: number
  /** How many of them are in no decimal. */
  readonly others: number
  /** The most digits before the point, and behind it, of those that are. */
  readonly whole: number
  readonly fraction: number
}

function measuresOf(text: string, index: number): string[] {
  const whole = `length(ltrim(split_part(${text}, '.', 1), '-0'))`
  const fraction = `length(split_part(${text}, '.', 2))`
  const isDecimal = `regexp_full_match(${text}, '-?[0-9]+([.][0-9]+)?') AND ${whole} + ${fraction} <= ${mostDigits}`
  return [
    `count(${text}) AS ${internalName(`given_${index}`)}`,
    `count(*) FILTER (${text} IS NOT NULL AND NOT (${isDecimal})) AS ${internalName(`others_${index}`)}`,
    `max(${whole}) FILTER (${isDecimal}) AS ${internalName(`whole_${index}`)}`,
    `max(${fraction}) FILTER (${isDecimal}) AS ${internalName(`fraction_${index}`)}`,
  ]
}

function measuredAt(row: Readonly<Record<string, unknown>>, index: number): Measured {
  const at = (name: string) => Number(row[internalName(`${name}_${index}`)] ?? 0)
  return { given: at('given'), others: at('others'), whole: at('whole'), fraction: at('fraction') }
}

function decimalType({ given, others, whole, fraction }: Measured): SourceType | undefined {
  const type = decimalOf(whole, fraction)
  if (type === undefined || (others > 0 && !isTolerable(others, given))) return undefined
  const isInexact = whole + fraction > exactDigits
  return {
    kind: 'scalar',
    type,
    ...(others === 0 ? {} : { loose: true }),
    ...(isInexact ? { inexact: true } : {}),
  }
}

function warnOfTexts(
  { onWarning }: Pick<FetchContext, 'onWarning'>,
  { name }: DatabaseColumn,
  found: Measured,
): void {
  const why =
    found.others > 0
      ? `${found.others} of its ${found.given} numbers are no decimals of ${mostDigits} digits`
      : `its numbers have ${found.whole} digits before the point and ${found.fraction} behind it, and ${mostDigits} are the most`
  onWarning?.({
    code: 'numbers-as-text',
    count: found.given,
    message: `column "${name}" is loaded as text, which keeps every digit: ${why}`,
    hint: svc =>
      `Cast it in ingest.query to the digits that you need, or name its type in contract.columns: then numbers that do not fit are rejected, and ${svc('rejects')} shows them.`,
  })
}
