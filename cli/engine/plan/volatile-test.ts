/**
 * Returns whether a test's answer depends on the time of asking, or on chance. Such a test never reuses its last result.
 */
import {
  type Asset,
  type Engine,
  type TestDefinition,
  testConditions,
  testKindOf,
} from '@svc/server/language'

export function asksForTime(asset: Asset, test: TestDefinition, engine: Engine): boolean {
  if (testKindOf(test).asksForTime === true) return true
  const query = asset.testSql.get(test.index)?.text
  const texts = testConditions(test).map(({ sql }) => sql)
  return [...texts, ...(query === undefined ? [] : [query])].some(text => isVolatile(text, engine))
}

/** Before a sample of rows, mostly others each time. A column with such a name only has its test run again. */
const wordsOfTheMoment: ReadonlySet<string> = new Set(['tablesample', 'sample'])

/**
 * Returns whether SQL contains a volatile function: a word that is a call by itself, or a name before a
 * bracket.
 */
function isVolatile(sql: string, { tokens, fold, functions }: Engine): boolean {
  const found = tokens(sql).filter(({ kind }) => kind !== 'comment')
  return found.some(({ kind, start, end }, index) => {
    if (kind !== 'word') return false
    const word = fold(sql.slice(start, end))
    if (functions.valueWords.has(word) || wordsOfTheMoment.has(word)) return true
    return functions.isVolatile(word) && sql[found[index + 1]?.start ?? sql.length] === '('
  })
}
