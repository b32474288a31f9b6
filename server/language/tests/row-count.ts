import { needs, percent, wholeNumber } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { crossedBounds } from './bounds.ts'
import { filtered, nothingFailed, type Reading, rows } from './measure.ts'
import type { DataTestKind } from './test-kind.ts'

interface CountBounds {
  readonly min?: number
  readonly max?: number
  readonly changePercent?: number
}

export interface RowCount extends CountBounds {
  readonly kind: 'row_count'
}

export const rowCount: DataTestKind<RowCount> = {
  key: {
    name: 'row_count',
    doc: 'The number of rows lies between bounds.',
    shape: needs(['min', 'max', 'change'], {
      min: { doc: 'Fewest rows allowed.', shape: wholeNumber(0) },
      max: { doc: 'Most rows allowed.', shape: wholeNumber(0) },
      change: {
        doc: 'Largest change against the live version, such as 50%.',
        shape: percent,
        property: 'changePercent',
      },
    }),
  },
  failsFor: 'fewer rows than `min`, more than `max`, or a change against production of more than `change`',
  snippet: `: {min: ${placeholder(1, '1')}}$0`,
  read: value => [value as CountBounds],
  impossible: ({ min, max }) => crossedBounds(min, max),
  boundsAt: () => [],
  comparesWithLive: ({ changePercent }) => changePercent !== undefined,
  measure(test, { baseline }) {
    const count = `count(*)${filtered(test)}`
    const asked = test.changePercent !== undefined && baseline !== undefined
    const known = test.where === undefined ? baseline?.rows : undefined
    const counts = asked && known === undefined
    return {
      aggregates: [count],
      subqueries: counts ? [`SELECT ${count} FROM ${baseline?.relation}`] : [],
      read: ([count, before]) =>
        missedBound(test, count ?? 0, asked ? (known ?? before ?? undefined) : undefined),
      rows: undefined,
    }
  },
}

/** Reads the result; `failures` is the number of rows beyond the bound that is missed by most. */
function missedBound({ min, max, changePercent }: CountBounds, count: number, before?: number): Reading {
  if (min !== undefined && count < min)
    return { failures: min - count, message: `${rows(count)}, at least ${min} expected` }
  if (max !== undefined && count > max)
    return { failures: count - max, message: `${rows(count)}, at most ${max} expected` }
  // Growth from an empty table is infinite: it is a first load and no change.
  if (changePercent === undefined || before === undefined || before === 0) return nothingFailed
  const allowed = (before * changePercent) / 100
  const moved = Math.abs(count - before)
  if (moved <= allowed) return nothingFailed
  const percentage = Math.round((moved / before) * 1000) / 10
  return {
    failures: Math.ceil(moved - allowed),
    message: `${rows(count)} after ${before}: ${percentage} % ${count < before ? 'fewer' : 'more'}, ${changePercent} % allowed`,
  }
}
