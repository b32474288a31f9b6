import type { JsonValue } from '@svc/server/language'

/** Returns the body with every text in it resolved. */
export function filledBody(value: JsonValue, resolve: (text: string) => JsonValue): JsonValue {
  if (typeof value === 'string') return resolve(value)
  if (Array.isArray(value)) return value.map(item => filledBody(item, resolve))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledBody(item, resolve)]))
}
