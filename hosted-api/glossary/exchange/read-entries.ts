/** Reads an import in any form: entries of the four named kinds, then links by name. */
import { invalid, invalidAt, type Problem } from '../../http/index.ts'
import { isObject } from '../../http/json-value.ts'
import type { Pace } from '../../http/pace.ts'
import type { Kind } from '../kind.ts'
import { entryKinds, kinds } from '../kinds.ts'

export interface ImportEntry {
  readonly kind: Kind
  /** For a link: `term` by identifier, `asset` by name or number. */
  readonly body: Readonly<Record<string, unknown>>
  /** The place in the document. */
  readonly pointer: string
}

const collections = new Map<string, Kind>(entryKinds.map(kind => [kind.plural, kind]))

/** The limit of one import, because it is one transaction and others wait for it. */
const mostEntries = 10_000

/** @throws Problem `invalid` */
export function requireEntryCount(entries: readonly unknown[]): void {
  if (entries.length <= mostEntries) return
  const detail = `An import has ${mostEntries} records and links at most: split it.`
  throw invalidAt('', 'too_many', detail)
}

/** Members that the exporting store manages; the importing one sets its own. */
export const managedMembers: readonly string[] = [
  'project',
  'links',
  'origin',
  'version',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
]

/**
 * Returns the entries of an export of this service or of `svc glossary export`, and stops as soon as there are too many.
 * @throws Problem `invalid`
 */
export async function readDocumentEntries(document: unknown, pace: Pace): Promise<readonly ImportEntry[]> {
  if (!isObject(document)) throw wrongShape('', 'The document has to be an object.')
  const unknown = Object.keys(document).filter(name => name !== 'project' && !collections.has(name))
  if (unknown.length > 0)
    throw invalid(
      unknown.map(name => ({
        pointer: `/${name}`,
        code: 'wrong_type',
        detail: `"${name}" is not known here.`,
      })),
    )
  const entries: ImportEntry[] = []
  for (const [name, kind] of collections) {
    const items = document[name] ?? []
    if (!Array.isArray(items)) throw wrongShape(`/${name}`, `"${name}" has to be a list.`)
    for (const [index, item] of items.entries()) {
      entries.push(...entriesOf(kind, item, `/${name}/${index}`))
      requireEntryCount(entries)
      const pause = pace.pause()
      if (pause !== undefined) await pause
    }
  }
  return entries
}

/** Returns the record, and one entry for each of its links. */
function entriesOf(kind: Kind, item: unknown, pointer: string): readonly ImportEntry[] {
  if (!isObject(item)) throw wrongShape(pointer, 'An entry has to be an object.')
  const { id, ...members } = item
  const body = Object.fromEntries(Object.entries(members).filter(([name]) => !managedMembers.includes(name)))
  const links = (item['links'] ?? []) as unknown
  if (!Array.isArray(links)) throw wrongShape(`${pointer}/links`, '"links" has to be a list.')
  const identifier = item['identifier'] ?? (typeof id === 'string' ? id : undefined)
  const named = identifier === undefined ? body : { ...body, identifier }
  return [
    { kind, body: named, pointer },
    ...links.map((link: unknown, index) => linkEntry(link, identifier, `${pointer}/links/${index}`)),
  ]
}

function linkEntry(link: unknown, identifier: unknown, pointer: string): ImportEntry {
  if (!isObject(link)) throw wrongShape(pointer, 'A link has to be an object.')
  const { asset, asset_name, column, role } = link
  return { kind: kinds.link, pointer, body: { term: identifier, asset: asset_name ?? asset, column, role } }
}

function wrongShape(pointer: string, detail: string): Problem {
  return invalidAt(pointer, 'wrong_type', detail)
}
