/** Classifies what may be written at an offset of SQL. It knows the grammar and no names. */
import type { SqlToken } from '../../../engines/sql-token.ts'
import { isWithin } from '../../../text/range.ts'
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
import { operandFollows, operandWords, setOperators } from '../../sql/sql-words.ts'
import { isInUsing } from '../../sql/tables-in-sight.ts'

export type SqlPosition =
  /** Inside a comment, a number or a new name: no completion. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'string'; readonly token: SqlToken }
  | { readonly kind: 'tag'; readonly token: SqlToken }
  /** The start of a statement or of a query in brackets. */
  | { readonly kind: 'start' }
  | { readonly kind: 'type' }
  /** `EXTRACT(|`, `INTERVAL 2 |`: a date part. */
  | { readonly kind: 'part' }
  /** After `a.b.`; without a path, after a bracket and a dot. */
  | { readonly kind: 'member'; readonly path: readonly string[] | undefined }
  | { readonly kind: 'table' }
  | { readonly kind: 'using' }
  /** The name of a column only. */
  | { readonly kind: 'bare' }
  /** A column, function or literal. */
  | { readonly kind: 'operand' }
  /** After an operand, a table or a keyword: what may follow. */
  | { readonly kind: 'operator' }

export function sqlPosition(cursor: SqlCursor, scope: SqlScope): SqlPosition {
  const { at } = cursor
  if (at?.kind === 'comment' || at?.kind === 'number' || at?.kind === 'parameter') return { kind: 'nothing' }
  if (at?.kind === 'string') return { kind: 'string', token: at }
  if (at?.kind === 'tag') return { kind: 'tag', token: at }
  const before = tokenBefore(cursor)
  if (textOf(cursor, before) === '.') return { kind: 'member', path: pathBefore(cursor) }
  if (before === undefined || textOf(cursor, before) === ';') return { kind: 'start' }
  const bracket = openBracket(cursor)
  return special(cursor, scope, bracket) ?? inClause(cursor, scope, bracket)
}

/** Returns undefined if the text before the dots is no name. */
function pathBefore(cursor: SqlCursor): readonly string[] | undefined {
  const names = qualifiersBefore(cursor)
  const isWhole = names.length > 0 && textOf(cursor, tokenBefore(cursor, 2 * names.length + 1)) !== '.'
  return isWhole ? [...names].reverse() : undefined
}

function special(
  cursor: SqlCursor,
  scope: SqlScope,
  bracket: OpenBracket | undefined,
): SqlPosition | undefined {
  const mark = textOf(cursor, tokenBefore(cursor))
  const word = wordBefore(cursor)
  if (mark === '::' || isFieldType(cursor, scope, bracket)) return { kind: 'type' }
  const changes = bracket === undefined || !isInStar(scope) ? word : bracket.callee
  if (changes === 'exclude' || changes === 'except' || changes === 'rename') {
    return { kind: word === 'as' ? 'nothing' : 'bare' }
  }
  if (word === 'as') {
    if (changes === 'replace') return { kind: 'bare' }
    const isCast = bracket?.callee === 'cast' || bracket?.callee === 'try_cast'
    if (isCast) return { kind: 'type' }
    return isCteBody(cursor) ? { kind: 'operator' } : { kind: 'nothing' }
  }
  if (word === 'with' && scope.select === undefined) return { kind: 'nothing' }
  if (isPart(cursor, bracket)) return { kind: 'part' }
  if (setOperators.has(word) || (word === 'all' && setOperators.has(wordBefore(cursor, 2))))
    return { kind: 'start' }
  return isInUsing(scope) ? { kind: 'using' } : undefined
}

function isInStar({ around }: SqlScope): boolean {
  return around.some(({ kind }) => kind === 'star')
}

/** Returns whether the cursor is inside a type such as `STRUCT(a |)` or `MAP(|, |)`. */
function isFieldType(cursor: SqlCursor, scope: SqlScope, bracket: OpenBracket | undefined): boolean {
  const cast = scope.around.at(-1)
  if (cast?.kind !== 'cast' || bracket === undefined || bracket.start < cast.type.start) return false
  const isNamed = bracket.callee === 'struct' || bracket.callee === 'row' || bracket.callee === 'union'
  const isBehindName = tokenBefore(cursor)?.kind === 'word' || tokenBefore(cursor)?.kind === 'quoted'
  return isNamed ? isBehindName : bracket.callee === 'map' && !isBehindName
}

