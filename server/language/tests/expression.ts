import { sqlExpression } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { enclosed, rowMeasure } from './measure.ts'
import { shownRows } from './shown-sql.ts'
import type { DataTestKind } from './test-kind.ts'

export interface Expression {
  readonly kind: 'expression'
  readonly expression: string
}

export const expression: DataTestKind<Expression> = {
  key: { name: 'expression', doc: 'An SQL condition that holds for every row.', shape: sqlExpression },
  failsFor: 'rows for which the condition is false',
  snippet: `: ${placeholder(1, 'condition')}$0`,
  read: value => [{ expression: value as string }],
  conditions: test => [{ key: 'expression', sql: test.expression }],
  shownSql: (test, asset) => shownRows(asset, test, `NOT (${test.expression.trim()})`),
  measure: (test, context) =>
    rowMeasure(
      test,
      context,
      `NOT ${enclosed(test.expression)}`,
      `where ${test.expression.trim()} does not hold`,
    ),
}
