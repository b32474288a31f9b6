/** Keeps references to a term when its name, its identifier or a synonym changes, or takes them out with it. */
import {
  flowScalar,
  type Glossary,
  glossaryPath,
  type Project,
  parseYaml,
  removeAt,
  type Term,
  type TermReference,
  termReferences,
} from '@svc/server/language'
import { folded } from './find-entry.ts'

/** Returns the files of assets and the glossary with references to the term as it will be called. */
export function withReferences(
  project: Project,
  term: Term,
  next: { readonly id: string; readonly name: string; readonly synonyms: readonly string[] },
): Map<string, string> {
  const known = new Set([next.id, next.name, ...next.synonyms].map(folded))
  const lost = referencesOf(project, term).filter(({ written }) => !known.has(folded(written)))
  return editedTexts(project, lost, (text, { range, written }) => {
    const name = folded(written) === folded(term.id) ? next.id : next.name
    return text.slice(0, range.start) + flowScalar(name) + text.slice(range.end)
  })
}

/** Returns the texts without what refers to the term. */
export function withoutReferences(project: Project, term: Term): Map<string, string> {
  return editedTexts(project, referencesOf(project, term), (text, { node }) => {
    const edit = removeAt({ text, tree: parseYaml(text).root }, node)
    return edit === undefined
      ? text
      : text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end)
  })
}

export function referencesOf({ glossary, byName }: Pick<Project, 'glossary' | 'byName'>, term: Term) {
  return termReferences(glossary, byName.values(), term)
}

export function termOfEntry({ terms }: Glossary, id: string): Term | undefined {
  return terms.find(term => term.id === id)
}

/** The last reference of a file goes first, so that the places of the others stand. */
function editedTexts(
  { glossary, assets }: Project,
  references: readonly TermReference[],
  edit: (text: string, reference: TermReference) => string,
): Map<string, string> {
  const texts = new Map<string, string>()
  for (const reference of [...references].sort((a, b) => b.range.start - a.range.start)) {
    const { path } = reference
    const before = path === glossaryPath ? glossary.file?.text : assets.get(path)?.text
    texts.set(path, edit(texts.get(path) ?? before ?? '', reference))
  }
  return texts
}
