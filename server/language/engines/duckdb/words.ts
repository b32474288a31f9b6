/** The words of DuckDB's grammar in lower case. */
import { cannotBe, wordSet, wordsThatCannotBe } from '../../sql/grammar.ts'
import type { EngineWords } from '../engine.ts'
import { grammarWords } from './grammar-words.ts'

/** Words that may be names, and continue a FROM clause or an expression. */
const onward = wordSet('between escape exclude exists filter over respect rows try_cast within')

export const duckdbWords: EngineWords = {
  reserved: new Set([...wordsThatCannotBe(cannotBe.name, grammarWords), ...onward]),
  keywords: new Set(grammarWords.keys()),
  dateParts: [
    ...wordSet(
      `day month year hour minute second week quarter dayofweek isodow dayofyear isoyear decade century millennium
      millisecond microsecond epoch`,
    ),
  ],
}
