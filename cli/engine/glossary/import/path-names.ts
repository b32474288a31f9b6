/** Terms of tools that keep them in folders: their identifiers from their paths, their names unique. */
import { entryId } from '@svc/server/language'
import { folded } from '../find-entry.ts'
import { fieldsOf, type ImportNotes } from './imported.ts'

export interface PathTerm {
  /** The names of its folders, outermost first. */
  readonly folders: readonly string[]
  readonly name: string
  readonly description: string | undefined
  readonly synonyms: readonly string[]
  readonly owner: string | undefined
  readonly place: string
}

/** `Housing`, `Colors`, `Red` -> `term.housing.colors.red` */
export function pathId(path: readonly string[]): string {
  return `term.${path.map(part => entryId('', part).slice(1)).join('.')}`
}

/** A name that several folders have is told apart by its folder, because a glossary has each name once. */
export function addPathTerms(notes: ImportNotes, terms: readonly PathTerm[]): void {
  const times = new Map<string, number>()
  for (const { name } of terms) times.set(folded(name), (times.get(folded(name)) ?? 0) + 1)
  for (const { folders, name, description, synonyms, owner, place } of terms) {
    const isAlone = times.get(folded(name)) === 1 || folders.length === 0
    const own = isAlone ? name : `${name} (${folders.join(' / ')})`
    const others = synonyms.filter(each => folded(each) !== folded(own))
    notes.entries.push({
      kind: 'term',
      id: pathId([...folders, name]),
      fields: fieldsOf({ name: own, description, synonyms: others, owner }),
      place,
    })
  }
}
