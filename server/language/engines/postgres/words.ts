/** The words of PostgreSQL's grammar by what they may not be. */
import { type GrammarLists, wordSet } from '../../sql/grammar.ts'
import type { EngineWords } from '../engine.ts'
import { bareAliases, keywords, notFunctions, notTypes, reserved } from './facts.generated.ts'
import { valueWords } from './value-words.ts'

/** Words that name neither a column nor a table without quotes. */
export const unquotable: ReadonlySet<string> = wordSet(reserved)

/** Words that may be names, and continue a clause or an expression. */
const onward = wordSet('between by escape exists filter over partition uescape within')

const reservedHere = [...unquotable].filter(word => !valueWords.has(word))

export const postgresWords: EngineWords = {
  reserved: new Set([...reservedHere, ...onward]),
  keywords: wordSet(keywords),
  dateParts: [
    ...wordSet(
      `day month year hour minute second week quarter dow isodow doy isoyear decade century millennium milliseconds
      microseconds epoch timezone timezone_hour timezone_minute julian`,
    ),
  ],
}

/** A word that is a value is read as a name, and the binder knows it. */
export const grammarLists: GrammarLists = {
  keywords,
  notNames: reservedHere.join(' '),
  notFunctions,
  notTypes,
  bareAliases,
}
