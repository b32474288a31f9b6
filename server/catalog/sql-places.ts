/** Ranges of names and tokens in SQL, from the places where DuckDB's trees say that something begins. */
import { type SqlToken, sqlTokens } from '../language/syntax/sql-tokens.ts'
import type { Range } from '../language/text/range.ts'
import { byteOffsets } from './byte-offsets.ts'

export interface SqlPlaces {
  /** The parts of the dotted name that begins at a byte offset, at most `count`. */
  nameParts(byte: number, count: number): readonly Range[]
  /** The token that begins at, or else covers, a byte offset. */
  tokenAt(byte: number): Range
  /** The first word or quoted name `name` at or after a byte offset. */
  findName(name: string, fromByte: number): Range | undefined
  tokens(): readonly SqlToken[]
  offset(byte: number): number
}

export function sqlPlaces(sql: string): SqlPlaces {
  const offset = byteOffsets(sql)
  let known: readonly SqlToken[] | undefined
  const tokens = (): readonly SqlToken[] => {
    known ??= sqlTokens(sql)
    return known
  }
  return {
    tokens,
    offset,
    nameParts: (byte, count) => nameParts(sql, offset(byte), count),
    tokenAt(byte) {
      const at = offset(byte)
      const token = tokens()[firstEndingAfter(tokens(), at)]
      return token
        ? { start: Math.max(token.start, Math.min(at, token.start)), end: token.end }
        : { start: at, end: at }
    },
    findName(name, fromByte) {
      const from = offset(fromByte)
      const wanted = name.toLowerCase()
      for (let index = firstEndingAfter(tokens(), from); index < tokens().length; index++) {
        const token = tokens()[index]
        if (token === undefined || token.start < from || !isName(token)) continue
        if (unquoted(sql.slice(token.start, token.end)).toLowerCase() === wanted) return token
      }
      return undefined
    },
  }
}

/** Tokens are in order: thousands of places in one statement are looked for. */
function firstEndingAfter(tokens: readonly SqlToken[], at: number): number {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tokens[middle]?.end ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

function isName(token: SqlToken): boolean {
  return token.kind === 'word' || token.kind === 'quoted' || token.kind === 'string'
}

export function unquoted(name: string): string {
  const quote = name[0]
  if (quote !== '"' && quote !== "'") return name
  return name
    .slice(1, name.endsWith(quote) && name.length > 1 ? -1 : undefined)
    .replaceAll(quote + quote, quote)
}

const namePattern = /"(?:[^"]|"")*"?|'(?:[^']|'')*'?|[^\s"'.,;:()[\]{}+\-*/%<>=~!@&|^?#]+/y
const dotPattern = /(?:\s|--[^\n]*\n?|\/\*[\s\S]*?\*\/)*\.(?:\s|--[^\n]*\n?|\/\*[\s\S]*?\*\/)*/y

function nameParts(sql: string, start: number, count: number): Range[] {
  const parts: Range[] = []
  let at = start
  while (parts.length < count) {
    namePattern.lastIndex = at
    if (!namePattern.test(sql)) break
    parts.push({ start: at, end: namePattern.lastIndex })
    dotPattern.lastIndex = namePattern.lastIndex
    if (!dotPattern.test(sql)) break
    at = dotPattern.lastIndex
  }
  return parts
}

/** SQL without semicolons and comments after its end. */
export function withoutEnd(sql: string): string {
  if (!sql.includes(';')) return sql
  const tokens = sqlTokens(sql).filter(token => token.kind !== 'comment')
  let last = tokens.length - 1
  while (last >= 0 && sql[tokens[last]?.start ?? 0] === ';' && tokens[last]?.kind === 'punctuation') last--
  return last === tokens.length - 1 ? sql : sql.slice(0, tokens[last]?.end ?? 0)
}
