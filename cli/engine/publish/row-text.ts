/** Rows as lines of the spool, and values as texts between tabs. Pure. */
import type { Operation, SpooledRow } from './destination.ts'

const letters: Readonly<Record<string, Operation>> = { i: 'insert', u: 'update', d: 'delete' }
export const letterOf: Readonly<Record<Operation, string>> = { insert: 'i', update: 'u', delete: 'd' }

/** Reads a line of the spool: operation, hash of the key, hash of the row, key, payload. */
export function parseRow(line: string, index: number): SpooledRow {
  const [letter = '', keyHash = '', rowHash = '', key = ''] = line.split('\t', 4)
  const start = letter.length + keyHash.length + rowHash.length + key.length + 4
  const operation = letters[letter]
  if (operation === undefined) throw new Error(`line ${index} of the spool begins with ${letter}`)
  return { index, operation, keyHash, rowHash, key, payload: line.slice(start) }
}

/** Returns SQL that writes a text so that it has no tab and no line break; NULL is `\N`. */
export function escapedSql(text: string): string {
  const pairs = [
    ["'\\'", "'\\\\'"],
    ['chr(9)', "'\\t'"],
    ['chr(10)', "'\\n'"],
    ['chr(13)', "'\\r'"],
    // The spool's own separator of columns, of which it has one.
    ['chr(1)', "'\\1'"],
  ]
  const escaped = pairs.reduce((sql, [from, to]) => `replace(${sql}, ${from}, ${to})`, text)
  return `coalesce(${escaped}, '\\N')`
}

const unescapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\', '1': '\u0001' }

/** Returns the values of a payload of texts. */
export function textValues(payload: string): (string | null)[] {
  return payload.split('\t').map(text => {
    if (text === '\\N') return null
    return text.includes('\\')
      ? text.replace(/\\(.)/g, (_, letter: string) => unescapes[letter] ?? letter)
      : text
  })
}

/** Returns the values of a flat JSON object as texts, with every digit of its numbers. */
export function jsonTexts(json: string): (string | null)[] {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[^,:{}\s]+/g) ?? []
  return tokens.flatMap((token, index) => {
    if (index % 2 === 0) return []
    if (token.startsWith('"')) return [JSON.parse(token) as string]
    return [token === 'null' ? null : token]
  })
}
