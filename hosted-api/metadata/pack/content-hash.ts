/** Hashes content so that equal values have equal hashes, whatever the order of their members. */
import { hash } from 'node:crypto'

/** Returns 64 hex digits: the SHA-256 of the value's canonical JSON. */
export function contentHash(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}

/** Returns JSON with the members of every object sorted by name; undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return Array.isArray(value) ? listText(value) : objectText(value as Readonly<Record<string, unknown>>)
}

/**
 * Text is appended piece by piece, because lists of the pieces of a large pack would be millions of small
 * objects.
 */
function listText(items: readonly unknown[]): string {
  let text = '['
  for (const item of items) text += `${text.length > 1 ? ',' : ''}${canonicalJson(item ?? null)}`
  return `${text}]`
}

function objectText(value: Readonly<Record<string, unknown>>): string {
  let text = '{'
  for (const name of Object.keys(value).sort()) {
    const member = value[name]
    if (member !== undefined)
      text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${canonicalJson(member)}`
  }
  return `${text}}`
}
