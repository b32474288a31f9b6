/** Reads lambdas: `x -> …`, `(x, y) -> …`, `lambda x, y: …`. */
import type { Expression, Name } from '../tree.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readItems } from './lists.ts'
import { reportMissingColon } from './missing.ts'
import { isName, readNameThere } from './names.ts'
import { missingAt } from './problems.ts'
import { advance, type Reader, take } from './reader.ts'

/** Returns the expression as a lambda if it has an arrow, for places where the arrow is no JSON access. */
export function lambdaOf(expression: Expression): Expression {
  if (expression.kind !== 'binary' || expression.operator !== '->') return expression
  const parameters = parametersOf(expression.left)
  if (parameters === undefined) return expression
  const { start, end, right } = expression
  return { kind: 'lambda', start, end, parameters, body: right }
}

/** Returns whether it is `(x, y) -> …`, which is never JSON access. */
export function isPlainLambda(expression: Expression): boolean {
  return expression.kind === 'binary' && expression.operator === '->' && expression.left.kind === 'row'
}

function parametersOf(left: Expression): readonly Name[] | undefined {
  const items = left.kind === 'row' ? left.items : [left]
  const names = items.map(item =>
    item.kind === 'reference' && item.tag === undefined && item.path.length === 1 ? item.path[0] : undefined,
  )
  return names.every(name => name !== undefined) ? names : undefined
}

const parameterRules: ListRules = {
  begins: (_, token) => isName(token) || token.kind === 'string',
  trailing: false,
  close: ':',
}

/** Reads from the word LAMBDA. */
export function readLambda(reader: Reader): Expression {
  const { start } = advance(reader)
  const parameters = readItems(reader, parameterRules, () => readNameThere(reader))
  const hasBody = take(reader, ':') || reportMissingColon(reader)
  const body = hasBody ? readExpression(reader) : missingAt(reader.end)
  return { kind: 'lambda', start, end: reader.end, parameters, body }
}
