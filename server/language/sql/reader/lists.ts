/** Lists with commas, and the brackets around them. */
import type { Span } from '../tree.ts'
import { deletion, hereOrBefore, insertion, report, shown } from './problems.ts'
import { advance, peek, type Reader, type Token, take } from './reader.ts'

export interface ListRules {
  /** What may begin an item. */
  readonly begins: (reader: Reader, token: Token) => boolean
  /** What may begin one where the comma before it is missing, if not that. */
  readonly goesOn?: (reader: Reader, token: Token) => boolean
  /** The list ends before a comma behind which something else begins. */
  readonly ends?: (reader: Reader) => boolean
  /** The list may end with a comma. */
  readonly trailing: boolean
  /** The closing bracket; '' where the list has none and ends at whatever begins no item. */
  readonly close: string
  /** What to say where a comma is missing, if not that. */
  readonly missingComma?: MissingComma
}

export interface MissingComma {
  readonly message: string
  readonly hint: (name: string) => string
}

/** Items with commas between them, the reader standing at the first one. Each call of `read` goes on. */
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
    // An item that was missing begins with nothing.
    if (isStuck || !isMissingComma(reader, rules)) return items
    reportMissingComma(reader, rules.missingComma)
  }
}

/** Passes a comma; false: it was the last thing of the list. */
function readCommas(reader: Reader, rules: ListRules): boolean {
  const comma = advance(reader)
  while (reader.token.word === ',') {
    const extra = advance(reader)
    reportExtraComma(reader, extra)
  }
  if (rules.begins(reader, reader.token)) return true
  if (!rules.trailing) reportExtraComma(reader, comma)
  return false
}

/** Commas before the first item. */
export function passLeadingCommas(reader: Reader): void {
  while (reader.token.word === ',') reportExtraComma(reader, advance(reader))
}

export function reportExtraComma(reader: Reader, comma: Span): void {
  report(reader, comma, 'a comma too many', {
    hint: 'Nothing stands behind it: remove the comma.',
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

/** Passes the closing bracket, or says that it is missing. Gives where the bracket ends. */
export function readClose(reader: Reader, close: string): number {
  if (take(reader, close)) return reader.end
  if (closeBehindJunk(reader, close)) return reader.end
  report(reader, hereOrBefore(reader), 'a bracket is not closed', {
    hint: `Write ${close} where it ends.`,
    repair: [insertion(reader.end, close)],
    fix: 'Close the bracket',
  })
  return reader.end
}

/** How far to look for the bracket behind what nobody could read. */
const lookAhead = 20

/** What nobody could read stands before the bracket. */
function closeBehindJunk(reader: Reader, close: string): boolean {
  const first = reader.token
  const count = junkBefore(reader, close)
  if (count === 0) return false
  for (let passed = 0; passed < count; passed++) advance(reader)
  report(reader, first, `"${shown(reader, first)}" does not belong here`, {
    hint: 'Remove it, or write what joins it to what stands before.',
    repair: [deletion({ start: first.start, end: reader.end })],
  })
  advance(reader)
  return true
}

/** How many tokens stand before the bracket; 0 where it does not come before something else ends. */
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

/** No expression goes on with these: whatever is open ends here. */
export const clauseStarts: ReadonlySet<string> = new Set([
  'select',
  'from',
  'where',
  'group',
  'having',
  'qualify',
  'window',
  'order',
  'limit',
  'union',
  'except',
  'intersect',
])
