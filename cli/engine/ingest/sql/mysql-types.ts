/** The types of MySQL and MariaDB: what each becomes, and how the server writes its values into a line of CSV. */
import mysql, { type FieldPacket } from 'mysql2'
import { type DatabaseColumn, scalar } from './database.ts'
import type { Quote } from './relation.ts'
import { misfitMark } from './spooled-rows.ts'

const { Types } = mysql
const unsignedFlag = 32
const binaryCharset = 63
const mostDigits = 38

const integers: Readonly<Record<number, readonly [signed: string, unsigned: string]>> = {
  [Types.TINY]: ['TINYINT', 'UTINYINT'],
  [Types.SHORT]: ['SMALLINT', 'USMALLINT'],
  [Types.INT24]: ['INTEGER', 'UINTEGER'],
  [Types.LONG]: ['INTEGER', 'UINTEGER'],
  [Types.LONGLONG]: ['BIGINT', 'UBIGINT'],
}

/** Values that need no quotes: nothing for NULL, which is how a line of CSV writes it. */
const bare = (sql: string) => `COALESCE(${sql}, '')`
/** Texts in quotes: an empty one is none of NULL. */
const quoted = (sql: string) => `IF(${sql} IS NULL, '', CONCAT('"', REPLACE(${sql}, '"', '""'), '"'))`
const text = (sql: string) => quoted(`CONVERT(${sql} USING utf8mb4)`)

export function columnOf(field: FieldPacket, quote: Quote): DatabaseColumn {
  const { name } = field
  const sql = quote(name)
  const code = field.columnType ?? field.type ?? Types.VAR_STRING
  const isUnsigned = (Number(field.flags) & unsignedFlag) !== 0
  const whole = integers[code]
  if (whole !== undefined) {
    // Most take TINYINT(1) for a truth value; what is neither 0 nor 1 is told.
    if (code === Types.TINY && field.columnLength === 1) {
      return { name, select: bare(sql), type: { kind: 'scalar', type: 'BOOLEAN', loose: true } }
    }
    return { name, select: bare(sql), type: scalar(whole[isUnsigned ? 1 : 0]) }
  }
  return { name, ...otherColumn(code, sql, field, isUnsigned) }
}

type Written = Omit<DatabaseColumn, 'name'>

function otherColumn(code: number, sql: string, field: FieldPacket, isUnsigned: boolean): Written {
  switch (code) {
    case Types.FLOAT:
      // The text of a FLOAT has six digits; as a DOUBLE it has all.
      return { select: bare(`CAST(${sql} AS DOUBLE)`), type: scalar('FLOAT') }
    case Types.DOUBLE:
      return { select: bare(sql), type: scalar('DOUBLE') }
    case Types.DECIMAL:
    case Types.NEWDECIMAL:
      return { select: bare(sql), ...decimal(field, isUnsigned) }
    case Types.YEAR:
      return { select: bare(sql), type: scalar('SMALLINT') }
    case Types.BIT:
      return { select: bare(`${sql} + 0`), type: scalar(field.columnLength === 1 ? 'BOOLEAN' : 'UBIGINT') }
    case Types.DATE:
    case Types.NEWDATE:
      return { select: moment(sql), type: scalar('DATE'), marksMisfits: true }
    case Types.DATETIME:
      return { select: moment(sql), type: scalar('TIMESTAMP'), marksMisfits: true }
    case Types.TIMESTAMP:
      return { select: moment(sql), type: scalar('TIMESTAMP WITH TIME ZONE'), marksMisfits: true }
    case Types.TIME:
      // It is a time of the day to most, and may be 838 hours: what is no time of a day is told.
      return { select: bare(sql), type: { kind: 'scalar', type: 'TIME', loose: true } }
    case Types.JSON:
      return { select: text(sql), type: scalar('JSON') }
    case Types.GEOMETRY:
      return { select: text(`ST_AsText(${sql})`), type: scalar('VARCHAR') }
    default:
      return isBinary(field) ? bytes(sql) : { select: text(sql), type: scalar('VARCHAR') }
  }
}

/** Dates without a month or a day are no dates to anybody else; what their texts are shows what is lost. */
function moment(sql: string): string {
  const written = `CAST(${sql} AS CHAR)`
  const isNone = `MONTH(${sql}) = 0 OR DAY(${sql}) = 0`
  return bare(`IF(${isNone}, CONCAT(CHAR(${misfitMark.charCodeAt(0)}), ${written}), ${written})`)
}

function bytes(sql: string): Written {
  return { select: quoted(`HEX(${sql})`), type: scalar('BLOB'), decode: hex => `unhex(${hex})` }
}

function isBinary({ characterSet }: FieldPacket & { readonly characterSet?: number }): boolean {
  return characterSet === binaryCharset
}

/** The length counts the sign and the point. */
function decimal(
  { columnLength = 0, decimals }: FieldPacket,
  isUnsigned: boolean,
): Pick<DatabaseColumn, 'type' | 'isDecimal'> {
  const digits = columnLength - (isUnsigned ? 0 : 1) - (decimals > 0 ? 1 : 0)
  if (digits < 1 || digits > mostDigits) return { type: { kind: 'unknown' }, isDecimal: true }
  return { type: scalar(`DECIMAL(${digits},${decimals})`) }
}
