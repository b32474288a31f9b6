/**
 * Reads a table in windows of its cursor, one query after the other. Each window that is read is kept, so that a connection or
 * a process that breaks costs one window. They reach up to the greatest value that the first query saw: what changes later comes
 * with the next load, and no row with two windows.
 */
import type { Step } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { isBehind, oneStepOn } from '../incremental/cursor-value.ts'
import type { Bounds, Database, ReadRows } from './database.ts'
import type { KeptWindows, WindowsDone } from './kept-windows.ts'

export interface WindowsRead {
  readonly database: Database
  readonly rows: Omit<ReadRows, 'bounds' | 'part'>
  /** The cursor by its name in the database. */
  readonly column: string
  /** Where the load begins; absent where it begins at the beginning. */
  readonly from: string | undefined
  readonly window: Step
  readonly kept: KeptWindows
  readonly maxRows: number
}

/** Each is a file, and a question. */
const mostWindows = 10_000

export async function readWindows(read: WindowsRead): Promise<void> {
  const { rows, window, kept, maxRows } = read
  let done = kept.found ?? (await firstWindow(read))
  if (done === undefined) return readAtOnce(read)
  while (done.next !== undefined && rows.spool.rows < maxRows) {
    const index = done.windows.length
    if (index === mostWindows) throw tooMany(window)
    const below = oneStepOn(done.next, window)
    const isLast = isBehind(below, done.end, window)
    const start = index === 0 ? read.from : done.next
    const bounds: Bounds = {
      column: read.column,
      ...(start !== undefined && { from: start }),
      ...(isLast ? { to: done.end } : { below }),
      withNulls: index === 0,
    }
    await read.database.read({ ...rows, bounds, part: index })
    const size = rows.spool.end(index)
    const next: string | undefined = isLast
      ? undefined
      : size.rows > 0
        ? below
        : await nextValue(read, below, done.end)
    done = { end: done.end, windows: [...done.windows, size], ...(next !== undefined && { next }) }
    kept.save(done)
  }
}

/** A column without values has no windows: its rows are read to be refused. */
function readAtOnce({ database, rows, column, from }: WindowsRead): Promise<void> {
  const bounds = { column, ...(from !== undefined && { from }), withNulls: true }
  return database.read({ ...rows, bounds })
}

async function firstWindow({ database, rows, column, from }: WindowsRead): Promise<WindowsDone | undefined> {
  const bounds = { column, ...(from !== undefined && { from }), withNulls: false }
  const span = await database.span(bounds, rows.columns)
  return span === undefined ? undefined : { end: span.greatest, next: span.least, windows: [] }
}

/** An empty window is followed by the one with the next row, however far it is. */
async function nextValue(
  { database, rows, column }: WindowsRead,
  from: string,
  to: string,
): Promise<string | undefined> {
  return (await database.span({ column, from, to, withNulls: false }, rows.columns))?.least
}

function tooMany({ unit, value }: Step): SvcError {
  const step = unit === 'ms' ? `${value / 1000} s` : String(value)
  return new SvcError(
    'invalid-project',
    `incremental.window of ${step} makes more than ${mostWindows} windows of this load`,
    { hint: 'Write a longer window, or a later start.' },
  )
}
