/** Ids of runs: 10 characters that sort by time, lower-case Crockford base32 (no i, l, o, u). */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const epochSeconds = Date.UTC(2020, 0, 1) / 1000

/**
 * Returns an id: 7 characters for the seconds since 2020, then 3 random ones. `random` returns numbers in
 * 0..1.
 */
export function newRunId(now: Date, random: () => number): string {
  const seconds = Math.max(0, Math.floor(now.getTime() / 1000) - epochSeconds)
  return encode(seconds, 7) + encode(Math.floor(random() * 32 ** 3), 3)
}

function encode(value: number, length: number): string {
  let text = ''
  let rest = value
  for (let index = 0; index < length; index++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}
