/** Finds the text that reads in another way once a missing bracket stands where it belongs. */
import type { Doubt } from '../tree.ts'
import { clauseStarts } from './clause-starts.ts'
import type { Token } from './reader.ts'

const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])
const clauseWords = new Set([...clauseStarts, 'on', 'by'])

/** Returns what a bracket that nothing opens puts in doubt: the item before it, with its names, which may have lost the bracket. */
export function doubtBefore(tokens: readonly Token[], index: number): Doubt {
  const { end } = tokens[index] as Token
  const names = { start: itemStart(tokens, index, true), end }
  return { ...names, names, list: itemStart(tokens, index, false) }
}

/** Returns what a bracket puts in doubt that was tried at a place: up to its partner all but the names, and the two words beside it. */
export function doubtAround(tokens: readonly Token[], index: number): Doubt {
  const before = tokens[index - 1]
  const after = tokens[index + 1] as Token
  const names = { start: (before ?? after).start, end: after.end }
  if (queryWords.has(after.word)) return { ...names, end: names.start, names }
  return { start: itemStart(tokens, index, true), end: partnerEnd(tokens, index), names }
}

const queryWords = new Set(['select', 'with', 'from', 'values'])

function partnerEnd(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index; at < tokens.length; at++) {
    const { word, end } = tokens[at] as Token
    if (opening.has(word)) depth++
    else if (closing.has(word) && --depth === 0) return end
  }
  return (tokens.at(-1) as Token).end
}

/** Returns what a bracket that nothing closes puts in doubt: the item from its beginning to where the bracket is closed at the latest. */
export function doubtFrom(tokens: readonly Token[], index: number): Doubt {
  const opener = openerBefore(tokens, index)
  const end = tokens[index - 1]?.end ?? 0
  return { start: opener < 0 ? end : itemStart(tokens, opener, true), end }
}

/** Returns the index of the bracket that is open at a token; -1 for none. */
function openerBefore(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const { word } = tokens[at] as Token
    if (closing.has(word)) depth++
    else if (opening.has(word) && --depth < 0) return at
  }
  return -1
}

/** Returns where the item of a list or of a clause begins that the token is in. */
function itemStart(tokens: readonly Token[], index: number, endsAtCommas: boolean): number {
  let depth = 0
  let at = index - 1
  for (; at >= 0; at--) {
    const { word } = tokens[at] as Token
    if (closing.has(word)) depth++
    else if (opening.has(word) && --depth < 0) break
    if (depth === 0 && ((endsAtCommas && word === ',') || clauseWords.has(word))) break
  }
  return (tokens[at + 1] as Token).start
}
