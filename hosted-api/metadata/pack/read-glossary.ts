/** Reads the glossary entries of a pack, sorted by kind; the glossary validates them. */

import type { ContextPack } from '../../../server/contract/pack.ts'
import type { EntryKind } from '../../../server/language/glossary/entries.ts'
import { isObject } from '../../http/json-value.ts'
import type { PackGlossaryEntry } from './pack.ts'
import type { ReadContext } from './read-pack.ts'

type Entry = Readonly<Record<string, unknown>>

/** Of each kind its list in a document, and the prefix of its identifiers (interface.md 2.1). */
const shapes = [
  { kind: 'term', list: 'terms', prefix: 'term.' },
  { kind: 'metric', list: 'metrics', prefix: 'metric.' },
  { kind: 'dimension', list: 'dimensions', prefix: 'dim.' },
  { kind: 'policy', list: 'policies', prefix: 'policy.' },
  { kind: 'link', list: 'links', prefix: undefined },
] as const

export function readGlossary(body: ContextPack, context: ReadContext): readonly PackGlossaryEntry[] {
  return [
    ...(body.glossary === undefined ? [] : readMember(body.glossary, `${context.root}/glossary`, context)),
    ...shapes.flatMap(({ kind, list }) => entriesOf(kind, body[list], `${context.root}/${list}`)),
  ]
}

/** Reads a list of entries of all kinds, or an exported document with a list for each kind. */
function readMember(glossary: unknown, pointer: string, context: ReadContext): readonly PackGlossaryEntry[] {
  if (Array.isArray(glossary)) {
    return glossary.flatMap((entry: unknown, index) => readEntry(entry, `${pointer}/${index}`, context))
  }
  const document = glossary as Entry
  return Object.entries(document).flatMap(([name, list]): readonly PackGlossaryEntry[] => {
    if (name === 'project') return []
    const shape = shapes.find(each => each.list === name)
    if (shape !== undefined && Array.isArray(list))
      return entriesOf(shape.kind, list as readonly Entry[], `${pointer}/${name}`)
    const known = `known are project, ${shapes.map(each => each.list).join(', ')}, each a list`
    context.problem(`${pointer}/${name}`, 'unknown_member', `"${name}" is not known here; ${known}.`)
    return []
  })
}

function readEntry(entry: unknown, pointer: string, context: ReadContext): readonly PackGlossaryEntry[] {
  if (!isObject(entry)) {
    context.problem(pointer, 'wrong_type', 'A glossary entry has to be an object.')
    return []
  }
  const { kind, ...fields } = entry
  const told = kind ?? kindOf(fields)
  const shape = shapes.find(each => each.kind === told)
  if (shape !== undefined) {
    // The pointers of a list of one, which the entry is not in.
    const listed = `${pointer}/0`
    const placed = entriesOf(shape.kind, [fields], pointer)
    return placed.map(each => ({ ...each, pointer: `${pointer}${each.pointer.slice(listed.length)}` }))
  }
  context.problem(
    `${pointer}/kind`,
    'not_allowed',
    `"kind" has to be one of ${shapes.map(each => each.kind).join(', ')}.`,
  )
  return []
}

/** Determines the kind by the identifier, otherwise by fields that only one kind has. */
function kindOf(fields: Entry): EntryKind {
  const id = String(fields['identifier'] ?? fields['id'] ?? '')
  const prefixed = shapes.find(({ prefix }) => prefix !== undefined && id.startsWith(prefix))
  if (prefixed !== undefined) return prefixed.kind
  if ('term' in fields && 'asset' in fields) return 'link'
  if ('sql_definition' in fields) return 'metric'
  if ('rule' in fields) return 'policy'
  return 'values' in fields ? 'dimension' : 'term'
}

/** Links inside a term become entries of their own. */
function entriesOf(
  kind: EntryKind,
  list: readonly Entry[] | undefined,
  pointer: string,
): readonly PackGlossaryEntry[] {
  return (list ?? []).flatMap((entry, index): readonly PackGlossaryEntry[] => {
    const place = `${pointer}/${index}`
    const { links, ...fields } = entry
    if (kind !== 'term' || !Array.isArray(links)) return [{ kind, entry, pointer: place }]
    const term = fields['identifier'] ?? fields['id'] ?? fields['name']
    const own = links.filter((link: unknown) => typeof link === 'object' && link !== null) as readonly Entry[]
    return [
      { kind, entry: fields, pointer: place },
      ...own.map((link, at) => ({
        kind: 'link' as const,
        entry: { ...link, term },
        pointer: `${place}/links/${at}`,
      })),
    ]
  })
}
