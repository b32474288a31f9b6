/** The types that loaded columns get at the server, and how their values are written for it. */
import { engineOf, internalName, storedType } from '@svc/server/language'
import { documentText, hasJson } from '../../publish/json-sql.ts'

export interface LoadedColumn {
  readonly name: string
  /** The type at the server. */
  readonly type: string
  /** Returns SQL of the embedded DuckDB: the text that the server reads, from SQL of the value. */
  text(value: string): string
}

const engine = engineOf('postgres:')

/** `wanted`: the type that the column is to have, if it is another one than its values suggest. */
export function columnOfLoad(
  { name, type }: { readonly name: string; readonly type: string },
  wanted: string | undefined,
): LoadedColumn {
  const target = wanted ?? storedType(type, engine)
  const kind = engine.types.parse(target)
  const family = engine.types.family(kind)
  return {
    name,
    type: target,
    text(value) {
      if (kind.kind === 'list') return arrayText(value, type)
      if (target === 'bytea') return bytesText(value)
      // The type json keeps a text as it was written, escapes of NUL too.
      if (target === 'json') return `CAST(${value} AS VARCHAR)`
      if (family === 'json') return jsonText(documentIn(value, type))
      const text = `CAST(${value} AS VARCHAR)`
      return family === 'text' ? withoutNul(text) : text
    },
  }
}

/** A document in another value stays as it is written: `to_json` would read it, and round its numbers. */
function documentIn(value: string, type: string): string {
  if (type === 'JSON') return value
  return hasJson(type) ? documentText(value, type) : `to_json(${value})`
}

function bytesText(value: string): string {
  return `'\\x' || lower(hex(${value}))`
}

/** PostgreSQL stores no text with the character NUL. */
function withoutNul(text: string): string {
  return `replace(${text}, chr(0), '\ufffd')`
}

/**
 * Replaces the escapes of NUL, which `jsonb` refuses. Two backslashes are one of the text and no escape begins with the second:
 * meanwhile they are a character that JSON only has as an escape.
 */
function jsonText(value: string): string {
  const text = `CAST(${value} AS VARCHAR)`
  const replaced = `replace(replace(replace(${text}, '\\\\', chr(1)), '\\u0000', '\\ufffd'), chr(1), '\\\\')`
  return `CASE WHEN contains(${text}, '\\u0000') THEN ${replaced} ELSE ${text} END`
}

const element = internalName('element')

/** An array as PostgreSQL reads it: each element in quotes, and NULL without. */
function arrayText(value: string, type: string): string {
  const text = type.startsWith('BLOB') ? bytesText(element) : withoutNul(`CAST(${element} AS VARCHAR)`)
  const escaped = `replace(replace(${text}, '\\', '\\\\'), '"', '\\"')`
  const elements = `list_transform(${value}, lambda ${element}: coalesce('"' || ${escaped} || '"', 'NULL'))`
  return `'{' || array_to_string(${elements}, ',') || '}'`
}
