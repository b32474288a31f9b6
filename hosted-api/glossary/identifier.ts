/** Identifiers: `term.customer` of "Customer", as the command line makes them. */
import { entryId } from '../../server/language/glossary/entry-id.ts'
import type { Queries } from '../storage/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'
import { statementsOf } from './statements.ts'

const longest = 255

/** Made of the name. */
export function identifierOf(kind: Kind, content: Content): string {
  return entryId(kind.prefix, String(content['name'])).slice(0, longest - 8)
}

/** `-2`, `-3` after one that is taken. */
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

/** `12` is a record number, all else an identifier: identifiers begin with a letter. */
export function isRecordNumber(reference: string): boolean {
  return /^[1-9]\d{0,9}$/.test(reference)
}
