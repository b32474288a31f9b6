/** Reads lists with commas, and the brackets around them. */
import type { Span } from '../tree.ts'
import { clauseStarts } from './clause-starts.ts'
import { doubtFrom } from './doubt.ts'
import { deletion, hereOrBefore, insertion, report, reportStray, shown } from './problems.ts'
import { advance, peek, type Reader, type Token, take } from './reader.ts'

export interface ListRules {
  /** Returns whether a token can start an item. */
  readonly begins: (reader: Reader, token: Token) => boolean
  /** Returns whether a token can start an item whose comma is missing; by default `begins`. */
  readonly goesOn?: (reader: Reader, token: Token) => boolean
  /** Returns whether the list ends before a comma that belongs to something else. */
  readonly ends?: (reader: Reader) => boolean
  /** Whether the list may end with a comma. */
  readonly trailing: boolean
  /** The closing bracket; '' if the list has none and ends with any token that starts no item. */
  readonly close: string
  /** The message for a missing comma, if it is not the usual one. */
  readonly missingComma?: MissingComma
}

export interface MissingComma {
  readonly message: string
  readonly hint: (name: string) => string
}

/** Reads items with commas between them from the first item. `read` reads one. */
export function readItems<T>(reader: Reader, rules: ListRules, read: (reader: Reader) => T): T[] {
  const items: T[] = []
  for (;;) {
    const { at } = reader
    items.push(read(reader))
    const isStuck = reader.at === at
    if (reader.token.word === ',') {
      if (rules.ends?.(reader) || !readCommas(reader, rules)) return items
      continue
    }
    // A missing item consumes no token, so the loop must stop.
    if (isStuck || !isMissingComma(reader, rules)) return items
    reportMissingComma(reader, rules.missingComma)
  }
}

/** Reads a comma; returns false if it ends the list. */
function readCommas(reader: Reader, rules: ListRules): boolean {
  const comma = advance(reader)
  while (reader.token.word === ',') {
    const extra = advance(reader)
    reportExtraComma(reader, extra)
  }
  if (rules.begins(reader, reader.token)) return true
  if (!rules.trailing || !reader.grammar.features.trailingCommas) reportExtraComma(reader, comma)
  return false
}

/** Skips commas before the first item. */
export function passLeadingCommas(reader: Reader): void {
  while (reader.token.word === ',') reportExtraComma(reader, advance(reader))
}

export function reportExtraComma(reader: Reader, comma: Span): void {
  report(reader, comma, 'a comma too many', {
    hint: 'Nothing follows it: remove the comma.',
    repair: [deletion(comma)],
    fix: 'Remove the comma',
  })
}

function isMissingComma(reader: Reader, rules: ListRules): boolean {
  if (rules.close === '' || reader.token.word === rules.close) return false
  return (rules.goesOn ?? rules.begins)(reader, reader.token)
}

const plainComma: MissingComma = {
  message: 'a comma is missing',
  hint: name => `Is a comma missing before "${name}"?`,
}

export function reportMissingComma(reader: Reader, words = plainComma): void {
  report(reader, reader.token, words.message, {
    hint: words.hint(shown(reader, reader.token)),
    repair: [insertion(reader.end, ',')],
    fix: 'Insert a comma',
  })
}

/** Reads the closing bracket, or reports that it is missing. Returns the end of the bracket. */
export function readClose(reader: Reader, close: string): number {
  if (take(reader, close)) return reader.end
  if (closeBehindJunk(reader, close)) return reader.end
  report(reader, hereOrBefore(reader), 'a bracket is not closed', {
    hint: `Write ${close} where it ends.`,
    repair: [insertion(reader.end, close)],
    fix: 'Close the bracket',
    doubt: doubtFrom(reader.tokens, reader.at),
  })
  return reader.end
}

/** The number of tokens to search for the bracket after text that cannot be read. */
const lookAhead = 20

/** Skips text that cannot be read before the bracket. */
function closeBehindJunk(reader: Reader, close: string): boolean {
  const first = reader.token
  const count = junkBefore(reader, close)
  if (count === 0) return false
  for (let passed = 0; passed < count; passed++) advance(reader)
  reportStray(reader, first)
  advance(reader)
  return true
}

/** Returns the number of tokens before the bracket; 0 if something else ends first. */
function junkBefore(reader: Reader, close: string): number {
  let depth = 0
  for (let by = 0; by < lookAhead; by++) {
    const { kind, word } = peek(reader, by)
    if (kind === 'end' || word === ';') return 0
    if (depth === 0 && word === close) return by
    if (word === '(' || word === '[' || word === '{') depth++
    else if (word === ')' || word === ']' || word === '}') depth--
    if (depth < 0 || (depth === 0 && clauseStarts.has(word))) return 0
  }
  return 0
}
