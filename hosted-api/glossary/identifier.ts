/** Identifiers such as `term.customer` for "Customer", derived as on the command line. */
import { entryId } from '../../server/language/glossary/entry-id.ts'
import type { Queries } from '../storage/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'
import { statementsOf } from './statements.ts'

const longest = 255

/** Derives an identifier from the name. */
export function identifierOf(kind: Kind, content: Content): string {
  return entryId(kind.prefix, String(content['name'])).slice(0, longest - 8)
}

/**
 * Appends a number to an identifier that is taken: `-2`, or a free one behind those that are taken. It doubles the number
 * until one is free and then halves the distance, because a name may be there thousands of times.
 */
export async function nextIdentifier(
  queries: Queries,
  kind: Kind,
  project: number,
  taken: string,
): Promise<string> {
  const isFree = async (count: number) =>
    (await queries.first(statementsOf(kind).byIdentifier, [project, `${taken}-${count}`])) === undefined
  let [used, free] = [1, 2]
  while (!(await isFree(free))) [used, free] = [free, free * 2]
  while (free - used > 1) {
    const middle = Math.floor((used + free) / 2)
    if (await isFree(middle)) free = middle
    else used = middle
  }
  return `${taken}-${free}`
}

/** Returns whether `12` is a record number; identifiers start with a letter. */
export function isRecordNumber(reference: string): boolean {
  return /^[1-9]\d{0,9}$/.test(reference)
}
