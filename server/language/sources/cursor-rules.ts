/** Which keys go with the cursor of a web service, and of a database. */
import type { RestIngest, SqlIngest } from '../schema/definition.ts'
import { asksFromCursor, asksUntilEnd } from '../source/cursor-placeholders.ts'
import type { CursorConflict, LimitedLoads } from './source-kind.ts'

export function* restConflicts(ingest: RestIngest): Generator<CursorConflict> {
  const { incremental } = ingest
  if (incremental === undefined) return
  if (incremental.window !== undefined) yield* restWindow(ingest)
  else if (asksUntilEnd(ingest))
    yield {
      key: ['incremental'],
      message: '{{ cursor.end }} in the request needs incremental.window',
      hint: 'Say how much one request asks for: incremental: {window: 7d}.',
    }
  else if (incremental.order !== 'desc' && !asksFromCursor(ingest))
    yield {
      key: ['incremental'],
      severity: 'warning',
      message: 'no request has {{ cursor }}: every run asks for all records, and loads those that are new',
      hint: 'Send it where the service takes a time: params: {updated_since: "{{ cursor }}"}; or say in which order its pages come, order: desc.',
    }
}

const nothing = { resource: '', params: {}, headers: {}, body: null }

function* restWindow(ingest: RestIngest): Generator<CursorConflict> {
  const { incremental, primaryKey, forEach, headers, ...requests } = ingest
  const key = ['incremental', 'window']
  if (incremental?.window?.unit === 'number')
    yield {
      key,
      message: 'incremental.window of a web service is a time',
      hint: 'Nothing says where its numbers end. Write a duration, such as 7d, for a cursor of time.',
    }
  if (incremental?.start === undefined || incremental.start === null)
    yield {
      key,
      message: 'incremental.window needs start',
      hint: 'The first window begins there: incremental: {start: 2024-01-01}.',
    }
  if (!asksFromCursor({ ...requests, headers: {} }) || !asksUntilEnd({ ...requests, headers: {} }))
    yield {
      key,
      message: 'incremental.window needs {{ cursor }} and {{ cursor.end }} in the request',
      hint: 'Say where a window begins and ends: params: {since: "{{ cursor }}", until: "{{ cursor.end }}"}.',
    }
  if (asksFromCursor({ ...nothing, headers }) || asksUntilEnd({ ...nothing, headers }))
    yield {
      key,
      message: 'incremental.window does not go with {{ cursor }} in a header',
      hint: 'All requests of a load have the same headers: say it in params, resource or body.',
    }
  if (primaryKey.length === 0)
    yield {
      key,
      message: 'incremental.window needs primary_key',
      hint: 'A record at the border of two windows may come with both: the key says that it is one.',
    }
  if (forEach !== undefined)
    yield {
      key,
      message: 'incremental.window does not go with for_each',
      hint: 'Requests go through the rows of an asset, or through windows of time.',
    }
  if (incremental?.order === 'desc')
    yield {
      key: ['incremental', 'order'],
      message: 'order: desc does not go with incremental.window',
      hint: 'Windows are asked for from the oldest on, and each is read to its end.',
    }
}

export const restLimit: LimitedLoads<RestIngest> = {
  goesOn: ({ incremental, forEach, ...requests }) =>
    incremental?.order === 'asc' && forEach === undefined && asksFromCursor(requests),
  need: 'With {{ cursor }} in the request and incremental: {order: asc}, the next load goes on there.',
}

export function* sqlConflicts({ incremental, split }: SqlIngest): Generator<CursorConflict> {
  if (incremental?.order === 'desc')
    yield {
      key: ['incremental', 'order'],
      message: 'order: desc means nothing here: a database is asked for the rows from the cursor on alone',
      hint: 'Take it out; order: asc lets limits.max_rows end a load.',
    }
  if (split === undefined) return
  for (const name of ['order', 'window'] as const)
    if (incremental?.[name] !== undefined)
      yield {
        key: ['split'],
        message: `split does not go with incremental.${name}`,
        hint: 'Rows are read in parts at the same time, or one after the other along the cursor.',
      }
}

export const sqlLimit: LimitedLoads<SqlIngest> = {
  goesOn: ({ incremental, split }) => incremental?.order === 'asc' && split === undefined,
  need: 'With incremental: {order: asc}, the next load goes on there.',
}
