/** Reads tables with commas between them. */

import { tableWordMeant } from './clause-words.ts'
import type { ListRules, MissingComma } from './lists.ts'
import { beginsQuery } from './query.ts'
import { peek, type Reader } from './reader.ts'
import { beginsTable } from './tables.ts'

const missingComma: MissingComma = {
  message: 'a comma or a JOIN is missing',
  hint: name => `Is a comma or a JOIN missing before "${name}"?`,
}

/** Returns whether `, name AS (SELECT` follows: the bracket of the CTE before was not closed. */
function isBeforeCte(reader: Reader): boolean {
  return peek(reader, 2).word === 'as' && peek(reader, 3).word === '(' && beginsQuery(reader, 4)
}

export const tableRules: ListRules = {
  begins: reader => beginsTable(reader),
  goesOn: reader => beginsTable(reader) && tableWordMeant(reader) === undefined,
  ends: isBeforeCte,
  trailing: false,
  close: 'end',
  missingComma,
}
