/** Reads column names in brackets, which may have types: `t (a, b)`, `f() AS t (a INT, b TEXT)`. */
import type { Name, TableAlias } from '../tree.ts'
import { readClose } from './lists.ts'
import { emptyName, isName, nameOf } from './names.ts'
import { insertion, report } from './problems.ts'
import { advance, previous, type Reader, take } from './reader.ts'
import { readType } from './types.ts'

/** Reads from the opening bracket. */
export function readColumnDefinitions(reader: Reader): Omit<TableAlias, 'name'> {
  const columns: Name[] = []
  let isComplete = false
  advance(reader)
  do {
    if (reader.token.word === ')' && columns.length > 0) break
    columns.push(readColumnName(reader))
    if (!isName(reader.token)) continue
    readType(reader)
    isComplete = true
  } while (take(reader, ','))
  readClose(reader, ')')
  return { columns, isComplete }
}

function readColumnName(reader: Reader): Name {
  const { token } = reader
  if (isName(token) || token.kind === 'string') return nameOf(reader, advance(reader))
  report(reader, previous(reader) ?? token, 'a name is missing', {
    hint: 'Write the name of a column there.',
    repair: [insertion(reader.end, '_')],
  })
  return emptyName(reader.end)
}