/** Returns whether the cursor is after `WITH a AS |`, where MATERIALIZED or a bracket follows. */
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
  if (isBehindPivoted(scope)) return { kind: endsInPivot(cursor) ? 'operator' : 'operand' }
  const isOwnBracket = bracket !== undefined && bracket.start >= (scope.query?.reach.start ?? 0)
  const isInFrom = isFromOrStatement(scope) && !isInCondition(scope)
  if (isInFrom && expectsTable(cursor, isOwnBracket ? bracket : undefined)) return { kind: 'table' }
  if (startsInBracket(cursor, scope, bracket)) return { kind: 'start' }
  return endsOperand(cursor) ? { kind: 'operator' } : { kind: 'operand' }
}

/** Returns whether a table follows FROM or, at the start of a query, a word such as PIVOT. */
function isFromOrStatement({ clauseKind, around }: SqlScope): boolean {
  if (clauseKind !== undefined) return clauseKind === 'from'
  return around.some(({ kind }) => kind === 'pivot-query' || kind === 'describe')
}

function isInCondition({ join, offset }: SqlScope): boolean {
  return join?.onSpan !== undefined && isWithin(join.onSpan, offset)
}

/** Returns whether the cursor is inside a PIVOT after its table. */
function isBehindPivoted({ around, before }: SqlScope): boolean {
  return around.some(
    node =>
      (node.kind === 'pivot' || node.kind === 'unpivot') &&
      before > node.source.end &&
      (node.alias?.name === undefined || before < node.alias.name.start),
  )
}

function endsInPivot(cursor: SqlCursor): boolean {
  return wordBefore(cursor) !== 'for' && endsOperand(cursor)
}

const beforeTable: ReadonlySet<string> = new Set(['from', 'join', 'lateral', 'pivot', 'unpivot', 'table'])

/**
 * Returns whether a table is expected. `bracket` is the one around the cursor if it belongs to the same
 * query.
 */
function expectsTable(cursor: SqlCursor, bracket: OpenBracket | undefined): boolean {
  const word = wordBefore(cursor)
  if (beforeTable.has(word)) return true
  const isJoinGroup = bracket === undefined || beforeTable.has(bracket.callee) || bracket.callee === ''
  if (!isJoinGroup) return false
  const mark = textOf(cursor, tokenBefore(cursor))
  return mark === ',' || mark === '('
}

/** Returns whether the cursor is at the start of a CTE's brackets, where a query starts. */
function startsInBracket(cursor: SqlCursor, scope: SqlScope, bracket: OpenBracket | undefined): boolean {
  if (bracket?.index !== cursor.count - 1) return false
  const isCte = bracket.callee === 'as' || bracket.callee === 'materialized'
  return isCte && scope.query?.body.kind === 'no-body'
}

/** Returns whether the text before the cursor may be the end of an operand. */
function endsOperand(cursor: SqlCursor): boolean {
  const before = tokenBefore(cursor)
  const text = textOf(cursor, before)
  switch (before?.kind) {
    case 'word': {
      const word = text.toLowerCase()
      if (operandWords.has(word)) return true
      // Another keyword rather than an operand may follow these two.
      return !operandFollows.has(word) || word === 'is' || word === 'over'
    }
    case 'operator':
      return text === '*' && isStar(cursor)
    case 'punctuation':
      if (text === ')') return !endsDistinctOn(cursor)
      return text === ']' || (text === '}' && isStructEnd(cursor))
    default:
      return before !== undefined
  }
}

/** Returns whether the bracket before the cursor is that of `DISTINCT ON (…)`, behind which the columns begin. */
function endsDistinctOn(cursor: SqlCursor): boolean {
  let open = 0
  for (let back = 1; back <= cursor.count; back++) {
    const mark = textOf(cursor, tokenBefore(cursor, back))
    if (mark === ')') open += 1
    if (mark !== '(') continue
    open -= 1
    if (open === 0)
      return wordBefore(cursor, back + 1) === 'on' && wordBefore(cursor, back + 2) === 'distinct'
  }
  return false
}

/** Returns whether a brace ends a struct and is not left over from a tag: an opening one precedes it. */
function isStructEnd(cursor: SqlCursor): boolean {
  return cursor.tokens.slice(0, cursor.count).some(token => textOf(cursor, token) === '{')
}

/** Returns whether `*` means "all columns" rather than multiplication. */
function isStar(cursor: SqlCursor): boolean {
  const word = wordBefore(cursor, 2)
  const mark = textOf(cursor, tokenBefore(cursor, 2))
  return mark === ',' || mark === '.' || mark === '(' || cursor.engine.words.reserved.has(word)
}
