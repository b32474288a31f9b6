import type { JsonValue } from '../schema/definition.ts'
import { any } from '../schema/shape.ts'
import { counted, rows } from './measure.ts'
import { sql } from './sql.ts'
import type { DataTestKind } from './test-kind.ts'

/** A test of `tests/<test>.sql` with the values of its parameters, which are in the query in `asset.testSql`. */
export interface Own {
  readonly kind: 'own'
  readonly test: string
  /** The values that are columns of the asset. */
  readonly columns: readonly string[]
  readonly parameters: Readonly<Record<string, JsonValue>>
}

export const own: DataTestKind<Own> = {
  key: { name: 'own', doc: 'A test of the project itself.', shape: any },
  failsFor: 'every row that its query returns',
  snippet: ': {$1}$0',
  read: value => [value as unknown as Omit<Own, 'kind'>],
  columns: ({ columns }) => columns,
  isQuery: true,
  wordOf: ({ test }) => test,
  columnAt: ({ parameters }, column) => Object.keys(parameters).filter(name => parameters[name] === column),
  measure: (test, context) => ({
    ...sql.measure({ ...test, kind: 'sql' }, context),
    read: counted(count => `${rows(count)} returned by ${test.test}`),
  }),
}
