import type { Values } from '../schema/read-value.ts'
import { atLeastOneIn, text } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { rowMeasure } from './measure.ts'
import { shownLiteral, shownRows } from './shown-sql.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

export interface Matches extends OfColumn<'matches'> {
  readonly pattern: string
}

export const matches: DataTestKind<Matches> = {
  key: {
    name: 'matches',
    names: 'text',
    keysName: 'column',
    doc: 'Every value matches a regular expression: {email: ".+@.+"}.',
    shape: atLeastOneIn('column', text),
  },
  failsFor: 'values that the pattern does not match; NULL passes',
  snippet: `: {${placeholder(1, 'column')}: "${placeholder(2, '.+')}"}$0`,
  read: value =>
    Object.entries(value as Values).map(([column, pattern]) => ({ column, pattern: pattern as string })),
  wantedType: (_, family) => (family === 'text' ? undefined : 'a text'),
  castTo: 'VARCHAR',
  pattern: ({ pattern }) => pattern,
  inWords: ({ pattern }, code) => code(pattern),
  shownSql: (test, asset) =>
    shownRows(asset, test, `NOT regexp_matches(${test.column}, ${shownLiteral(test.pattern)})`),
  measure(test, context) {
    const column = context.column(test.column)
    const { matches, toText } = context.dialect
    const failing = `${column} IS NOT NULL AND NOT ${matches(toText(column), test.pattern)}`
    return rowMeasure(test, context, failing, `with a ${test.column} that does not match ${test.pattern}`)
  },
}
