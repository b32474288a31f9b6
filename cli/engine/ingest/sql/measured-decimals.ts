/**
 * Exact types for numbers without a declared width (NUMERIC in PostgreSQL): the width that their digits need,
 * measured once over the spooled rows.
 */
import { type LocalReader, quoteName } from '@svc/server/catalog'
import { internalName } from '@svc/server/language'
import type { DatabaseColumn } from './database.ts'
import type { SpooledRows } from './row-spool.ts'
import { spooledRows } from './spooled-rows.ts'

export async function withMeasuredDecimals(
  rows: SpooledRows,
  columns: readonly DatabaseColumn[],
  local: LocalReader,
): Promise<readonly DatabaseColumn[]> {
  const open = columns.filter(({ isDecimal }) => isDecimal === true)
  if (open.length === 0) return columns
  const all = spooledRows(rows, columns, { kind: 'struct', fields: [] }).from([])
  const measures = open.flatMap(({ name }, index) => {
    const text = quoteName(name)
    return [
      `coalesce(max(length(ltrim(split_part(${text}, '.', 1), '-'))), 0) AS ${internalName(`whole_${index}`)}`,
      `coalesce(max(length(split_part(${text}, '.', 2))), 0) AS ${internalName(`fraction_${index}`)}`,
      `count(${text}) AS ${internalName(`given_${index}`)}`,
      `coalesce(bool_and(regexp_full_match(${text}, '-?[0-9]+([.][0-9]+)?')), true) AS ${internalName(`plain_${index}`)}`,
    ]
  })
  const [row = {}] = await local.rows(`SELECT ${measures.join(', ')} FROM ${all}`)
  const types = new Map(
    open.map(({ name }, index) => {
      const [whole, fraction, given] = [
        row[internalName(`whole_${index}`)],
        row[internalName(`fraction_${index}`)],
        row[internalName(`given_${index}`)],
      ]
      const isPlain = row[internalName(`plain_${index}`)] === true
      return [name, Number(given) === 0 ? undefined : decimalType(Number(whole), Number(fraction), isPlain)]
    }),
  )
  return columns.map(column => {
    const type = types.get(column.name)
    return type === undefined ? column : { ...column, type: { kind: 'scalar', type } }
  })
}

const mostDigits = 38
const fastDigits = 18

/** NaN, infinity and numbers of more than 38 digits fit no DECIMAL. */
function decimalType(whole: number, fraction: number, isPlain: boolean): string {
  const digits = whole + fraction
  if (!isPlain || digits > mostDigits) return 'DOUBLE'
  return `DECIMAL(${digits <= fastDigits ? fastDigits : mostDigits},${fraction})`
}
