/** SQL that writes values as JSON which every reader takes, with all digits of numbers in documents. */
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
    const sent = roundsJson ? exactInJson(type) : type
    return { name, type: sent, value: jsonValue(sent === type ? value : `CAST(${value} AS ${sent})`, sent) }
  })
  if (!values.some(({ type }) => hasJson(type))) {
    const members = values.map(({ name, value }) => `${quoteName(name)} := ${value}`)
    return `CAST(to_json(struct_pack(${members.join(', ')})) AS VARCHAR)`
  }
  // JSON inside of another value would be read and written again, which rounds its numbers.
  const members = values.map(({ name, type, value }) => {
    const text = hasJson(type) ? documentText(value, type) : `CAST(to_json(${value}) AS VARCHAR)`
    return `${quoteLiteral(`${JSON.stringify(name)}:`)} || coalesce(${text}, 'null')`
  })
  return `('{' || ${members.join(` || ',' || `)} || '}')`
}

/** Whether values of the type are documents of JSON, or have some in them. */
export function hasJson(type: string): boolean {
  return /\bJSON\b/.test(withoutNames(type))
}

/** Returns SQL of a document, or of a value that has others in it, as the text of its JSON in one line. */
export function documentText(sql: string, type: string): string {
  if (type === 'JSON') return jsonText(sql)
  return hasJson(type)
    ? textOfParts(sql, readingEngine.types.parse(type), 0)
    : `CAST(to_json(${withJsonNumbers(sql, type)}) AS VARCHAR)`
}

/** The documents in a value are put together as they are: `to_json` would read them, and write their numbers anew. */
function textOfParts(sql: string, type: SqlType, depth: number): string {
  const item = internalName(`v${depth}`)
  const textOf = (part: string, of: SqlType) => `coalesce(${textOfParts(part, of, depth + 1)}, 'null')`
  const listOf = (list: string, element: SqlType, before = '') =>
    `array_to_string(list_transform(${list}, lambda ${item}: ${before}${textOf(before === '' ? item : `${item}.value`, element)}), ',')`
  switch (type.kind) {
    case 'list':
    case 'array':
      return ifThere(sql, `'[' || ${listOf(sql, type.element)} || ']'`)
    case 'map': {
      const key = `CAST(to_json(CAST(${item}.key AS VARCHAR)) AS VARCHAR) || ':' || `
      return ifThere(sql, `'{' || ${listOf(`map_entries(${sql})`, type.value, key)} || '}'`)
    }
    case 'struct': {
      const members = type.fields.map(
        ({ name = '', type: of }) =>
          `${quoteLiteral(`${JSON.stringify(name)}:`)} || ${textOf(`${sql}.${quoteName(name)}`, of)}`,
      )
      return ifThere(sql, `'{' || ${members.join(` || ',' || `)} || '}'`)
    }
    case 'union': {
      const members = type.members.map(({ name = '', type: of }) => {
        const value = textOf(`${sql}.${quoteName(name)}`, of)
        return `WHEN ${quoteLiteral(name)} THEN ${quoteLiteral(`{${JSON.stringify(name)}:`)} || ${value} || '}'`
      })
      return ifThere(sql, `CASE CAST(union_tag(${sql}) AS VARCHAR) ${members.join(' ')} END`)
    }
    default: {
      if (type.kind === 'scalar' && type.name === 'JSON') return jsonText(sql)
      return `CAST(to_json(${replaced(sql, type, depth) ?? sql}) AS VARCHAR)`
    }
  }
}

function ifThere(sql: string, then: string): string {
  return `CASE WHEN ${sql} IS NOT NULL THEN ${then} END`
}

/** Returns SQL of JSON as text in one line. A number with more digits than a DOUBLE holds has it stay as it is written. */
function jsonText(sql: string): string {
  const text = `CAST(${sql} AS VARCHAR)`
  const inOneLine = `translate(${text}, chr(9) || chr(10) || chr(13), '   ')`
  return `CASE WHEN regexp_matches(${text}, '[0-9][0-9.]{17}') THEN ${inOneLine} ELSE CAST(to_json(${sql}) AS VARCHAR) END`
}

/** A DOUBLE holds 15 digits of any decimal. */
const exactDigits = 15

/**
 * Returns the type in which a reader of JSON that rounds numbers gets the values: texts in the place of decimals that a DOUBLE
 * would round and of documents, inside of structs and lists too. The names of fields are in quotes.
 */
export function exactInJson(type: string): string {
  return type.replace(/"(?:[^"]|"")*"|DECIMAL\((\d+), ?\d+\)|\bJSON\b/g, (text, width?: string) =>
    text === 'JSON' || Number(width ?? 0) > exactDigits ? 'VARCHAR' : text,
  )
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
  // Their numbers are seen to where their text is put together.
  if (hasJson(type)) return sql
  return withJsonNumbers(sql, type)
}

/** ISO 8601 has no years before the first one that programs agree on: those are written as dates are, with (BC). */
function isoText(sql: string, format: string): string {
  const iso = `strftime(${sql}, ${quoteLiteral(format)})`
  // The year of a time with a zone does not say its era.
  return `CASE WHEN ${sql} < TIMESTAMP '0001-01-01' THEN CAST(${sql} AS VARCHAR) ELSE ${iso} END`
}

/** Returns SQL of the value with texts for the numbers that JSON does not have (NaN, infinity), inside of lists and structs too. */
function withJsonNumbers(sql: string, type: string): string {
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
