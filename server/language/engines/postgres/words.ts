/** The words of PostgreSQL's grammar by what they may not be. A project on another engine never asks for them. */
import { once } from '../../once.ts'
import { cannotBe, type SqlWord, sqlWords, wordSet, wordsThatCannotBe } from '../../sql/grammar.ts'
import type { EngineWords } from '../engine.ts'
import { words } from './facts.generated.ts'
import { valueWords } from './value-words.ts'

const keywords = once(() => sqlWords(words))

/** Words that name neither a column nor a table without quotes. */
export const unquotable: () => ReadonlySet<string> = once(
  () => new Set(wordsThatCannotBe(cannotBe.name, keywords())),
)

/** A word that is a value is read as a name, and the binder knows it. */
export const grammarWords: () => ReadonlyMap<string, SqlWord> = once(
  () =>
    new Map(
      Array.from(keywords(), ([word, { bits }]) => [
        word,
        { word, bits: valueWords.has(word) ? bits & ~cannotBe.name : bits },
      ]),
    ),
)

/** Words that may be names, and continue a clause or an expression. */
const onward = wordSet('between by escape exists filter over partition uescape within')

const reserved = once(() => new Set([...wordsThatCannotBe(cannotBe.name, grammarWords()), ...onward]))
const allWords = once(() => new Set(keywords().keys()))

export const postgresWords: EngineWords = {
  get reserved() {
    return reserved()
  },
  get keywords() {
    return allWords()
  },
  dateParts: [
    ...wordSet(
      `day month year hour minute second week quarter dow isodow doy isoyear decade century millennium milliseconds
      microseconds epoch timezone timezone_hour timezone_minute julian`,
    ),
  ],
}
