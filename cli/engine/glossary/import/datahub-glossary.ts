/** DataHub's business glossary file (version 1): folders (`nodes`) with terms in them. */
import { isRecord } from '@svc/server/language'
import type { DocumentPath, DocumentPlaces } from './document.ts'
import { type Imported, ImportNotes, textOf, textsOf } from './imported.ts'
import { addPathTerms, type PathTerm } from './path-names.ts'

export function isDataHubGlossary(root: unknown): boolean {
  if (!isRecord(root)) return false
  return 'nodes' in root || ('version' in root && 'terms' in root && !('metrics' in root))
}

export function readDataHubGlossary(root: unknown, places: DocumentPlaces): Imported {
  const notes = new ImportNotes()
  const terms: PathTerm[] = []
  const visit = (
    value: unknown,
    path: DocumentPath,
    folders: readonly string[],
    owner: string | undefined,
  ) => {
    if (!isRecord(value)) return
    for (const [index, term] of list(notes, places, value, path, 'terms').entries()) {
      const read = termOf(notes, places, term, [...path, 'terms', index], folders, owner)
      if (read !== undefined) terms.push(read)
    }
    for (const [index, node] of list(notes, places, value, path, 'nodes').entries()) {
      const place = [...path, 'nodes', index]
      const name = isRecord(node) ? textOf(node['name']) : undefined
      if (name === undefined || !isRecord(node)) {
        notes.problem(places(place), 'the node has no name')
        continue
      }
      notes.ignore('descriptions of nodes', node['description'])
      notes.ignore('links and properties of nodes', [
        ...properties(node['custom_properties']),
        ...properties(node['knowledge_links']),
      ])
      visit(node, place, [...folders, name], ownersOf(node['owners']) ?? owner)
    }
  }
  visit(root, [], [], isRecord(root) ? ownersOf(root['owners']) : undefined)
  addPathTerms(notes, terms)
  return notes.result('datahub')
}

function list(
  notes: ImportNotes,
  places: DocumentPlaces,
  value: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  key: string,
): readonly unknown[] {
  const items = value[key] ?? []
  if (Array.isArray(items)) return items
  notes.problem(places([...path, key]), `${key} is no list`)
  return []
}

/** What a term of DataHub has that glossary.yaml has no key for. */
const withoutPlace = [
  ...'inherits contains values related_terms custom_properties knowledge_links'.split(' '),
  ...'domain source_ref source_url'.split(' '),
]

function termOf(
  notes: ImportNotes,
  places: DocumentPlaces,
  term: unknown,
  path: DocumentPath,
  folders: readonly string[],
  owner: string | undefined,
): PathTerm | undefined {
  const name = isRecord(term) ? textOf(term['name']) : undefined
  if (name === undefined || !isRecord(term)) {
    notes.problem(places(path), 'the term has no name')
    return undefined
  }
  for (const key of withoutPlace) notes.ignore(key, term[key])
  return {
    folders,
    name,
    description: textOf(term['description']),
    synonyms: [],
    owner: ownersOf(term['owners']) ?? owner,
    place: places(path),
  }
}

/** Users before groups; an entry has its owners as one text. */
function ownersOf(value: unknown): string | undefined {
  const all = (Array.isArray(value) ? value : [value]).filter(isRecord)
  const names = all.flatMap(each => [...textsOf(each['users']), ...textsOf(each['groups'])])
  return names.length === 0 ? undefined : [...new Set(names)].join(', ')
}

function properties(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
}
