/** Parses DuckDB's errors (`errors_as_json`) into values. */
import type { BindError, BindErrorSubtype } from '../bind-error.ts'

export function readBindError(error: unknown): BindError {
  const text = error instanceof Error ? error.message : String(error)
  const fields = parseFields(text)
  const message = fields.exception_message ?? text
  return {
    kind: kindOf(fields.exception_type ?? text, fields.error_subtype, message),
    message,
    position: fields.position === undefined ? undefined : Number(fields.position),
    subtype: subtypeOf(fields.error_subtype),
    missing: fields.type,
    name: fields.name,
    call: fields.call,
    candidates: fields.candidates,
    hint: undefined,
  }
}

const subtypes: Readonly<Record<string, BindErrorSubtype>> = {
  COLUMN_NOT_FOUND: 'unknown-column',
  UNSUPPORTED: 'misplaced-call',
}

/** That a column is not grouped DuckDB says without a subtype. */
function subtypeOf(subtype: string | undefined): BindErrorSubtype | undefined {
  return subtype === undefined ? undefined : (subtypes[subtype] ?? 'other')
}

function parseFields(text: string): Record<string, string> {
  const start = text.indexOf('{')
  if (start < 0) return {}
  try {
    const value: unknown = JSON.parse(text.slice(start))
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {}
  } catch {
    return {}
  }
}

/** The parser counts the depth as well, so that this is no error of syntax. */
export function isTooDeep(message = ''): boolean {
  return message.startsWith('Max expression depth')
}

function kindOf(type: string, subtype: string | undefined, message: string): BindError['kind'] {
  if (/^fatal/i.test(type) || /database has been invalidated/i.test(message)) return 'fatal'
  if (/^out of memory/i.test(type)) return 'memory'
  if (isTooDeep(message)) return 'too-deep'
  if (/^parser/i.test(type) || subtype === 'SYNTAX_ERROR') return 'syntax'
  if (/^catalog/i.test(type)) return 'catalog'
  if (/^binder/i.test(type)) return 'binder'
  if (/^(conversion|invalid input|out of range)/i.test(type)) return 'conversion'
  return /^permission/i.test(type) ? 'permission' : 'other'
}
