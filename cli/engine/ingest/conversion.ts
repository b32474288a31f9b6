/**
 * How a value of a source is converted to the type of its column: the type in which the reader takes it, and
 * the cast from there. The conversions lose nothing: time zone offsets are applied, decimals are parsed from
 * their digits, and values that fit no type become text.
 */
import { quoteLiteral, quoteName, replaced } from '@svc/server/catalog'
import type { FileOptions, RawColumn, SourceType } from '@svc/server/language'
import { documentText, hasJson } from '../publish/json-sql.ts'

/** A value inside of a value, and the type in which the reader takes it. */
export interface ReadPart {
  /** The way to it in names of the source, with `[]` for the elements of a list. */
  readonly path: readonly string[]
  readonly read: string
}

export interface Conversion {
  /** The type that the reader is asked to return. */
  readonly read: string
  /** What is read of an object or a list whose values are converted one by one, instead of the whole. */
  readonly parts?: readonly ReadPart[]
  /** Returns SQL of the column's value from SQL of the read value. */
  value(raw: string): string
  /**
   * Returns the SQL condition that a value exists but the column's type cannot hold it; undefined if it
   * always can.
   */
  misfit(raw: string): string | undefined
  /** Like `value`, but returns NULL if the column's type cannot hold the value. */
  fitting(raw: string): string
}

export interface TextOptions extends FileOptions {
  /** The reader gives texts only. */
  readonly isText?: boolean
}

export type SourceFormat = 'json' | 'csv' | 'parquet'

export function columnType(column: RawColumn): string {
  return column.type ?? 'VARCHAR'
}

/** Returns how to convert a value of the type `found` at the source to the column's type. */
export function conversion(
  column: RawColumn,
  sourceType: SourceType,
  format: SourceFormat,
  written: TextOptions = {},
): Conversion {
  const target = columnType(column)
  const isLoose = sourceType.kind === 'scalar' && sourceType.loose === true
  const isText = isLoose || written.isText === true
  const isMarkedJson = isLoose && sourceType.type === 'JSON'
  const read =
    isText && (target !== 'JSON' || isMarkedJson) ? 'VARCHAR' : readType(format, sourceType, target)
  const zoned = zonedWhenRead(read, sourceType)
  const document = format === 'parquet' ? documentOf(sourceType) : toJson
  const how = { read, target, zoned, written, isJson: isMarkedJson, document }
  const value = (raw: string) => converted(raw, { ...how, cast: 'CAST' })
  const tried = (raw: string) => converted(raw, { ...how, cast: 'TRY_CAST' })
  const lost = (raw: string) =>
    `${lostFraction(point(raw, written), read, target)}${changedText(raw, { read, target, written })}${isLoose ? lostDigits(raw, target) : ''}`
  const misfit = (raw: string) =>
    read === target || (alwaysFits(read, target) && !isMarkedJson)
      ? undefined
      : `(${raw} IS NOT NULL AND (${tried(raw)} IS NULL${lost(raw)}))`
  const fitting = (raw: string) => {
    const broken = misfit(raw)
    return broken === undefined ? value(raw) : `CASE WHEN ${broken} THEN NULL ELSE ${tried(raw)} END`
  }
  return { read, value, misfit, fitting }
}

/** Returns the type's text if it is a scalar or a list of scalars. */
export function plainType(type: SourceType | undefined): string | undefined {
  if (type?.kind === 'scalar') return type.type
  if (type?.kind === 'list' && type.element.kind === 'scalar') return `${type.element.type}[]`
  return undefined
}

function readType(format: SourceFormat, sourceType: SourceType, target: string): string {
  const type = plainType(sourceType)
  if (format === 'parquet') return type ?? nested
  if (format === 'csv') return type === target ? type : 'VARCHAR'
  return jsonReadType(type, target)
}

const nested = 'nested'
const exactInJson = ['BIGINT', 'HUGEINT', 'DOUBLE', 'BOOLEAN']

function jsonReadType(type: string | undefined, target: string): string {
  if (target === 'JSON') return 'JSON'
  if (isNested(target)) {
    // read_json would parse times differently, so such lists are read as JSON.
    return type === target && exactInJson.concat('VARCHAR').includes(type.slice(0, -2)) ? type : 'JSON'
  }
  if (type === undefined || target === 'VARCHAR' || target.startsWith('DECIMAL')) return 'VARCHAR'
  return exactInJson.includes(type) ? type : 'VARCHAR'
}

function isNested(type: string): boolean {
  return type.endsWith(']') || /^(STRUCT|MAP|UNION)\b/i.test(type)
}

/** Returns whether a time has an offset, or may have one. A plain cast to TIMESTAMP would drop the offset. */
function zonedWhenRead(read: string, sourceType: SourceType): boolean {
  if (read === 'TIMESTAMP WITH TIME ZONE') return true
  return read === 'VARCHAR' && plainType(sourceType) !== 'TIMESTAMP' && plainType(sourceType) !== 'DATE'
}

interface Cast {
  readonly read: string
  readonly target: string
  readonly zoned: boolean
  /** How a CSV file writes numbers and times. */
  readonly written: FileOptions
  /** The text is JSON, and not a text in it. */
  readonly isJson: boolean
  /** Returns SQL of a value as JSON. */
  readonly document: (raw: string) => string
  readonly cast: 'CAST' | 'TRY_CAST'
}

