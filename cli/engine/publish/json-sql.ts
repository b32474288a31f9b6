/** SQL that writes values of production as JSON which every reader takes. */
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { internalName, readingEngine, type SqlType } from '@svc/server/language'
import type { Field } from './destination.ts'

/** What of a field is needed to read it in a file of rows. */
export type FileField = Pick<Field, 'name' | 'inFile' | 'type'>

/** Returns SQL of a JSON object with the fields as they are named at the target. */
export function jsonObject(fields: readonly FileField[], roundsJson = false): string {
  const values = fields.map(({ name, inFile, type }) => {
    const value = quoteName(inFile)
    // A column that is called text may hold numbers of a type that only its warehouse has.
    if (roundsJson && (type === 'VARCHAR' || isTextInJson(type)))
      return { name, type: 'VARCHAR', value: `CAST(${value} AS VARCHAR)` }
    return { name, type, value: jsonValue(roundsJson ? withoutLongDecimals(value, type) : value, type) }
  })
  if (!values.some(({ type }) => type === 'JSON')) {
    const members = values.map(({ name, value }) => `${quoteName(name)} := ${value}`)
    return `CAST(to_json(struct_pack(${members.join(', ')})) AS VARCHAR)`
  }
  // JSON inside of another value would be read and written again, which rounds its numbers.
  const members = values.map(({ name, type, value }) => {
    const text = type === 'JSON' ? jsonText(value) : `CAST(to_json(${value}) AS VARCHAR)`
    return `${quoteLiteral(`${JSON.stringify(name)}:`)} || coalesce(${text}, 'null')`
  })
  return `('{' || ${members.join(` || ',' || `)} || '}')`
}

/** Returns SQL of JSON as text in one line. A number with more digits than a DOUBLE holds has it stay as it is written. */
export function jsonText(sql: string): string {
  const text = `CAST(${sql} AS VARCHAR)`
  const inOneLine = `translate(${text}, chr(9) || chr(10) || chr(13), '   ')`
  return `CASE WHEN regexp_matches(${text}, '[0-9][0-9.]{17}') THEN ${inOneLine} ELSE CAST(to_json(${sql}) AS VARCHAR) END`
}

/** A DOUBLE holds 15 digits of any decimal. */
const exactDigits = 15

/** Writes decimals that a DOUBLE would round as texts, inside of structs and lists too; the names of fields are in quotes. */
function withoutLongDecimals(sql: string, type: string): string {
  const written = type.replace(/"(?:[^"]|"")*"|DECIMAL\((\d+), ?\d+\)/g, (text, width?: string) =>
    Number(width ?? 0) > exactDigits ? 'VARCHAR' : text,
  )
  return written === type ? sql : `CAST(${sql} AS ${written})`
}

/**
 * Whether a value is sent as a text to a reader of JSON that rounds numbers, takes the document `null` for no value, and reads
 * the escapes of bytes once more.
 */
export function isTextInJson(type: string): boolean {
  return type === 'JSON' || (isNested(type) && /\bBLOB\b/.test(withoutNames(type)))
}

/** Whether values of the type have others in them. */
export function isNested(type: string): boolean {
  return /\]$|^(STRUCT|MAP|UNION)/.test(type)
}

/** Returns the type without the names of its fields. */
function withoutNames(type: string): string {
  return type.replace(/"(?:[^"]|"")*"/g, '""')
}

/** Times are written as ISO 8601 says, and numbers that JSON does not have as texts. */
function jsonValue(sql: string, type: string): string {
  if (/^TIMESTAMP WITH TIME ZONE$/.test(type)) return isoText(sql, '%Y-%m-%dT%H:%M:%S.%fZ')
  if (/^TIMESTAMP/.test(type)) return isoText(sql, '%Y-%m-%dT%H:%M:%S.%f')
  if (type === 'JSON') return `CAST(${sql} AS JSON)`
  return withJsonNumbers(sql, type)
}

/** ISO 8601 has no years before the first one that programs agree on: those are written as dates are, with (BC). */
function isoText(sql: string, format: string): string {
  const iso = `strftime(${sql}, ${quoteLiteral(format)})`
  // The year of a time with a zone does not say its era.
  return `CASE WHEN ${sql} < TIMESTAMP '0001-01-01' THEN CAST(${sql} AS VARCHAR) ELSE ${iso} END`
}

/** Returns SQL of the value with texts for the numbers that JSON does not have (NaN, infinity), inside of lists and structs too. */
export function withJsonNumbers(sql: string, type: string): string {
  // Types without such numbers stay as they are: taking a list apart costs more than writing it.
  if (!/\b(FLOAT|DOUBLE)\b/.test(type)) return sql
  return replaced(sql, readingEngine.types.parse(type), 0) ?? sql
}

/** Returns undefined where the type has no such numbers. `depth`: how many lists are around the value. */
function replaced(sql: string, type: SqlType, depth: number): string | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.name === 'FLOAT' || type.name === 'DOUBLE'
        ? `CASE WHEN isfinite(${sql}) THEN to_json(${sql}) ELSE to_json(CAST(${sql} AS VARCHAR)) END`
        : undefined
    case 'list':
    case 'array':
      return replacedEach(sql, type.element, depth)
    case 'map': {
      const values = replacedEach(`map_values(${sql})`, type.value, depth)
      return values && `CASE WHEN ${sql} IS NOT NULL THEN map(map_keys(${sql}), ${values}) END`
    }
    case 'struct':
      return replacedFields(sql, type, depth)
    default:
      return undefined
  }
}

function replacedEach(sql: string, element: SqlType, depth: number): string | undefined {
  const item = internalName(`v${depth}`)
  const value = replaced(item, element, depth + 1)
  return value && `list_transform(${sql}, lambda ${item}: ${value})`
}

function replacedFields(
  sql: string,
  { fields }: SqlType & { readonly kind: 'struct' },
  depth: number,
): string | undefined {
  const values = fields.map(({ name = '', type }) => {
    const field = `${sql}.${quoteName(name)}`
    return { name, field, value: replaced(field, type, depth) }
  })
  if (values.every(({ value }) => value === undefined)) return undefined
  const members = values.map(({ name, field, value }) => `${quoteName(name)} := ${value ?? field}`)
  return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${members.join(', ')}) END`
}
