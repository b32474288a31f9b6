/** Glossary terms as OpenMetadata's API answers them: a page (`data`), a list, or one term. */
import { isRecord } from '@svc/server/language'
import type { DocumentPlaces } from './document.ts'
import { type Imported, ImportNotes, textOf, textsOf } from './imported.ts'
import { nameParts, synonymsOf } from './openmetadata-table.ts'
import { addPathTerms, type PathTerm } from './path-names.ts'

export function isOpenMetadata(root: unknown): boolean {
  const [first] = termsOf(root).filter(isRecord)
  return first !== undefined && 'name' in first && ('fullyQualifiedName' in first || 'glossary' in first)
}

export function readOpenMetadata(root: unknown, places: DocumentPlaces): Imported {
  const notes = new ImportNotes()
  const base = isRecord(root) && Array.isArray(root['data']) ? ['data'] : []
  const terms = termsOf(root).flatMap((value, index) => {
    const place = places(isRecord(root) && base.length === 0 ? [] : [...base, index])
    return termOf(notes, value, place)
  })
  const after = isRecord(root) && isRecord(root['paging']) ? textOf(root['paging']['after']) : undefined
  if (after !== undefined)
    notes.problem('/paging/after', 'the file is one page of several: ask for all terms with a larger limit')
  addPathTerms(notes, terms)
  return notes.result('openmetadata')
}

function termsOf(root: unknown): readonly unknown[] {
  if (Array.isArray(root)) return root
  if (isRecord(root) && Array.isArray(root['data'])) return root['data']
  return isRecord(root) ? [root] : []
}

const withoutPlace = 'relatedTerms references tags reviewers style extension domain domains'.split(' ')

function termOf(notes: ImportNotes, value: unknown, place: string): readonly PathTerm[] {
  const name = isRecord(value) ? textOf(value['name']) : undefined
  if (!isRecord(value) || name === undefined) {
    notes.problem(place, 'the term has no name')
    return []
  }
  if (value['deleted'] === true) {
    notes.ignore('deleted terms', name)
    return []
  }
  for (const key of withoutPlace) notes.ignore(key, value[key])
  const path = nameParts(textOf(value['fullyQualifiedName']) ?? '')
  const shown = textOf(value['displayName']) ?? name
  return [
    {
      folders: path.slice(1, -1),
      name: shown,
      description: textOf(value['description']),
      synonyms: synonymsOf(name, shown, textsOf(value['synonyms'])),
      owner: ownerOf(value),
      place,
    },
  ]
}

function ownerOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const owners = [value['owners'] ?? value['owner']].flat().filter(isRecord)
  const names = owners.flatMap(each => textOf(each['email']) ?? textOf(each['name']) ?? [])
  return names.length === 0 ? undefined : names.join(', ')
}
