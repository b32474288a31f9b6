import type { JsonScalar } from '../schema/definition.ts'
import type { Values } from '../schema/read-value.ts'
import { atLeastOneIn, boolean, bound, needs } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { crossedBounds } from './bounds.ts'
import { rowMeasure } from './measure.ts'
import { shownLiteral, shownRows } from './shown-sql.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

interface Bounds {
  readonly min?: JsonScalar
  readonly max?: JsonScalar
  readonly strict: boolean
}

export interface InRange extends Bounds, OfColumn<'range'> {}

export const range: DataTestKind<InRange> = {
  key: {
    name: 'range',
    keysName: 'column',
    doc: 'Every value lies between bounds: {amount: {min: 0}}.',
    shape: atLeastOneIn(
      'column',
      needs(['min', 'max'], {
        min: { doc: 'Smallest value allowed.', shape: bound },
        max: { doc: 'Largest value allowed.', shape: bound },
        strict: { doc: 'The bounds themselves are not allowed.', shape: boolean, default: false },
      }),
    ),
  },
  failsFor: 'values below `min` or above `max`; NULL passes',
  snippet: `: {${placeholder(1, 'column')}: {min: ${placeholder(2, '0')}}}$0`,
  read: value =>
    Object.entries(value as Values).map(([column, bounds]) => ({
      ...(bounds as unknown as Bounds),
      column,
    })),
  impossible({ min, max, strict }) {
    const isEmpty = strict && min !== undefined && min === max
    return isEmpty
      ? `no value can pass: none lies strictly between ${min} and ${max}`
      : crossedBounds(min, max)
  },
  boundsAt: ({ column }) => [column],
  wantedType({ min, max }, family) {
    const hasNumber = typeof min === 'number' || typeof max === 'number'
    return family === 'text' && hasNumber ? 'a number for such bounds' : undefined
  },
  comparedWith: ({ column, min, max }) => [
    { at: [column, 'min'], value: min },
    { at: [column, 'max'], value: max },
  ],
  inWords({ min, max }, code) {
    if (min === undefined) return `up to ${code(String(max))}`
    return max === undefined ? `from ${code(String(min))}` : `${code(String(min))} to ${code(String(max))}`
  },
  shownSql: (test, asset) => shownRows(asset, test, outside(test.column, test, shownLiteral).join(' OR ')),
  measure(test, context) {
    const bounds = outside(context.column(test.column), test, context.dialect.literal)
    const failing = bounds.length === 0 ? 'FALSE' : `(${bounds.join(' OR ')})`
    return rowMeasure(test, context, failing, `with ${test.column} not ${edges(test)}`)
  },
}

function outside(column: string, { min, max, strict }: Bounds, literal: (value: JsonScalar) => string) {
  const equal = strict ? '=' : ''
  return [
    ...(isGiven(min) ? [`${column} <${equal} ${literal(min)}`] : []),
    ...(isGiven(max) ? [`${column} >${equal} ${literal(max)}`] : []),
  ]
}

function edges({ min, max, strict }: Bounds): string {
  return [
    ...(isGiven(min) ? [`${strict ? 'above' : 'at least'} ${min}`] : []),
    ...(isGiven(max) ? [`${strict ? 'below' : 'at most'} ${max}`] : []),
  ].join(' and ')
}

function isGiven(value: JsonScalar | undefined): value is string | number | boolean {
  return value !== undefined && value !== null
}
