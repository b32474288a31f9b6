/** Renames variables of the project and terms of the glossary. */
import { entryId } from '../../glossary/entry-id.ts'
import { glossaryPath } from '../../glossary/glossary.ts'
import { nodeAt } from '../../project/locate.ts'
import { settingsPath } from '../../project/parse-settings.ts'
import type { Steps } from '../../steps.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { textAt } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { occurrencesIn } from '../names/occurrences.ts'
import { referenceSteps } from '../references.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'
import { yamlEdit } from './written-names.ts'

export function* renameVariable(
  knowledge: Knowledge,
  home: string,
  name: string,
  newName: string,
): Steps<Renaming | Refusal> {
  if (!/^[A-Za-z_][\w-]*$/.test(newName))
    return refuse('the name of a variable is made of letters, digits, _ and -')
  const { vars, environments } = knowledge.project.settings
  const taken = [vars, ...Object.values(environments).map(each => each.vars)].some(each =>
    Object.hasOwn(each, newName),
  )
  if (taken) return refuse(`there is a variable "${newName}" already`)
  const references = yield* referenceSteps(knowledge, [{ kind: 'var', name }])
  const edits = references.map(
    ({ path, range }): TextEdit =>
      path === settingsPath
        ? yamlEdit(path, knowledge.project.settings.file?.text ?? '', range, newName)
        : { path, range, newText: newName },
  )
  return renaming(home, edits, path =>
    path === settingsPath ? `${path} defines the variable "${name}"` : `${path} reads the variable "${name}"`,
  )
}

/** Renames the name of the term and every link by name. Identifiers that are written out stay. */
export function* renameTerm(
  knowledge: Knowledge,
  home: string,
  id: string,
  newName: string,
): Steps<Renaming | Refusal> {
  const { glossary, project } = knowledge
  const term = glossary.terms.find(each => each.id === id)
  if (term === undefined || newName.trim() === '') return refuse('a term needs a name')
  const taken = glossary.terms.find(
    each => each !== term && [each.name, each.id, ...each.synonyms].some(name => sameText(name, newName)),
  )
  if (taken !== undefined) return refuse(`"${newName}" is the term "${taken.name}" already`)
  const hasOwnId = nodeAt(glossary.file?.tree, ['terms', term.index, 'id']) !== undefined
  const newId = hasOwnId ? id : entryId('term', newName)
  if (newId !== id && glossary.terms.some(each => each.id === newId))
    return refuse(`the id "${newId}" is taken`)
  const places = [...[...project.assets.keys()], glossaryPath]
  const edits: TextEdit[] = []
  for (const path of places) {
    const text = textAt(knowledge, path) ?? ''
    const inFile = occurrencesIn(knowledge, path).flatMap(({ range, subject }) => {
      if (subject.kind !== 'term' || subject.term !== id) return []
      const written = text.slice(range.start, range.end)
      if (sameText(written, term.name)) return [termEdit(path, text, range, newName)]
      return newId !== id && sameText(written, id) ? [{ path, range, newText: newId }] : []
    })
    edits.push(...inFile)
    yield
  }
  return renaming(home, edits, path => `${path} names the term "${term.name}"`)
}

/** Returns the edit of a term's name, quoted where plain YAML would read it as something else. */
function termEdit(path: string, text: string, range: TextEdit['range'], name: string): TextEdit {
  const quote = text[range.start - 1]
  if (quote === "'") return { path, range, newText: name.replaceAll("'", "''") }
  if (quote === '"') return { path, range, newText: name.replaceAll(/["\\]/g, '\\$&') }
  const isPlain = /^[\p{L}_][\p{L}\p{M}\p{N}_ .-]*$/u.test(name) && name === name.trim()
  return isPlain ? yamlEdit(path, text, range, name) : { path, range, newText: JSON.stringify(name) }
}

function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
