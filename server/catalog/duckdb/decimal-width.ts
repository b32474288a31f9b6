/** The width of decimals that the digits of a column need. */
import { internalName } from '../../language/index.ts'
import type { LocalReader } from './local-reader.ts'
import type { Candidate, Test, TextsFrom } from './type-rungs.ts'

const mostDigits = 38
const fastDigits = 18

/**
 * Returns the decimal with so many digits before the point and behind it; undefined if there is none. It is no wider than the
 * digits need, so that the decimals of several loads have a common one.
 */
export function decimalOf(whole: number, fraction: number): string | undefined {
  const digits = Math.max(whole + fraction, 1)
  if (digits > mostDigits) return undefined
  return `DECIMAL(${Math.max(digits, fastDigits)},${fraction})`
}

/** A column of numbers with those texts among them that are measured. */
export interface Measured extends Candidate {
  readonly fits: Test
}

/** To plan many aggregates of one statement costs the square of their number. */
const columnsAtOnce = 50

/** Returns the types of the columns whose numbers a decimal holds, by name. */
export async function decimalTypes(
  local: LocalReader,
  from: TextsFrom,
  columns: readonly Measured[],
): Promise<ReadonlyMap<string, string>> {
  const parts = typeof from === 'string' ? [{ from, names: undefined }] : from
  const widths = new Map<string, Width>()
  for (const part of parts) {
    const here = columns.filter(({ name }) => part.names?.has(name) !== false)
    for (let first = 0; first < here.length; first += columnsAtOnce)
      await measure(local, part.from, here.slice(first, first + columnsAtOnce), widths)
  }
  return new Map(
    [...widths].flatMap(([name, { whole, fraction }]) => {
      const type = decimalOf(whole, fraction)
      return type === undefined ? [] : [[name, type] as const]
    }),
  )
}

interface Width {
  readonly whole: number
  readonly fraction: number
}

async function measure(
  local: LocalReader,
  from: string,
  columns: readonly Measured[],
  widths: Map<string, Width>,
): Promise<void> {
  const nameOf = (what: string, index: number) => internalName(`${what}_${index}`)
  const measures = columns.flatMap(({ value, fits }, index) => {
    const only = `FILTER (${fits(value)})`
    return [
      `max(length(regexp_extract(${value}, '^-?0*([0-9]*)', 1))) ${only} AS ${nameOf('whole', index)}`,
      `max(length(rtrim(regexp_extract(${value}, '[^-0-9]([0-9]*)$', 1), '0'))) ${only} AS ${nameOf('fraction', index)}`,
    ]
  })
  const [row = {}] = await local.rows(`SELECT ${measures.join(', ')} FROM ${from}`)
  columns.forEach(({ name }, index) => {
    const before = widths.get(name) ?? { whole: 0, fraction: 0 }
    const at = (what: string) => Number(row[nameOf(what, index)] ?? 0)
    widths.set(name, {
      whole: Math.max(before.whole, at('whole')),
      fraction: Math.max(before.fraction, at('fraction')),
    })
  })
}
