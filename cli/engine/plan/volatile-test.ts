/** Does a test's answer depend on when it is asked? Such a test never keeps its last result. */
import { type Asset, sqlTokens, type TestDefinition } from '@svc/server/language'

const timeWords = new Set([
  'now',
  'today',
  'current_date',
  'current_time',
  'current_timestamp',
  'get_current_time',
  'get_current_timestamp',
  'transaction_timestamp',
  'localtime',
  'localtimestamp',
  'random',
  'uuid',
  'gen_random_uuid',
])

export function asksForTime(asset: Asset, test: TestDefinition): boolean {
  if (test.kind === 'fresh') return true
  const texts = [test.where, test.kind === 'expression' ? test.expression : undefined]
  if (test.kind === 'sql') texts.push(asset.testSql.get(test.index)?.text)
  return texts.some(text => text !== undefined && mentionsTime(text))
}

function mentionsTime(sql: string): boolean {
  return sqlTokens(sql).some(
    ({ kind, start, end }) => kind === 'word' && timeWords.has(sql.slice(start, end).toLowerCase()),
  )
}
