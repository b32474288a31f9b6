/**
 * The types of SQLite: what a column becomes by the type that it is declared with, and, where it has none, by the values in it. Any
 * column may hold values of any kind: what is not of the type is told, and kept apart like a wrong value of a file.
 */
import type { SourceType } from '@svc/server/language'
import { type DatabaseColumn, scalar } from './database.ts'
import type { Quote } from './relation.ts'

/** The kinds of values that a column holds, as `typeof` names them, without `null`. */
export type ValueKinds = ReadonlySet<string>

type Written = Omit<DatabaseColumn, 'name'>

/**
 * Returns how a column is read; undefined if its declaration says nothing and its values have to be looked at.
 */
export function declaredColumn(
  name: string,
  declared: string | null,
  quote: Quote,
): DatabaseColumn | undefined {
  const written = byDeclaration((declared ?? '').toUpperCase(), quote(name))
  return written === undefined ? undefined : { name, ...written }
}

export function columnOfValues(name: string, kinds: ValueKinds, quote: Quote): DatabaseColumn {
  return { name, ...byValues(kinds, quote(name)) }
}

/** The rules of affinity, with the words for times, truth values and JSON that SQLite itself takes for numbers. */
function byDeclaration(declared: string, sql: string): Written | undefined {
  if (/^BOOL/.test(declared)) return { select: text(sql), type: loose('BOOLEAN') }
  if (/^DATE$/.test(declared)) return { select: text(moment(sql, '%Y-%m-%d')), type: loose('DATE') }
  if (/^(DATETIME|TIMESTAMP)/.test(declared))
    return { select: text(moment(sql, '%Y-%m-%d %H:%M:%f')), type: loose('TIMESTAMP') }
  if (/INT/.test(declared)) return { select: text(sql), type: loose('BIGINT') }
  if (/CHAR|CLOB|TEXT/.test(declared)) return { select: text(sql), type: scalar('VARCHAR') }
  if (/BLOB/.test(declared)) return bytes(sql)
  if (/REAL|FLOA|DOUB/.test(declared)) return { select: text(sql), type: loose('DOUBLE') }
  if (/^JSON/.test(declared)) return { select: text(sql), type: loose('JSON') }
  if (/^(NUMERIC|DECIMAL|NUMBER|MONEY)/.test(declared))
    return { select: text(sql), type: { kind: 'unknown' }, isDecimal: true, inexact: loose('DOUBLE') }
  return undefined
}

function byValues(kinds: ValueKinds, sql: string): Written {
  const all = [...kinds]
  if (all.length === 0) return { select: text(sql), type: { kind: 'unknown' } }
  if (all.every(kind => kind === 'integer')) return { select: text(sql), type: scalar('BIGINT') }
  if (all.every(kind => kind === 'integer' || kind === 'real'))
    return { select: text(sql), type: loose('DOUBLE') }
  return all.every(kind => kind === 'blob') ? bytes(sql) : { select: text(sql), type: scalar('VARCHAR') }
}

/**
 * Returns SQL of the value as CSV has it: nothing for NULL, all else in quotes. A real has all its digits, which a cast to text
 * would lose. Bytes among texts are written as hexadecimal digits, because they need not be a text.
 */
function text(sql: string): string {
  return `CASE typeof(${sql}) WHEN 'null' THEN '' WHEN 'integer' THEN CAST(${sql} AS TEXT)
    WHEN 'real' THEN ${real(sql)} WHEN 'blob' THEN hex(${sql})
    ELSE '"' || replace(${sql}, '"', '""') || '"' END`
}

/**
 * The shortest text that is the same number: 15 digits are enough for most. A whole number of more digits is written with all of
 * them, because a type of whole numbers would take a shortened one for another number.
 */
function real(sql: string): string {
  const short = `printf('%!.15g', ${sql})`
  return `CASE WHEN abs(${sql}) BETWEEN 9007199254740992.0 AND 1e19 THEN printf('%!.0f', ${sql})
    WHEN CAST(${short} AS REAL) = ${sql} THEN ${short} ELSE printf('%!.17g', ${sql}) END`
}

function bytes(sql: string): Written {
  return {
    select: `CASE WHEN ${sql} IS NULL THEN '' ELSE '"' || hex(${sql}) || '"' END`,
    type: scalar('BLOB'),
    decode: hex => `unhex(${hex})`,
  }
}

/** Beyond this a whole number counts milliseconds: as seconds it would be the year 5138. */
const mostSeconds = 100_000_000_000

/**
 * The Julian days of 1900 to 2100. SQLite stores a Julian day at noon as a whole number; as seconds these would all be within one
 * day of January 1970.
 */
const julianDays = 'BETWEEN 2415021 AND 2488070'

/** A time is a text, a whole number of seconds or milliseconds since 1970, or a number of Julian days. */
function moment(sql: string, format: string): string {
  return `(CASE typeof(${sql})
    WHEN 'integer' THEN CASE WHEN ${sql} ${julianDays} THEN strftime('${format}', ${sql})
      ELSE strftime('${format}', CASE WHEN abs(${sql}) < ${mostSeconds} THEN ${sql} ELSE ${sql} / 1000.0 END, 'unixepoch') END
    WHEN 'real' THEN strftime('${format}', ${sql})
    ELSE ${inUtc(sql)} END)`
}

/** A text with an offset becomes the same moment in UTC, with all digits of its seconds. */
function inUtc(sql: string): string {
  const minutes = `strftime('%Y-%m-%d %H:%M', ${sql})`
  return `CASE WHEN ${sql} GLOB '????-??-?????:??*[-+]??:??' THEN
    coalesce(${minutes} || substr(${sql}, 17, length(${sql}) - 22), ${sql}) ELSE ${sql} END`
}

function loose(type: string): SourceType {
  return { kind: 'scalar', type, loose: true }
}
