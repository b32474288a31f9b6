/**
 * Builds statements that compute the measures of many tests at once: one row per asset (its scan), many
 * assets per statement. Rows of assets with fewer measures are padded with NULLs, so that any engine can
 * combine them.
 */
import { internalName, internalNames, type Measure } from '@svc/server/language'
import type { Dialect } from '../warehouse/dialect.ts'

export interface Scan {
  /** As in a FROM clause. */
  readonly relation: string
  readonly measures: readonly Measure[]
}

const own = internalNames('counted', 'scan')
const numberName = (column: number) => internalName(`n${column}`)

/** The column with the position of a scan. */
export const scanName = own.scan

/** Returns columns `scanName` and `numberName` (aggregates, then subqueries, test by test). */
export function scanStatement(scans: readonly Scan[], dialect: Dialect): string {
  const width = Math.max(...scans.map(scan => expressionsOf(scan).length))
  return scans.map((scan, position) => scanRow(scan, position, width, dialect)).join('\nUNION ALL\n')
}

function scanRow(scan: Scan, position: number, width: number, dialect: Dialect): string {
  const number = (expression: string) => `CAST(${expression} AS ${dialect.types.double})`
  const aggregates: string[] = []
  const outer: string[] = []
  for (const { sql, aggregate } of expressionsOf(scan)) {
    const name = numberName(outer.length)
    if (aggregate) aggregates.push(`${number(sql)} AS ${name}`)
    outer.push(aggregate ? `${own.counted}.${name}` : `${number(`(${sql})`)} AS ${name}`)
  }
  for (let column = outer.length; column < width; column++) {
    outer.push(`${number('NULL')} AS ${numberName(column)}`)
  }
  const from =
    aggregates.length === 0
      ? ''
      : ` FROM (SELECT ${aggregates.join(', ')} FROM ${scan.relation}) AS ${own.counted}`
  return `SELECT ${position} AS ${own.scan}, ${outer.join(', ')}${from}`
}

function expressionsOf(scan: Scan): { readonly sql: string; readonly aggregate: boolean }[] {
  return scan.measures.flatMap(measure => [
    ...measure.aggregates.map(sql => ({ sql, aggregate: true })),
    ...measure.subqueries.map(sql => ({ sql, aggregate: false })),
  ])
}

/** Returns the numbers of each measure of a scan from its row. */
export function numbersOf(scan: Scan, row: Readonly<Record<string, unknown>>): (number | null)[][] {
  let column = 0
  return scan.measures.map(({ aggregates, subqueries }) =>
    [...aggregates, ...subqueries].map(() => {
      const value = row[numberName(column++)]
      return value === null || value === undefined ? null : Number(value)
    }),
  )
}
