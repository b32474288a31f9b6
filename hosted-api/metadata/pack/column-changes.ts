/** Compares the columns of an asset, and determines which changes break its readers. Pure. */
import type { Shape } from '../../../server/contract/schema.ts'
import type { ColumnChange as ColumnChangeSchema } from '../read/schemas.ts'
import type { PackColumn } from './pack.ts'

export type ColumnChange = Shape<typeof ColumnChangeSchema>

/** If the columns of either side are unknown (null), there are no changes. */
export function columnChanges(
  before: readonly PackColumn[] | null,
  after: readonly PackColumn[] | null,
): readonly ColumnChange[] {
  if (before === null || after === null) return []
  const old = byName(before)
  const now = byName(after)
  const gone = before.filter(column => !now.has(column.name.toLowerCase())).map(removed)
  const kept = after.flatMap(column => {
    const was = old.get(column.name.toLowerCase())
    return was === undefined ? [added(column)] : differences(was, column)
  })
  return [...gone, ...kept]
}

function removed(column: PackColumn): ColumnChange {
  return { column: column.name, change: 'removed', old: column.type, new: null, breaking: true }
}

function added(column: PackColumn): ColumnChange {
  return { column: column.name, change: 'added', old: null, new: column.type, breaking: false }
}

function differences(was: PackColumn, is: PackColumn): readonly ColumnChange[] {
  const changes: ColumnChange[] = []
  const note = (change: ColumnChange['change'], old: unknown, now: unknown, breaking: boolean) =>
    changes.push({ column: is.name, change, old, new: now, breaking })
  // If the type of either side is unknown, it counts as unchanged.
  if (was.type !== null && is.type !== null && !sameType(was.type, is.type)) {
    note('type', was.type, is.type, !isWider(was.type, is.type))
  }
  if (was.nullable !== undefined && is.nullable !== undefined && was.nullable !== is.nullable) {
    // A column that can become NULL affects readers that never expected it; the opposite affects nobody.
    note('nullable', was.nullable, is.nullable, is.nullable)
  }
  if ((was.pii ?? false) !== (is.pii ?? false)) note('pii', was.pii ?? false, is.pii ?? false, false)
  if ((was.description ?? '') !== (is.description ?? '')) {
    note('description', was.description ?? null, is.description ?? null, false)
  }
  return changes
}

function byName(columns: readonly PackColumn[]): ReadonlyMap<string, PackColumn> {
  return new Map(columns.map(column => [column.name.toLowerCase(), column]))
}

/**
 * Integer types from narrow to wide, then floating point: every value of one fits into the following ones.
 */
const whole = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT']
const fractions = ['FLOAT', 'DOUBLE']

/** Names of the same type in different engines. */
const synonyms: Readonly<Record<string, string>> = {
  INT1: 'TINYINT',
  INT2: 'SMALLINT',
  INT: 'INTEGER',
  INT4: 'INTEGER',
  INT8: 'BIGINT',
  LONG: 'BIGINT',
  REAL: 'FLOAT',
  FLOAT4: 'FLOAT',
  FLOAT8: 'DOUBLE',
  'DOUBLE PRECISION': 'DOUBLE',
  TEXT: 'VARCHAR',
  STRING: 'VARCHAR',
  'CHARACTER VARYING': 'VARCHAR',
  BOOL: 'BOOLEAN',
  NUMERIC: 'DECIMAL',
}

function plainType(type: string): string {
  const text = type.trim().toUpperCase().replace(/\s+/g, ' ')
  const [, base = text, size = ''] = /^([^(]*)(\(.*)?$/.exec(text) ?? []
  return `${synonyms[base.trim()] ?? base.trim()}${size.replaceAll(' ', '')}`
}

function sameType(a: string, b: string): boolean {
  return plainType(a) === plainType(b)
}

/** Returns whether every value of `old` is a value of `now` that reads and compares the same. */
function isWider(old: string, now: string): boolean {
  const [from, to] = [plainType(old), plainType(now)]
  const wholeFrom = whole.indexOf(from)
  if (wholeFrom >= 0 && whole.includes(to)) return whole.indexOf(to) > wholeFrom
  // A DOUBLE can hold every INTEGER, but not every BIGINT.
  if (wholeFrom >= 0 && to === 'DOUBLE') return wholeFrom <= whole.indexOf('INTEGER')
  if (fractions.includes(from) && fractions.includes(to))
    return fractions.indexOf(to) > fractions.indexOf(from)
  return isLongerText(from, to) || isWiderDecimal(from, to)
}

/** Returns whether text got longer: `VARCHAR(20)` → `VARCHAR(50)` or `VARCHAR`. */
function isLongerText(from: string, to: string): boolean {
  const before = /^VARCHAR\((\d+)\)$/.exec(from)?.[1]
  if (before === undefined) return false
  const after = /^VARCHAR\((\d+)\)$/.exec(to)?.[1]
  return to === 'VARCHAR' || (after !== undefined && Number(after) > Number(before))
}

/** Returns whether neither digits before nor after the point are lost: `DECIMAL(10,2)` → `DECIMAL(12,2)`. */
function isWiderDecimal(from: string, to: string): boolean {
  const before = decimal(from)
  const after = decimal(to)
  if (before === undefined || after === undefined) return false
  return after.scale >= before.scale && after.width - after.scale >= before.width - before.scale
}

function decimal(type: string): { readonly width: number; readonly scale: number } | undefined {
  const match = /^DECIMAL\((\d+)(?:,(\d+))?\)$/.exec(type)
  return match === null ? undefined : { width: Number(match[1]), scale: Number(match[2] ?? 0) }
}
