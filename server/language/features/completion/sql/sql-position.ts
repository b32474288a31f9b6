/** Answers what kind of thing may be written at an offset of SQL. Knows grammar, not names. */
import type { SqlToken } from '../../../syntax/sql-tokens.ts'
import type { SqlScope } from '../../sql/scope-at.ts'
import {
  type OpenBracket,
  openBracket,
  qualifiersBefore,
  type SqlCursor,
  textOf,
  tokenBefore,
  wordBefore,
} from '../../sql/sql-cursor.ts'
import { operandFollows, operandWords, reservedWords, setOperators } from '../../sql/sql-words.ts'

export type SqlPosition =
  /** A comment, a number, a name that the user makes up. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'string'; readonly token: SqlToken }
  | { readonly kind: 'tag'; readonly token: SqlToken }
  /** Where a statement or a query in brackets begins. */
  | { readonly kind: 'start' }
  | { readonly kind: 'type' }
  /** `EXTRACT(|`, `INTERVAL 2 |`. */
  | { readonly kind: 'part' }
  /** Behind `a.`; the nearest name first. */
  | { readonly kind: 'member'; readonly qualifiers: readonly string[] }
  | { readonly kind: 'table' }
  | { readonly kind: 'using' }
  /** The name of a column and nothing else. */
  | { readonly kind: 'bare' }
  /** A column, function or literal. */
  | { readonly kind: 'operand' }
  /** Behind an operand, a table or a keyword: how it may go on. */
  | { readonly kind: 'operator' }

export function sqlPosition(cursor: SqlCursor, scope: SqlScope): SqlPosition {
  const { at } = cursor
  if (at?.kind === 'comment' || at?.kind === 'number' || at?.kind === 'parameter') return { kind: 'nothing' }
  if (at?.kind === 'string') return { kind: 'string', token: at }
  if (at?.kind === 'tag') return { kind: 'tag', token: at }
  const qualifiers = qualifiersBefore(cursor)
  if (qualifiers.length > 0) return { kind: 'member', qualifiers }
  const before = tokenBefore(cursor)
  if (before === undefined || textOf(cursor, before) === ';') return { kind: 'start' }
  const bracket = openBracket(cursor)
  return special(cursor, scope, bracket) ?? inClause(cursor, scope, bracket)
}

function special(
  cursor: SqlCursor,
  scope: SqlScope,
  bracket: OpenBracket | undefined,
): SqlPosition | undefined {
  const mark = textOf(cursor, tokenBefore(cursor))
  const word = wordBefore(cursor)
  if (mark === '::') return { kind: 'type' }
  if (word === 'as') {
    const isCast = bracket?.callee === 'cast' || bracket?.callee === 'try_cast'
    if (isCast) return { kind: 'type' }
    return isCteBody(cursor) ? { kind: 'operator' } : { kind: 'nothing' }
  }
  if (bracket?.callee === 'exclude' || word === 'exclude') return { kind: 'bare' }
  if (word === 'with' && scope.core === undefined) return { kind: 'nothing' }
  if (isPart(cursor, bracket)) return { kind: 'part' }
  if (setOperators.has(word) || (word === 'all' && setOperators.has(wordBefore(cursor, 2))))
    return { kind: 'start' }
  const using = scope.ownRelations.some(({ table }) => {
    const range = table.join?.usingRange
    return range !== undefined && range.start <= cursor.offset && cursor.offset <= range.end
  })
  return using ? { kind: 'using' } : undefined
}

/** `WITH a AS |` goes on with MATERIALIZED or a bracket. */
function isCteBody(cursor: SqlCursor): boolean {
  const before = textOf(cursor, tokenBefore(cursor, 3)).toLowerCase()
  return before === 'with' || before === 'recursive'
}

const intervalUnits = /^\d+$|^'[^']*'$/

function isPart(cursor: SqlCursor, bracket: OpenBracket | undefined): boolean {
  if (bracket?.callee === 'extract' && bracket.index === cursor.count - 1) return true
  return wordBefore(cursor, 2) === 'interval' && intervalUnits.test(textOf(cursor, tokenBefore(cursor)))
}

function inClause(cursor: SqlCursor, scope: SqlScope, bracket: OpenBracket | undefined): SqlPosition {
  const isOwnBracket = bracket !== undefined && bracket.start >= scope.query.range.start
  const isInFrom = scope.clauseKind === 'from' && !isInCondition(cursor, scope)
  if (isInFrom && expectsTable(cursor, isOwnBracket ? bracket : undefined)) return { kind: 'table' }
  if (startsInBracket(cursor, scope, bracket)) return { kind: 'start' }
  return endsOperand(cursor) ? { kind: 'operator' } : { kind: 'operand' }
}

function isInCondition(cursor: SqlCursor, scope: SqlScope): boolean {
  return scope.ownRelations.some(({ table }) => {
    const range = table.join?.onRange
    return range !== undefined && range.start <= cursor.offset && cursor.offset <= range.end
  })
}

const beforeTable: ReadonlySet<string> = new Set(['from', 'join', 'lateral', 'pivot', 'unpivot', 'table'])

/** `bracket`: the one around the cursor, where it belongs to the same query. */
function expectsTable(cursor: SqlCursor, bracket: OpenBracket | undefined): boolean {
  const word = wordBefore(cursor)
  if (beforeTable.has(word)) return true
  const isJoinGroup = bracket === undefined || beforeTable.has(bracket.callee) || bracket.callee === ''
  if (!isJoinGroup) return false
  const mark = textOf(cursor, tokenBefore(cursor))
  return mark === ',' || mark === '('
}

/** `(|` where a query may stand: it is offered beside what else may stand there. */
function startsInBracket(cursor: SqlCursor, scope: SqlScope, bracket: OpenBracket | undefined): boolean {
  if (bracket?.index !== cursor.count - 1) return false
  const isCte = bracket.callee === 'as' || bracket.callee === 'materialized'
  return isCte && scope.query.cores.length === 0
}

/** Whether what stands before the cursor can be the end of an operand. */
function endsOperand(cursor: SqlCursor): boolean {
  const before = tokenBefore(cursor)
  const text = textOf(cursor, before)
  switch (before?.kind) {
    case 'word': {
      const word = text.toLowerCase()
      if (operandWords.has(word)) return true
      return !operandFollows.has(word) || isOperatorWord(cursor, word)
    }
    case 'operator':
      return text === '*' && isStar(cursor)
    case 'punctuation':
      return text === ')' || text === ']' || (text === '}' && isStructEnd(cursor))
    default:
      return before !== undefined
  }
}

/** Not one of two braces that are left of a tag. */
function isStructEnd(cursor: SqlCursor): boolean {
  return cursor.tokens.slice(0, cursor.count).some(token => textOf(cursor, token) === '{')
}

/** Words behind which another keyword may follow rather than an operand. */
function isOperatorWord(_cursor: SqlCursor, word: string): boolean {
  return word === 'is' || word === 'over'
}

/** `*` as "all columns" rather than "times". */
function isStar(cursor: SqlCursor): boolean {
  const word = wordBefore(cursor, 2)
  const mark = textOf(cursor, tokenBefore(cursor, 2))
  return mark === ',' || mark === '.' || mark === '(' || reservedWords.has(word)
}
