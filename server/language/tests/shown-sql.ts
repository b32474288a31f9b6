/** Writes SQL that is shown and never run: a test as people would write it. */
import type { JsonScalar, TestOptions } from '../schema/definition.ts'

export function shownRows(asset: string, { where }: TestOptions, condition: string): string {
  return `SELECT *\nFROM ${asset}\nWHERE ${shownBoth(condition, where)}`
}

export function shownBoth(condition: string, where: string | undefined): string {
  return where === undefined ? condition : `(${condition}) AND (${where.trim()})`
}

export function shownLiteral(value: JsonScalar): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
