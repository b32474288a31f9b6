import { isPointInTime } from '../engines/sql-type.ts'
import type { Values } from '../schema/read-value.ts'
import { duration, object, text } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { isAhead } from './ahead.ts'
import { filtered, nothingFailed, type Reading } from './measure.ts'
import type { DataTestKind, OfColumn } from './test-kind.ts'

export interface Fresh extends OfColumn<'fresh'> {
  readonly withinMs: number
}

export const fresh: DataTestKind<Fresh> = {
  key: {
    name: 'fresh',
    doc: 'The newest value of a column is not too old: {column: updated_at, within: 24h}.',
    shape: object({
      column: { names: 'column', doc: 'A date or timestamp.', shape: text, required: true },
      within: { doc: 'How old it may be.', shape: duration, required: true, property: 'withinMs' },
    }),
  },
  failsFor: 'a newest value of `column` older than `within`; one more than a day in the future is a warning',
  snippet: `: {column: ${placeholder(1, 'column')}, within: ${placeholder(2, '24h')}}$0`,
  read(value) {
    const { column, withinMs } = value as Values
    // Without a column or an age, which is reported as missing, there is nothing to test.
    return typeof column === 'string' && typeof withinMs === 'number' ? [{ column, withinMs }] : []
  },
  columnKey: 'column',
  names: key => (key === 'column' ? 'point in time' : undefined),
  wantedType: (_, family) => (isPointInTime(family) ? undefined : 'a date or a timestamp'),
  castTo: 'TIMESTAMP',
  asksForTime: true,
  measure(test, { dialect, nowMs, column }) {
    return {
      aggregates: [dialect.epochSeconds(`max(${column(test.column)})${filtered(test)}`)],
      subqueries: [],
      read: ([newest]) => age(test, newest ?? undefined, nowMs),
      rows: undefined,
    }
  },
}

function age({ column, withinMs }: Fresh, newestSeconds: number | undefined, nowMs: number): Reading {
  if (newestSeconds === undefined) return { failures: 1, message: `no row has a ${column}` }
  const ageMs = nowMs - newestSeconds * 1000
  if (isAhead(ageMs)) {
    const message = `the newest ${column} is ${inUnits(-ageMs)} in the future: nothing says how old the others are`
    return { failures: 1, message, onlyWarns: true }
  }
  if (ageMs <= withinMs) return nothingFailed
  const message = `the newest ${column} is ${inUnits(ageMs)} old, ${inUnits(withinMs)} allowed`
  return { failures: 1, message }
}

/** Formats milliseconds in the largest readable unit: `26 h`, `3 d`. */
function inUnits(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 2) return `${Math.round(ms / 1000)} s`
  if (minutes < 120) return `${Math.round(minutes)} min`
  if (minutes < 60 * 48) return `${Math.round(minutes / 60)} h`
  return `${Math.round(minutes / 60 / 24)} d`
}
