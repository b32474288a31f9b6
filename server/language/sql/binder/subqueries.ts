/** Binds queries inside expressions. */
import type { Subquery } from '../tree.ts'
import { answer, bindExpression } from './expressions.ts'
import type { Relation, Scope } from './model.ts'
import { bindQuery } from './queries.ts'
import { concealed, constantValue, derivedFrom, type Value } from './values.ts'
import { anyOf, report, type Work } from './work.ts'

export function bindSubquery(work: Work, node: Subquery, scope: Scope): Value {
  const operand = node.operand && bindExpression(work, node.operand, scope)
  const before = work.reads.length
  const output = bindQuery(work, node.query, { id: `n${work.count++}`, outer: scope, ctes: scope.ctes })
  if (node.form === 'exists') return exists(work, before)
  if (node.form === 'in') reportWidth(work, node, output, scope)
  const first = firstOf(output)
  if (node.form === 'scalar') return { ...first, direct: false }
  if (node.form === 'array') return { ...derivedFrom([first]), unknown: first.unknown, element: first }
  return answer(work, operand === undefined ? [first] : [operand, first])
}

/** Reports `x IN (SELECT a, b …)`, which has too many columns. */
function reportWidth(work: Work, node: Subquery, { columns, open }: Relation, scope: Scope): void {
  const { operand, query, start, end } = node
  const expected = operand?.kind === 'row' ? operand.items.length : 1
  if (operand === undefined || open !== undefined || columns.some(column => column.spread)) return
  if (columns.length === expected) return
  const word = /\bin\b/i.exec(work.text.slice(operand.end, query.start))
  if (word === null) return
  const at = operand.end + word.index
  report(work, {
    kind: 'subquery-width',
    count: columns.length,
    expected,
    span: { start: at, end: at + 2 },
    repair: [{ start, end, text: '(NULL)' }],
    scope,
  })
}

/** Returns the value of EXISTS, which reveals something of every column that the query reads. */
function exists(work: Work, before: number): Value {
  const origins = work.reads.slice(before)
  const read: Value = { ...constantValue, origins: [...new Set(origins)], few: false }
  return answer(work, [concealed(read)])
}

/** Returns the value of a scalar subquery: its first column. */
function firstOf(output: Relation): Value {
  const [first] = output.columns
  return first === undefined || first.spread ? anyOf(output) : first.value
}
