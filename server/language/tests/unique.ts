import { internalNames } from '../internal-names.ts'
import { atLeastOneOf, text } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { both, counted } from './measure.ts'
import { shownBoth } from './shown-sql.ts'
import type { DataTestKind } from './test-kind.ts'

const own = internalNames('repeated', 'times')

export interface Unique {
  readonly kind: 'unique'
  readonly columns: readonly string[]
}

export const unique: DataTestKind<Unique> = {
  key: {
    name: 'unique',
    names: 'column',
    doc: 'No value, or no combination of values, occurs twice.',
    shape: atLeastOneOf(text),
  },
  failsFor: 'values that occur more than once; a list of columns is one test of them together',
  snippet: `: ${placeholder(1, 'column')}$0`,
  read: value => [{ columns: value as string[] }],
  columns: ({ columns }) => columns,
  names: () => 'column',
  overlooksNull: true,
  inWords: ({ columns }, code) => (columns.length > 1 ? `with ${columns.slice(1).map(code).join(', ')}` : ''),
  shownSql({ columns, where }, asset) {
    const looked = shownBoth(columns.map(column => `${column} IS NOT NULL`).join(' AND '), where)
    return `SELECT ${columns.join(', ')}, count(*)\nFROM ${asset}\nWHERE ${looked}\nGROUP BY ALL\nHAVING count(*) > 1`
  },
  measure(test, { column, relation }) {
    const columns = test.columns.map(name => column(name))
    const list = columns.join(', ')
    // As in a UNIQUE constraint, a row with a NULL among its values is no duplicate.
    const looked = both(columns.map(each => `${each} IS NOT NULL`).join(' AND '), test.where)
    const groups = `FROM ${relation} WHERE ${looked} GROUP BY ${list} HAVING count(*) > 1`
    const what = columns.length === 1 ? 'value' : 'combination'
    return {
      aggregates: [],
      subqueries: [`SELECT count(*) FROM (SELECT ${list} ${groups}) AS ${own.repeated}`],
      read: counted(
        count => `${count} ${what}${count === 1 ? '' : 's'} of ${test.columns.join(', ')} more than once`,
      ),
      rows: `SELECT ${list}, count(*) AS ${own.times} ${groups} ORDER BY ${own.times} DESC, ${list}`,
    }
  },
}