function converted(raw: string, { read, target, zoned, written, isJson, document, cast }: Cast): string {
  if (read === target) return raw
  if (isJson && target === 'JSON') return `${cast}(${raw} AS JSON)`
  const parse = cast === 'CAST' ? 'strptime' : 'try_strptime'
  const format = target === 'DATE' ? written.dateFormat : written.timestampFormat
  if (read === 'VARCHAR' && isTime(target) && format !== undefined)
    return `${cast}(${parse}(${raw}, ${quoteLiteral(format)}) AS ${target})`
  if (read === 'VARCHAR' && isNumber(target)) return `${cast}(${point(raw, written)} AS ${target})`
  if (read === nested) return target === 'JSON' ? document(raw) : `${cast}(${document(raw)} AS ${target})`
  if (target === 'TIMESTAMP' && zoned) return `(${cast}(${raw} AS TIMESTAMPTZ) AT TIME ZONE 'UTC')`
  if (target === 'TIMESTAMP WITH TIME ZONE' && read === 'TIMESTAMP') return `(${raw} AT TIME ZONE 'UTC')`
  if (target === 'JSON') return document(raw)
  return `${cast}(${raw} AS ${target})`
}

function toJson(raw: string): string {
  return `to_json(${raw})`
}

/** Documents in a value stay as they are written: `to_json` would read them, and round their numbers. */
function documentOf(sourceType: SourceType): (raw: string) => string {
  const type = typeText(sourceType)
  return type === undefined || type === 'JSON' || !hasJson(type)
    ? toJson
    : raw => `CAST(${documentText(raw, type)} AS JSON)`
}

/** Returns the type of a value of Parquet as DuckDB writes it; undefined where a part of it is unknown. */
function typeText(type: SourceType): string | undefined {
  if (type.kind === 'scalar') return type.type
  if (type.kind === 'list') {
    const element = typeText(type.element)
    return element && `${element}[]`
  }
  if (type.kind !== 'struct') return undefined
  const fields = type.fields.map(field => {
    const own = typeText(field.type)
    return own && `${quoteName(field.name)} ${own}`
  })
  return fields.includes(undefined) ? undefined : `STRUCT(${fields.join(', ')})`
}

function isTime(target: string): boolean {
  return target === 'DATE' || target.startsWith('TIMESTAMP')
}

function isNumber(target: string): boolean {
  return integers.includes(target) || /^(DOUBLE|FLOAT|DECIMAL)/.test(target)
}

function point(raw: string, { decimalSeparator }: FileOptions): string {
  return replaced(raw, decimalSeparator)
}

/** Returns a condition for an integer that a DOUBLE would round. */
function lostDigits(raw: string, target: string): string {
  if (target !== 'DOUBLE') return ''
  const exact = `TRY_CAST(TRY_CAST(${raw} AS DOUBLE) AS HUGEINT) = TRY_CAST(${raw} AS HUGEINT)`
  return ` OR (regexp_full_match(${raw}, '-?[0-9]{16,}') AND NOT coalesce(${exact}, false))`
}

const integers = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT']

function alwaysFits(read: string, target: string): boolean {
  if (target === 'VARCHAR' || target === 'JSON') return true
  if (read === 'BIGINT' && (target === 'HUGEINT' || target === 'DOUBLE')) return true
  return read === 'DATE' && target.startsWith('TIMESTAMP')
}

/** Returns a condition for a lost fraction, because a cast to an integer would round. */
function lostFraction(raw: string, read: string, target: string): string {
  if (!integers.includes(target) || integers.includes(read)) return ''
  return ` OR TRY_CAST(${raw} AS DOUBLE) <> floor(TRY_CAST(${raw} AS DOUBLE))`
}

/** Returns a condition for a value that the cast would take, and change: the cast drops what the type has no place for. */
function changedText(raw: string, how: Pick<Cast, 'read' | 'target' | 'written'>): string {
  const { read, target, written } = how
  if (read === 'TIMESTAMP' && target === 'DATE')
    return ` OR ${raw} <> CAST(CAST(${raw} AS DATE) AS TIMESTAMP)`
  if (read !== 'VARCHAR') return ''
  if (isNumber(target)) return changedNumber(point(raw, written), target)
  const isFormatted = (target === 'DATE' ? written.dateFormat : written.timestampFormat) !== undefined
  if (isTime(target) && isFormatted) return ''
  if (target === 'DATE') return ` OR regexp_matches(${raw}, '[T ][0-9:.]*[1-9]')`
  return microseconds.includes(target) ? ` OR regexp_matches(${raw}, '[.][0-9]{6}[0-9]*[1-9]')` : ''
}

const microseconds = ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'TIME']

/** Numbers as programs write them (0x10, 1_000) are none of a source, and one out of range is no infinity. */
function changedNumber(text: string, target: string): string {
  const isCode = ` OR regexp_matches(${text}, '[_xXbB]')`
  if (target === 'DOUBLE' || target === 'FLOAT')
    return `${isCode} OR (isinf(TRY_CAST(${text} AS ${target})) AND NOT regexp_matches(${text}, '[iI]'))`
  const scale = /^DECIMAL\(\d+, ?(\d+)\)/.exec(target)?.[1]
  if (scale === undefined) return isCode
  const isLonger = `regexp_matches(${text}, '[.][0-9]{${scale}}[0-9]*[1-9]')`
  const isOther = `TRY_CAST(${text} AS DOUBLE) <> CAST(TRY_CAST(${text} AS ${target}) AS DOUBLE)`
  return `${isCode} OR CASE WHEN regexp_matches(${text}, '[eE]') THEN ${isOther} ELSE ${isLonger} END`
}
