/**
 * Tokens as text: `svc_`, random characters, six characters of checksum. The prefix lets scanners find one that leaked,
 * the checksum lets us refuse junk without asking the database. 30 random characters are 178 bits.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'svc_'
const randomLength = 30
const checksumLength = 6

/** Longer tokens than ours are well-formed too: a later version may make them. */
const wellFormed = /^svc_([0-9A-Za-z]{30,245})([0-9A-Za-z]{6})$/

export function createTokenText(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${prefix}${random}${checksum(random)}`
}

/** False: no token of ours, whatever the database holds. */
export function isTokenText(text: string): boolean {
  const match = wellFormed.exec(text)
  return match !== null && checksum(match[1] ?? '') === match[2]
}

/** True for what looks like a token of ours and is none: the database need not be asked. */
export function isForged(text: string): boolean {
  return wellFormed.test(text) && !isTokenText(text)
}

/** CRC-32 of the random characters in base 62; 62⁶ is more than 2³². */
function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < checksumLength; place++) {
    text = `${alphabet[rest % alphabet.length]}${text}`
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
