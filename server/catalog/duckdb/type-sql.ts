/**
 * Writes the types and constants of DuckDB's serialized trees and plans as SQL. It returns undefined for
 * those that it does not know.
 */
import { quoteLiteral, quoteName } from './quoting.ts'

/** A type in a serialized tree or plan. */
export interface TreeType {
  readonly id: string
  readonly type_info?: {
    readonly alias?: string
    readonly width?: number
    readonly scale?: number
    readonly size?: number
    readonly child_type?: TreeType
    readonly child_types?: readonly { readonly first: string; readonly second: TreeType }[]
  } | null
}

/** A constant in a serialized tree or plan. */
export interface TreeConstant {
  readonly type: TreeType
  readonly is_null?: boolean
  readonly value?: unknown
}

const plainTypes: ReadonlySet<string> = new Set(
  `BIGINT, BIT, BLOB, BOOLEAN, DATE, DOUBLE, FLOAT, HUGEINT, INTEGER, INTERVAL, SMALLINT, TIME,
  TIME WITH TIME ZONE, TIMESTAMP, TIMESTAMP WITH TIME ZONE, TIMESTAMP_MS, TIMESTAMP_NS, TIMESTAMP_S,
  TINYINT, UBIGINT, UHUGEINT, UINTEGER, USMALLINT, UTINYINT, UUID, VARCHAR`.split(/,\s+/),
)

export function typeSql(type: TreeType | undefined): string | undefined {
  if (type === undefined) return undefined
  const info = type.type_info ?? undefined
  if (info?.alias) return info.alias === 'JSON' ? 'JSON' : undefined
  if (plainTypes.has(type.id)) return type.id
  switch (type.id) {
    case 'DECIMAL':
      return info?.width === undefined ? undefined : `DECIMAL(${info.width},${info.scale ?? 0})`
    case 'LIST':
      return listSql(info?.child_type, '')
    case 'ARRAY':
      return info?.size === undefined ? undefined : listSql(info.child_type, String(info.size))
    case 'STRUCT':
      return structSql(info?.child_types ?? [])
    default:
      return undefined
  }
}

function listSql(child: TreeType | undefined, size: string): string | undefined {
  const sql = typeSql(child)
  return sql && `${sql}[${size}]`
}

function structSql(
  fields: readonly { readonly first?: string; readonly second: TreeType }[],
): string | undefined {
  const parts = fields.map(field => [quoteName(field.first ?? ''), typeSql(field.second)] as const)
  if (parts.length === 0 || parts.some(([name, sql]) => name === '""' || sql === undefined)) return undefined
  return `STRUCT(${parts.map(part => part.join(' ')).join(', ')})`
}

/**
 * Returns a constant with its type as SQL; undefined for NULL and for values that JSON cannot hold exactly.
 */
export function constantSql({ type, is_null, value }: TreeConstant): string | undefined {
  if (is_null === true) return undefined
  const sql = typeSql(type)
  if (sql === 'VARCHAR') return typeof value === 'string' ? quoteLiteral(value) : undefined
  if (sql === undefined || typeof value !== 'number') return undefined
  const text =
    type.id === 'DECIMAL' ? decimalText(value, type.type_info?.scale ?? 0) : numberText(value, type)
  return text && `CAST('${text}' AS ${sql})`
}

function numberText(value: number, type: TreeType): string | undefined {
  return type.id === 'DOUBLE' || Number.isSafeInteger(value) ? String(value) : undefined
}

/** Returns the text of a decimal, which DuckDB serializes as an integer count of its smallest unit. */
function decimalText(value: number, scale: number): string | undefined {
  if (!Number.isSafeInteger(value)) return undefined
  const digits = String(Math.abs(value)).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${value < 0 ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`
}
