/** What is stored of a token: its SHA-256 (a random token needs no salt) and a hint for people. */
import { createHash } from 'node:crypto'

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * Returns the first eight and the last four characters: enough to recognise a token, too little to use it.
 */
export function hintOf(token: string): string {
  return `${token.slice(0, 8)}…${token.slice(-4)}`
}
