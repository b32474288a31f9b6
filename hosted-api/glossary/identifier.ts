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

/** Appends `-2`, `-3` to an identifier that is taken. */
export async function nextIdentifier(
  queries: Queries,
  kind: Kind,
  project: number,
  taken: string,
): Promise<string> {
  for (let count = 2; ; count++) {
    const identifier = `${taken}-${count}`
    const other = await queries.first(statementsOf(kind).byIdentifier, [project, identifier])
    if (other === undefined) return identifier
  }
}

/** Returns whether `12` is a record number; identifiers start with a letter. */
export function isRecordNumber(reference: string): boolean {
  return /^[1-9]\d{0,9}$/.test(reference)
}
