/** DuckDB's errors (`errors_as_json`) as values. */
export interface BindError {
  /** `syntax`: the text is no SQL. `fatal`: the instance is lost. `memory`: there is none left. */
  readonly kind: 'syntax' | 'catalog' | 'binder' | 'conversion' | 'permission' | 'fatal' | 'memory' | 'other'
  readonly message: string
  /** UTF-8 byte offset in the statement that was run. */
  readonly position: number | undefined
  readonly subtype: string | undefined
  /** What a catalog error did not find: `Table`, `Scalar Function`, `Type`… */
  readonly missing: string | undefined
  readonly name: string | undefined
  /** The call that no function fits, with the types of its arguments. */
  readonly call: string | undefined
  readonly candidates: string | undefined
}

export function readBindError(error: unknown): BindError {
  const text = error instanceof Error ? error.message : String(error)
  const fields = parseFields(text)
  const message = fields.exception_message ?? text
  return {
    kind: kindOf(fields.exception_type ?? text, fields.error_subtype, message),
    message,
    position: fields.position === undefined ? undefined : Number(fields.position),
    subtype: fields.error_subtype,
    missing: fields.type,
    name: fields.name,
    call: fields.call,
    candidates: fields.candidates,
  }
}

/** DuckDB's own limit; its advice, a setting, is of no use here. */
export function isTooDeep({ message }: BindError): boolean {
  return message.startsWith('Max expression depth')
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

function kindOf(type: string, subtype: string | undefined, message: string): BindError['kind'] {
  if (/^fatal/i.test(type) || /database has been invalidated/i.test(message)) return 'fatal'
  if (/^out of memory/i.test(type)) return 'memory'
  if (/^parser/i.test(type) || subtype === 'SYNTAX_ERROR') return 'syntax'
  if (/^catalog/i.test(type)) return 'catalog'
  if (/^binder/i.test(type)) return 'binder'
  if (/^(conversion|invalid input|out of range)/i.test(type)) return 'conversion'
  return /^permission/i.test(type) ? 'permission' : 'other'
}
