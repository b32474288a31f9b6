import { atLeastOneOf, text } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { rowMeasure } from './measure.ts'
import { shownRows } from './shown-sql.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

/** The Unicode white space characters, and the byte order mark, which is as invisible. */
const whiteSpace =
  '\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'

export const notBlank: DataTestKind<OfColumn<'not_blank'>> = {
  key: {
    name: 'not_blank',
    names: 'column',
    doc: 'No text is missing, empty or nothing but white space; a list is one test per column.',
    shape: atLeastOneOf(text),
  },
  failsFor: 'NULL, empty texts and texts of white space alone; a list of columns is one test each',
  snippet: `: ${placeholder(1, 'column')}$0`,
  read: value => (value as string[]).map(column => ({ column })),
  names: () => 'column',
  refusesNull: true,
  wantedType: (_, family) => (family === 'text' ? undefined : 'a text'),
  castTo: 'VARCHAR',
  shownSql: (test, asset) => shownRows(asset, test, `coalesce(trim(${test.column}), '') = ''`),
  measure(test, context) {
    const column = context.column(test.column)
    const { literal, toText } = context.dialect
    const bare = `trim(BOTH ${literal(whiteSpace)} FROM ${toText(column)})`
    return rowMeasure(test, context, `(${column} IS NULL OR ${bare} = '')`, `with a blank ${test.column}`)
  },
}
