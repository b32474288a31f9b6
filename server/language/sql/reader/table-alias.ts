/** Reads table aliases, with names for the columns. */
import type { TableAlias } from '../tree.ts'
import { tableWordMeant } from './clause-words.ts'
import { readColumnDefinitions } from './column-names.ts'
import { beginsJoin } from './joins.ts'
import { emptyName, isName, nameOf } from './names.ts'
import { insertion, report } from './problems.ts'
import { advance, peek, type Reader } from './reader.ts'

/** Reads `AS x (a, b)`, `x` or `AS (a, b)`. */
export function readTableAlias(reader: Reader): TableAlias | undefined {
  if (reader.token.word === 'as') return readAliasBehindAs(reader)
  const { token } = reader
  if (!isName(token) || !isAlias(reader)) return undefined
  const name = nameOf(reader, advance(reader))
  return { name, ...readAliasColumns(reader) }
}

/**
 * Returns whether the word is an alias: no misspelt keyword, no further table, no start of something else.
 */
function isAlias(reader: Reader): boolean {
  const next = peek(reader)
  const { word } = reader.token
  if (next.word === '.' || beginsJoin(reader)) return false
  if (word === 'at' || word === 'tablesample') return false
  return tableWordMeant(reader, true) === undefined
}

function readAliasBehindAs(reader: Reader): TableAlias {
  const as = advance(reader)
  const { token } = reader
  if (token.word === '(') return { name: undefined, ...readAliasColumns(reader) }
  if (isName(token) || token.kind === 'string') {
    const name = nameOf(reader, advance(reader))
    return { name, ...readAliasColumns(reader) }
  }
  report(reader, as, 'a name is missing after AS', {
    hint: 'Write the name that the table shall have.',
    repair: [insertion(as.end, ' _')],
  })
  return { name: emptyName(as.end), ...noColumns }
}

function readAliasColumns(reader: Reader): Omit<TableAlias, 'name'> {
  return reader.token.word === '(' ? readColumnDefinitions(reader) : noColumns
}

const noColumns = { columns: [], isComplete: false }
