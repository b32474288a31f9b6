/** Reads DESCRIBE, SUMMARIZE and SHOW, which are queries with columns of their own. */
import type { Describe } from '../tree.ts'
import { isLabel } from './names.ts'
import { beginsQuery, readQuery } from './query.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { beginsTable, readTable } from './tables.ts'

export function readDescribe(reader: Reader): Describe {
  const { start, word } = advance(reader)
  const kind = word === 'desc' ? 'describe' : (word as Describe['word'])
  if (kind !== 'summarize' && passShowForm(reader, kind)) return describe(reader, start, kind)
  if (beginsQuery(reader)) {
    const query = readQuery(reader, reader.end)
    return { ...describe(reader, start, kind), query }
  }
  const from = beginsTable(reader) ? readTable(reader) : undefined
  return { ...describe(reader, start, kind), from }
}

function describe(reader: Reader, start: number, word: Describe['word']): Describe {
  return { kind: 'describe', start, end: reader.end, word, query: undefined, from: undefined }
}

const shown = new Set(['tables', 'databases', 'schemas', 'variables'])

/** Skips forms such as `SHOW ALL TABLES` and `SHOW TABLES FROM db`, which name no table of the query. */
function passShowForm(reader: Reader, kind: Describe['word']): boolean {
  if (kind === 'show' && shown.has(reader.token.word) && peek(reader).word !== 'from') {
    advance(reader)
    return true
  }
  if (take(reader, 'all')) {
    take(reader, 'tables')
    return true
  }
  if (reader.token.word !== 'tables' || peek(reader).word !== 'from') return false
  advance(reader)
  advance(reader)
  do {
    if (isLabel(reader.token)) advance(reader)
  } while (take(reader, '.'))
  return true
}
