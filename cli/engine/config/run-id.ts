/** Ids of runs: 10 characters that sort by time, lower-case Crockford base32 (no i, l, o, u). */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const epoch = Date.UTC(2020, 0, 1)

/**
 * Returns an id: 7 characters for the seconds since 2020, 2 for the milliseconds, and a random one: what follows each other
 * within a second sorts too. `random` returns numbers in 0..1.
 */
export function newRunId(now: Date, random: () => number): string {
  const time = Math.max(0, now.getTime() - epoch)
  const [seconds, milliseconds] = [Math.floor(time / 1000), time % 1000]
  return encode(seconds, 7) + encode(milliseconds, 2) + encode(Math.floor(random() * 32), 1)
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
