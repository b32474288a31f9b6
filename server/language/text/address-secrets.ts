/**
 * The secrets in an address that comes from an environment variable: the whole of it, and each part that a
 * message could show alone. Words such as `/orders` or `/v1` stay legible.
 */

import { decoded } from './decoded.ts'

/** Scheme, user and password, host, path, query. */
const shape = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#]*)@)?[^/?#@]*([^?#]*)(?:\?([^#]*))?/i

/** Returns undefined if the text is no address with `//`. */
export function addressSecrets(value: string): readonly string[] | undefined {
  const [whole, user = '', path = '', query = ''] = shape.exec(value) ?? []
  if (whole === undefined) return undefined
  const colon = user.indexOf(':')
  const name = colon < 0 ? user : user.slice(0, colon)
  const hidden = path.split('/').filter(isSecret)
  const pairs = query.split('&').filter(pair => pair.includes('='))
  const values = pairs.map(pair => pair.slice(pair.indexOf('=') + 1))
  const parts = [
    value,
    value.replace(/\/+$/, ''),
    ...(colon < 0 ? [] : [user.slice(colon + 1)]),
    ...(isSecret(name) ? [name] : []),
    ...(hidden.length > 0 ? [path.replace(/\/+$/, ''), ...hidden] : []),
    ...pairs,
    ...values.filter(isSecret),
  ]
  return [...new Set(parts.flatMap(part => [part, decoded(part)]))].filter(part => part.length > 2)
}

/** Whether a part is more than a word, a version, a year: a token. */
function isSecret(part: string): boolean {
  if (part.length < 6) return false
  return !/^(?:[a-z]{1,15}(?:[-_.][a-z]{1,15})*|v?\d{1,4}(?:[-_.]\d{1,4})*)$/i.test(part)
}
