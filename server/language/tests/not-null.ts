import { atLeastOneOf, text } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { rowMeasure } from './measure.ts'
import { shownRows } from './shown-sql.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

export const notNull: DataTestKind<OfColumn<'not_null'>> = {
  key: {
    name: 'not_null',
    names: 'column',
    doc: 'No value is missing; a list is one test per column.',
    shape: atLeastOneOf(text),
  },
  failsFor: 'NULL; a list of columns is one test each',
  snippet: `: ${placeholder(1, 'column')}$0`,
  read: value => (value as string[]).map(column => ({ column })),
  names: () => 'column',
  refusesNull: true,
  shownSql: (test, asset) => shownRows(asset, test, `${test.column} IS NULL`),
  measure: (test, context) =>
    rowMeasure(test, context, `${context.column(test.column)} IS NULL`, `without ${test.column}`),
}
