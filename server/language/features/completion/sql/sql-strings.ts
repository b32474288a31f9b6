/**
 * Completion inside '…': date parts, and the values that a test accepts for the column on the other side of a
 * comparison.
 */
import type { ColumnOrigin } from '../../../analysis.ts'
import type { SqlToken } from '../../../engines/sql-token.ts'
import { testColumns, testKindOf } from '../../../tests/index.ts'
import { meantBy } from '../../sql/members.ts'
import { identifier, openBracket, type SqlCursor, textOf } from '../../sql/sql-cursor.ts'
import { originOf } from '../../sql/tables-in-sight.ts'
import { sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'

const takesPart: ReadonlySet<string> = new Set(
  'date_trunc datetrunc date_part datepart date_diff datediff date_sub datesub'.split(' '),
)

export function stringItems(ask: SqlAsk, token: SqlToken): readonly SqlItem[] {
  const { cursor } = ask
  const index = cursor.tokens.indexOf(token)
  const bracket = openBracket(cursor, index)
  if (bracket !== undefined && takesPart.has(bracket.callee) && bracket.argument === 0) {
    return valueItems(cursor, token, cursor.engine.words.dateParts)
  }
  const column = comparedColumn(ask, index)
  return column === undefined ? [] : valueItems(cursor, token, acceptedValues(ask, column))
}

function valueItems(cursor: SqlCursor, token: SqlToken, values: readonly string[]): readonly SqlItem[] {
  const before = cursor.text.slice(token.start, cursor.offset)
  const behind = cursor.text.slice(cursor.offset, token.end)
  if (/[\r\n]/.test(before)) return []
  // A quote in a later line belongs to another string.
  const isClosed = token.closed && !/[\r\n]/.test(behind)
  const range = { start: token.start + 1, end: isClosed ? token.end - 1 : cursor.offset }
  return values.map((value, index) => {
    const insert = `${value.replaceAll("'", "''")}${isClosed ? '' : "'"}`
    return { label: value, kind: 'value', insert, range, filter: value, sort: sortKey('a', index) }
  })
}

/** Returns the column in `status = '|'` and `o.status IN ('new', '|')`. */
function comparedColumn(ask: SqlAsk, at: number): ComparedColumn | undefined {
  const { cursor, scope } = ask
  let index = at - 1
  const bracket = openBracket(cursor, at)
  if (bracket?.callee === 'in') index = bracket.index - 1
  const operator = textOf(cursor, cursor.tokens[index]).toLowerCase()
  if (!['=', '<>', '!=', '==', 'in'].includes(operator)) return undefined
  index--
  if (operator === 'in' && textOf(cursor, cursor.tokens[index]).toLowerCase() === 'not') index--
  const name = identifier(cursor, cursor.tokens[index])
  if (name === undefined) return undefined
  const isQualified = textOf(cursor, cursor.tokens[index - 1]) === '.'
  const qualifier = isQualified ? identifier(cursor, cursor.tokens[index - 2]) : undefined
  const meant = meantBy(scope, qualifier === undefined ? [name] : [qualifier, name])
  return meant?.kind === 'value' ? { name, origin: originOf(meant) } : undefined
}

interface ComparedColumn {
  readonly name: string
  readonly origin: ColumnOrigin | undefined
}

function acceptedValues({ knowledge, place }: SqlAsk, { name, origin }: ComparedColumn): readonly string[] {
  const asset = knowledge.project.byName.get(origin?.asset ?? place.asset.name)
  const column = origin?.column ?? name
  const { sameName } = place.engine
  for (const test of asset?.definition.tests ?? []) {
    const listed = testKindOf(test).listedValues?.(test)
    if (listed !== undefined && testColumns(test).some(each => sameName(each, column)))
      return listed.map(String)
  }
  return []
}
