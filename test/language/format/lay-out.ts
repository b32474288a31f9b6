import { expect } from 'vitest'
import { formatSql } from '../../../server/language/format/format-sql.ts'
import { scanTemplate } from '../../../server/language/index.ts'
import { canonicalSql } from '../../../server/language/project/canonical-sql.ts'
import { engine } from '../../support/engine.ts'

/** False: the query stays as it is. */
export function isLaidOutForGood(sql: string, isOneLine: boolean): boolean {
  const once = formatSql(sql, isOneLine, engine)
  if (once === undefined) return false
  expect(canonical(once)).toBe(canonical(sql))
  expect(commentsOf(once)).toEqual(commentsOf(sql))
  expect(formatSql(once, isOneLine && !once.includes('\n'), engine)).toBe(once)
  return true
}

/** What the definition hash is taken from. */
function canonical(sql: string): string {
  return canonicalSql(sql, engine, scanTemplate(sql, engine).tags)
}

function commentsOf(sql: string): string[] {
  return engine
    .tokens(sql)
    .filter(token => token.kind === 'comment')
    .map(token => sql.slice(token.start, token.end).trimEnd())
}
