import type { JsonScalar } from '../schema/definition.ts'
import type { Values } from '../schema/read-value.ts'
import { atLeastOneIn, listOf, scalar } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { rowMeasure, type TestDialect } from './measure.ts'
import { shownLiteral, shownRows } from './shown-sql.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

export interface AcceptedValues extends OfColumn<'accepted_values'> {
  readonly values: readonly JsonScalar[]
}

const mostShown = 8

export const acceptedValues: DataTestKind<AcceptedValues> = {
  key: {
    name: 'accepted_values',
    keysName: 'column',
    doc: 'Every value is one of a list.',
    shape: atLeastOneIn('column', { ...listOf(scalar), notEmpty: true }),
  },
  failsFor: 'values that are not listed; NULL passes',
  snippet: `: {${placeholder(1, 'column')}: [${placeholder(2, 'value')}]}$0`,
  read: value =>
    Object.entries(value as Values).map(([column, values]) => ({ column, values: values as JsonScalar[] })),
  listedValues: ({ values }) => values,
  impossible: ({ values }) => (values.length === 0 ? 'no value can pass: the list is empty' : undefined),
  comparedWith({ column, values }) {
    // Values of several kinds are compared as texts.
    const kinds = new Set(values.filter(value => value !== null).map(value => typeof value))
    return kinds.size > 1 ? [] : values.map((value, index) => ({ at: [column, index], value }))
  },
  inWords({ values }, code) {
    const shown = values.slice(0, mostShown).map(value => code(String(value)))
    return `${shown.join(', ')}${values.length > mostShown ? ', …' : ''}`
  },
  shownSql: (test, asset) =>
    shownRows(asset, test, `${test.column} NOT IN (${test.values.map(shownLiteral).join(', ')})`),
  measure: (test, context) =>
    rowMeasure(
      test,
      context,
      notAccepted(context.column(test.column), test.values, context.dialect),
      `with a ${test.column} that is not one of ${test.values.map(String).join(', ')}`,
    ),
}

function notAccepted(column: string, values: readonly JsonScalar[], dialect: TestDialect): string {
  const wanted = values.filter(value => value !== null)
  if (wanted.length === 0) return `${column} IS NOT NULL`
  const oneKind = new Set(wanted.map(value => typeof value)).size === 1
  const list = wanted.map(value => dialect.literal(oneKind ? value : String(value))).join(', ')
  return `${oneKind ? column : dialect.toText(column)} NOT IN (${list})`
}
