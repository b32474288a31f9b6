import { internalNames } from '../internal-names.ts'
import { relationFormat } from '../schema/formats.ts'
import type { Values } from '../schema/read-value.ts'
import { atLeastOneIn, formatted } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { both, counted, rows } from './measure.ts'
import { shownRows } from './shown-sql.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

const own = internalNames('child', 'parent')

export interface Relationships extends OfColumn<'relationships'> {
  readonly toAsset: string
  readonly toColumn: string
}

export const relationships: DataTestKind<Relationships> = {
  key: {
    name: 'relationships',
    names: 'column of an asset',
    keysName: 'column',
    doc: 'Every value is in a column of another asset: {customer_id: customers.id}.',
    shape: atLeastOneIn('column', formatted(relationFormat)),
  },
  failsFor: "values that the other asset's column does not have; NULL passes",
  snippet: `: {${placeholder(1, 'column')}: ${placeholder(2, 'asset.column')}}$0`,
  read: value =>
    Object.entries(value as Values).map(([column, target]) => ({ column, ...targetOf(target as string) })),
  names: key => (key === undefined ? undefined : 'column of an asset'),
  target: ({ toAsset, toColumn }) => ({ asset: toAsset, column: toColumn }),
  inWords: ({ toAsset, toColumn }, code) => `→ ${code(`${toAsset}.${toColumn}`)}`,
  shownSql: (test, asset) =>
    shownRows(asset, test, `${test.column} NOT IN (SELECT ${test.toColumn} FROM ${test.toAsset})`),
  measure(test, context) {
    const column = context.column(test.column)
    const where = both(`${column} IS NOT NULL`, test.where)
    // To count, the one column is enough: a star would have an engine look up each column of a wide asset for each test.
    const orphans = (
      selected: string,
    ) => `(SELECT ${selected} FROM ${context.relation} WHERE ${where}) AS ${own.child}
    WHERE NOT EXISTS (SELECT 1 FROM ${context.relationOf(test.toAsset)} AS ${own.parent}
      WHERE ${own.parent}.${context.column(test.toColumn, test.toAsset)} = ${own.child}.${column})`
    return {
      aggregates: [],
      subqueries: [`SELECT count(*) FROM ${orphans(column)}`],
      read: counted(
        count => `${rows(count)} with a ${test.column} that is not in ${test.toAsset}.${test.toColumn}`,
      ),
      rows: `SELECT * FROM ${orphans(context.shown)}`,
    }
  },
}

/** Splits `customers.id`: asset names have no dots, column names may. */
function targetOf(target: string): { toAsset: string; toColumn: string } {
  const dot = target.indexOf('.')
  return { toAsset: target.slice(0, dot), toColumn: target.slice(dot + 1) }
}
