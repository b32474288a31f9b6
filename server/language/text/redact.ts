/**
 * Hides secrets in a text that leaves the program: a message, a log line, a written file (ARCHITECTURE.md,
 * invariant 9). Callers pass the values of known secrets.
 */
import { findSecrets } from './secret-patterns.ts'

export const redacted = '***'

/**
 * Values after these names are secret in any format. The name is matched and put back, because lookbehind
 * would try every word of files of many megabytes.
 */
const named: readonly RegExp[] = [
  /(\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /([?&;\s](?:access_token|api[_-]?key|apikey|auth|client_secret|key|passwd|password|pwd|secret|sig|signature|token)=)[^\s&;"'#]+/gi,
]

/**
 * Replaces by `***` every value of `secrets` in `text` (plain, or escaped for a URL or for JSON) and
 * everything in the format of a secret. Redacting twice changes nothing.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text
  for (const secret of spellings(secrets)) result = replaceSecret(result, secret)
  result = replaceShapes(result)
  for (const pattern of named) result = result.replace(pattern, `$1${redacted}`)
  return result
}

/** Returns all spellings, longest first: a secret inside another leaves no part of the longer one. */
function spellings(secrets: readonly string[]): readonly string[] {
  const all = new Set<string>()
  for (const secret of secrets) {
    if (secret.trim() === '') continue
    all.add(secret)
    all.add(encodeAddress(secret))
    all.add(JSON.stringify(secret).slice(1, -1))
  }
  return [...all].sort((a, b) => b.length - a.length)
}

/**
 * Encodes a secret for a URL. `encodeURIComponent` throws for a lone surrogate, which a secret may contain
 * like any text.
 */
function encodeAddress(secret: string): string {
  return encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/**
 * Replaces a secret; a very short one only as a whole word, because hiding each "a" would garble the text and
 * reveal the secret.
 */
function replaceSecret(text: string, secret: string): string {
  if (secret.length >= 4) return text.replaceAll(secret, redacted)
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(secret)}(?![\\p{L}\\p{N}_])`, 'gu')
  return text.replace(word, redacted)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function replaceShapes(text: string): string {
  let result = ''
  let end = 0
  for (const { range } of findSecrets(text)) {
    result += text.slice(end, range.start) + redacted
    end = range.end
  }
  return end === 0 ? text : result + text.slice(end)
}
