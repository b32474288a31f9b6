/** Identifiers such as `term.customer` for "Customer", derived as on the command line. */
import { entryId } from '../../server/language/glossary/entry-id.ts'
import type { Queries } from '../storage/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'

const longest = 255

/** Derives an identifier from the name. */
export function identifierOf(kind: Kind, content: Content): string {
  return entryId(kind.prefix, String(content['name'])).slice(0, longest - 8)
}

/** Appends a number to an identifier that is taken: `-2`, or a free one behind those that are taken. */
export async function nextIdentifier(
  queries: Queries,
  kind: Kind,
  project: number,
  taken: string,
): Promise<string> {
  const stem = `${taken}-`
  const row = await queries.first<{ free: number }>(freeNumber(kind), [
    ...[project, stem],
    ...[project, stem],
    ...[project, stem],
  ])
  return `${stem}${Number(row?.free)}`
}

/**
 * Doubles the number until one is free and then halves the distance, because a name may be there thousands of times. All of
 * it is one statement: a writer that asked for each number would wait for the service each time, and others for its locks.
 */
function freeNumber({ name: table }: Kind): string {
  const isTaken = (number: string) =>
    `exists (select 1 from ${table} where project_id = ? and identifier = cast(? as text) || ${number} and deleted_at is null)`
  const middle = '((used + free) / 2)'
  return `with recursive
    doubled (number) as (
      select 2 union all select number * 2 from doubled where ${isTaken('number')}
    ),
    halved (used, free) as (
      select max(number) / 2, max(number) from doubled
      union all
      select case when ${isTaken(middle)} then ${middle} else used end,
        case when ${isTaken(middle)} then free else ${middle} end
      from halved where free - used > 1
    )
    select free from halved where free - used = 1`
}

/** Returns whether `12` is a record number; identifiers start with a letter. */
export function isRecordNumber(reference: string): boolean {
  return /^[1-9]\d{0,9}$/.test(reference)
}
