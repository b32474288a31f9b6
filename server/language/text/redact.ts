/**
 * Hides secrets in a text that leaves the program: a message, a log line, a written file (ARCHITECTURE.md,
 * invariant 9). Callers pass the values of known secrets.
 */
import { findSecrets } from './secret-patterns.ts'

export const redacted = '***'

/** The credentials of a request, as a header is written. The name is matched and put back. */
const authorization = /(\bauthorization["']?\s*[:=]\s*["']?(?:Bearer|Basic|Token)\s+)[A-Za-z0-9._~+/=-]{8,}/gi

/** Parameters of an address that hold secrets, whatever their values look like. */
const secretParameter =
  /([?&;](?:access_token|api[_-]?key|apikey|auth|client_secret|key|passwd|password|pwd|secret|sig|signature|token)=)[^&;#]+/gi

/** What follows the scheme of an address. */
const restOfAddress = /[^\s"'<>]*/y

/**
 * Replaces by `***` every value of `secrets` in `text` (plain, or escaped for a URL or for JSON) and
 * everything in the format of a secret. It does not look for words: `key=` and `basic` are also SQL and prose (decisions 8,
 * "Redaction"). Redacting twice changes nothing.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text
  for (const secret of spellings(secrets)) result = replaceSecret(result, secret)
  result = replaceShapes(result)
  return replaceParameters(result.replace(authorization, `$1${redacted}`))
}

/** Files of many megabytes have few addresses, which are found by `://`. */
function replaceParameters(text: string): string {
  const parts: string[] = []
  let end = 0
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 1)) {
    if (at < end) continue
    restOfAddress.lastIndex = at
    const [rest = ''] = restOfAddress.exec(text) ?? []
    const hidden = rest.includes('=') ? rest.replace(secretParameter, `$1${redacted}`) : rest
    if (hidden === rest) continue
    parts.push(text.slice(end, at), hidden)
    end = at + rest.length
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)].join('')
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
