/** Reads the glossary entries of a pack, sorted by kind; the glossary validates them. */

import type { ContextPack } from '../../../server/contract/pack.ts'
import { type GlossaryKind, glossaryKinds, type PackGlossaryEntry } from './pack.ts'
import type { ReadContext } from './read-pack.ts'

type Entry = Readonly<Record<string, unknown>>

/** The prefixes of identifiers (interface.md 2.1). */
const prefixes: Readonly<Record<string, GlossaryKind>> = {
  'term.': 'term',
  'metric.': 'metric',
  'dim.': 'dimension',
  'policy.': 'policy',
}

const lists = {
  terms: 'term',
  metrics: 'metric',
  dimensions: 'dimension',
  policies: 'policy',
  links: 'link',
} as const satisfies Readonly<Record<string, GlossaryKind>>

type ListName = keyof typeof lists
const listNames = Object.keys(lists) as readonly ListName[]

export function readGlossary(body: ContextPack, context: ReadContext): readonly PackGlossaryEntry[] {
  return [
    ...(body.glossary === undefined ? [] : readMember(body.glossary, `${context.root}/glossary`, context)),
    ...listNames.flatMap(name => entriesOf(lists[name], body[name], `${context.root}/${name}`)),
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
    if (isListName(name) && Array.isArray(list))
      return entriesOf(lists[name], list as readonly Entry[], `${pointer}/${name}`)
    const known = `known are project, ${listNames.join(', ')}, each a list`
    context.problem({
      pointer: `${pointer}/${name}`,
      code: 'unknown_member',
      detail: `"${name}" is not known here; ${known}.`,
    })
    return []
  })
}

function readEntry(entry: unknown, pointer: string, context: ReadContext): readonly PackGlossaryEntry[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    context.problem({ pointer, code: 'wrong_type', detail: 'A glossary entry has to be an object.' })
    return []
  }
  const { kind, ...fields } = entry as Entry
  const told = kind ?? kindOf(fields)
  if (typeof told === 'string' && (glossaryKinds as readonly string[]).includes(told)) {
    return entriesOf(told as GlossaryKind, [fields], pointer).map(each => ({ ...each, pointer }))
  }
  context.problem({
    pointer: `${pointer}/kind`,
    code: 'not_allowed',
    detail: `"kind" has to be one of ${glossaryKinds.join(', ')}.`,
  })
  return []
}

/** Determines the kind by the identifier, otherwise by fields that only one kind has. */
function kindOf(fields: Entry): GlossaryKind {
  const id = String(fields['identifier'] ?? fields['id'] ?? '')
  for (const [prefix, kind] of Object.entries(prefixes)) if (id.startsWith(prefix)) return kind
  if ('term' in fields && 'asset' in fields) return 'link'
  if ('sql_definition' in fields) return 'metric'
  if ('rule' in fields) return 'policy'
  return 'values' in fields ? 'dimension' : 'term'
}

/** Links inside a term become entries of their own. */
function entriesOf(
  kind: GlossaryKind,
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

function isListName(name: string): name is ListName {
  return Object.hasOwn(lists, name)
}
