/** Which forms of a function fit the arguments that are written so far, as far as their types are plain to see. */
import type { FunctionOverload } from '../knowledge.ts'
import { findColumn, type SqlWorld } from '../sql/output-columns.ts'
import { expressionOf } from '../sql/read-select-list.ts'
import type { SqlScope } from '../sql/scope-at.ts'
import type { OpenBracket, SqlCursor } from '../sql/sql-cursor.ts'
import { type Group, type Piece, splitAtCommas, tokenTree } from '../sql/token-tree.ts'

/** Undefined: not known. */
export function argumentTypes(
  text: string,
  cursor: SqlCursor,
  bracket: OpenBracket,
  scope: SqlScope,
  world: SqlWorld,
): readonly (string | undefined)[] {
  const group = groupAt(tokenTree(text, cursor.tokens), bracket.start)
  if (group === undefined) return []
  return splitAtCommas(text, group.pieces).map(pieces => {
    if (pieces.length === 0) return undefined
    const expression = expressionOf(text, pieces)
    switch (expression.kind) {
      case 'cast':
      case 'literal':
        return expression.type
      case 'call':
        return world.returnType(expression.name)
      case 'column':
        return findColumn(scope.relations, expression.qualifier, expression.column.name)?.column.type
      default:
        return undefined
    }
  })
}

function groupAt(pieces: readonly Piece[], start: number): Group | undefined {
  for (const piece of pieces) {
    if (piece.kind !== 'group') continue
    if (piece.start === start) return piece
    const inner = groupAt(piece.pieces, start)
    if (inner !== undefined) return inner
  }
  return undefined
}

const most = 12

/** Best first; forms that look alike come once. */
export function bestForms(
  forms: readonly FunctionOverload[],
  types: readonly (string | undefined)[],
  argument: number,
): readonly FunctionOverload[] {
  const distinct = new Map(forms.map(form => [JSON.stringify(form), form]))
  return [...distinct.values()]
    .map((form, index) => ({ form, score: scoreOf(form, types, argument), index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most)
    .map(({ form }) => form)
}

function scoreOf(form: FunctionOverload, types: readonly (string | undefined)[], argument: number): number {
  const count = Math.max(types.length, argument + 1)
  const isLongEnough = form.varargs !== undefined || form.parameters.length >= count
  const fit = types.reduce((sum, type, index) => {
    const wanted = form.parameters[index]?.type ?? form.varargs
    return sum + (type === undefined || wanted === undefined ? 0 : typeScore(type, wanted))
  }, 0)
  return fit + (isLongEnough ? 20 : 0) - form.parameters.length / 10
}

const numbers = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DECIMAL', 'FLOAT', 'DOUBLE']

function typeScore(type: string, wanted: string): number {
  const [have, want] = [type.replace(/\(.*/, ''), wanted.replace(/\(.*/, '')]
  if (have === want) return 4
  if (numbers.includes(have) && numbers.includes(want))
    return numbers.indexOf(want) >= numbers.indexOf(have) ? 2 : 1
  return /ANY|^T$/.test(want) ? 1 : -4
}
