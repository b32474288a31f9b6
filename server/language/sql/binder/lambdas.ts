/** Binds lambdas and list comprehensions, whose parameters are names of their own. */
import type { Comprehension, Lambda, Name } from '../tree.ts'
import { bindExpression } from './expressions.ts'
import { elementOf } from './fields.ts'
import type { BoundParameter, Scope } from './model.ts'
import { innerScope } from './scope.ts'
import { answered, changed, concealed, hintedBy, unknownValue, type Value } from './values.ts'
import { mention, type Work } from './work.ts'

/**
 * Binds a lambda. `inputs` has the values of the parameters; further parameters are positions in the list.
 */
export function bindLambda(work: Work, node: Lambda, inputs: readonly Value[], scope: Scope): Value {
  const inner = withParameters(work, node.parameters, inputs, scope)
  return bindExpression(work, node.body, inner)
}

function withParameters(work: Work, names: readonly Name[], inputs: readonly Value[], scope: Scope): Scope {
  const parameters = new Map<string, BoundParameter>()
  for (const [index, name] of names.entries()) {
    const parameter: BoundParameter = {
      kind: 'parameter',
      id: `l${work.count++}`,
      name,
      value: inputs[index] ?? positionIn(inputs),
    }
    parameters.set(work.dialect.fold(name.text), parameter)
    mention(work, name, parameter, 'definition')
  }
  return innerScope(scope, { parameters })
}

function positionIn(inputs: readonly Value[]): Value {
  const [list] = inputs
  return list === undefined ? unknownValue : { ...concealed(changed(list)), unknown: true }
}

/** Binds `[x + 1 FOR x IN list IF x > 0]`. */
export function bindComprehension(work: Work, node: Comprehension, scope: Scope): Value {
  const source = bindExpression(work, node.source, scope)
  const inner = withParameters(work, node.variables, [elementOf(work, source)], scope)
  const element = bindExpression(work, node.element, inner)
  const condition = node.condition && bindExpression(work, node.condition, inner)
  const others = condition === undefined ? [concealed(source)] : [concealed(source), answered(condition)]
  return { ...hintedBy({ ...changed(element), unknown: true }, others), element }
}
