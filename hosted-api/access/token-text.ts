/**
 * The text of tokens: `svc_`, random characters, six characters of checksum. The prefix lets secret scanners
 * find a leaked token; with the checksum, malformed tokens are refused without a database query. 30 random
 * characters are 178 bits.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'svc_'
const randomLength = 30
const checksumLength = 6

/** Longer tokens are well-formed too, because a later version may create them. */
const wellFormed = /^svc_([0-9A-Za-z]{30,245})([0-9A-Za-z]{6})$/

export function createTokenText(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${prefix}${random}${checksum(random)}`
}

/** Returns false if it cannot be a token of this service. */
export function isTokenText(text: string): boolean {
  const match = wellFormed.exec(text)
  return match !== null && checksum(match[1] ?? '') === match[2]
}

/**
 * Returns true for text in the form of a token with a wrong checksum, for which no database query is needed.
 */
export function isForged(text: string): boolean {
  return wellFormed.test(text) && !isTokenText(text)
}

/** Returns the CRC-32 of the random characters in base 62; 62⁶ is more than 2³². */
function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < checksumLength; place++) {
    text = `${alphabet[rest % alphabet.length]}${text}`
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
