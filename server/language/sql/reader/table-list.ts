/** Tables with commas between them. */

import { tableWordMeant } from './clause-words.ts'
import type { ListRules, MissingComma } from './lists.ts'
import { beginsTable } from './tables.ts'

const missingComma: MissingComma = {
  message: 'a comma or a JOIN is missing',
  hint: name => `Is a comma or a JOIN missing before "${name}"?`,
}

export const tableRules: ListRules = {
  begins: reader => beginsTable(reader),
  goesOn: reader => beginsTable(reader) && tableWordMeant(reader) === undefined,
  trailing: true,
  close: 'end',
  missingComma,
}
