/** Rows as lines of the spool, and values as texts between tabs. Pure. */
import type { Operation, SpooledRow } from './destination.ts'

export const operations: Readonly<Record<string, Operation>> = { i: 'insert', u: 'update', d: 'delete' }

/** Returns the operation of the line that begins there. */
export function operationOf(line: Uint8Array): Operation {
  return operations[String.fromCharCode(line[0] ?? 0)] ?? 'insert'
}

/** A new row that is its payload alone: its key and the hashes are in the file of keys. */
export function parseBareRow(line: string, index: number): SpooledRow {
  return { index, operation: 'insert', keyHash: '', rowHash: '', key: '', payload: line }
}

/** Reads a line of the spool: operation, hash of the key, hash of the row, key, payload. */
export function parseRow(line: string, index: number): SpooledRow {
  const operation = operations[line[0] ?? '']
  if (operation === undefined || line[1] !== '\t')
    throw new Error(`line ${index} of the spool begins with ${line.slice(0, 2)}`)
  // Hashes have 32 digits.
  const end = line.indexOf('\t', 68)
  return {
    index,
    operation,
    keyHash: line.slice(2, 34),
    rowHash: line.slice(35, 67),
    key: line.slice(68, end),
    payload: line.slice(end + 1),
  }
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
  // Most texts have none of them, and to look for them costs a seventh of replacing them.
  const isPlain = pairs.map(([from]) => `NOT contains(${text}, ${from})`).join(' AND ')
  const escaped = pairs.reduce((sql, [from, to]) => `replace(${sql}, ${from}, ${to})`, text)
  return `coalesce(CASE WHEN ${isPlain} THEN ${text} ELSE ${escaped} END, '\\N')`
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
  return memberTexts(json).map(text => {
    if (text.startsWith('"')) return JSON.parse(text) as string
    return text === 'null' ? null : text
  })
}

/** Returns the JSON of each value of an object, in the order in which they are written. */
export function memberTexts(json: string): string[] {
  return membersOf(json).map(([, text]) => text)
}

/**
 * Returns the members of an object as they are written, each with the JSON of its value: an object of JavaScript puts names that
 * are whole numbers first, and rounds numbers of many digits.
 */
export function membersOf(json: string): [name: string, text: string][] {
  const members: [string, string][] = []
  let depth = 0
  let from = 0
  let name = ''
  let last = '""'
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g)) {
    if (depth === 1 && token === ':') {
      name = JSON.parse(last) as string
      from = index + 1
    }
    if (depth === 1 && from > 0 && (token === ',' || token === '}')) {
      members.push([name, json.slice(from, index).trim()])
      from = 0
    }
    if (token.startsWith('"')) last = token
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
  }
  return members
}
