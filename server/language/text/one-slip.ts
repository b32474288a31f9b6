/** Tells a slip of the keyboard from another word. */
import { editDistance } from './nearest-names.ts'

/** In shorter words a letter makes another word: `min` is no slip of `mean`, nor `var` of `bar`. */
const shortest = 4

/**
 * Returns whether the two texts are equal but for one word, in which one letter is missing, too many, another one, or has changed
 * places with its neighbour, or the case differs. A digit is never a slip: `q1` and `q2` are two things.
 */
export function isOneSlip(written: string, meant: string): boolean {
  const start = commonStart(written, meant)
  const end = commonEnd(written, meant, start)
  const changed = [written.slice(start, written.length - end), meant.slice(start, meant.length - end)]
  if (changed.some(part => !/^[\p{L}_]*$/u.test(part))) return false
  const before = /[\p{L}\p{N}_]*$/u.exec(written.slice(0, start))?.[0] ?? ''
  const after = /^[\p{L}\p{N}_]*/u.exec(written.slice(written.length - end))?.[0] ?? ''
  const [word = '', right = ''] = changed.map(part => `${before}${part}${after}`.toLowerCase())
  if (word === right) return word !== ''
  return Math.min(word.length, right.length) >= shortest && editDistance(word, right, 1) === 1
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let length = 0
  while (length < most && a.at(-1 - length) === b.at(-1 - length)) length++
  return length
}
