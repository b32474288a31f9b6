import { internalName } from '../internal-names.ts'
import { sqlTemplate } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { counted, enclosed, rows } from './measure.ts'
import type { DataTestKind } from './test-kind.ts'

/** The query is a template (it may have `{{ this }}` and refs), which is kept in `asset.testSql`. */
export interface Sql {
  readonly kind: 'sql'
}

export const sql: DataTestKind<Sql> = {
  key: { name: 'sql', doc: 'An SQL query whose rows are the failures.', shape: sqlTemplate },
  failsFor: 'every row that the query returns',
  snippet: `: |\n  SELECT *\n  FROM {{ this }}\n  WHERE ${placeholder(1, 'what must not be')}$0`,
  read: () => [{}],
  isQuery: true,
  measure(test, context) {
    if (context.template === undefined) throw new Error(`the sql test "${test.name}" has no text`)
    const from = `(\n${context.compile(context.template)}\n) AS ${internalName('returned')}`
    const filter = test.where === undefined ? '' : ` WHERE ${enclosed(test.where)}`
    return {
      aggregates: [],
      subqueries: [`SELECT count(*) FROM ${from}${filter}`],
      read: counted(count => `${rows(count)} returned`),
      rows: `SELECT * FROM ${from}${filter}`,
    }
  },
}
