/** Renames what lives in one file or in a few places: a CTE, an alias, a window, a column of a CTE, a variable, a term. */

import { entryId } from '../../glossary/entry-id.ts'
import { glossaryPath } from '../../glossary/glossary.ts'
import { nodeAt } from '../../project/locate.ts'
import { parseAsset } from '../../project/parse-asset.ts'
import { settingsPath } from '../../project/parse-settings.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Knowledge } from '../knowledge.ts'
import { occurrencesIn } from '../names/occurrences.ts'
import type { Slot, Target } from '../names/slots.ts'
import { rootOf } from '../names/slots.ts'
import type { Subject } from '../names/subjects.ts'
import { unitCteMentions } from '../names/unit-occurrences.ts'
import { referencesTo } from '../references.ts'
import { cares, renameInBlock } from './block-rename.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'
import { applied, meansTheSame } from './same-meaning.ts'
import { columnNamePattern, sqlEdit, sqlName, yamlEdit } from './written-names.ts'

type Local = Subject & { readonly kind: 'local' }

export function renameLocal(
  knowledge: Knowledge,
  { named, target }: Local,
  newName: string,
): Renaming | Refusal {
  if (!columnNamePattern.test(newName)) return refuse('a name is made of letters, digits and _')
  const attempts =
    target.kind === 'column'
      ? slotAttempts(named, target.slot, newName)
      : [targetEdits(named, target, newName)]
  for (const edits of attempts) {
    if (edits === undefined) continue
    const { text, inserted } = applied(named.asset.text, edits)
    const after = parseAsset(named.asset.path, text, () => '')
    if (!meansTheSame(knowledge, named.asset, after, inserted, undefined)) continue
    return renaming(named.asset.path, edits, path => path)
  }
  return refuse(`another name of this SQL would mean something else if this were "${newName}"`)
}

type Edits = readonly TextEdit[] | undefined

/** A column of a CTE or subquery: what passes it on keeps its name at the last SELECT. */
function slotAttempts(named: Local['named'], slot: Slot, newName: string): readonly Edits[] {
  const root = rootOf(slot)
  if (root.maker.kind !== 'named') return []
  return cares.map(care => {
    const made = renameInBlock(named, { slots: new Set([root]), edits: [] }, newName, care)
    return (
      made && [
        ...made.edits,
        ...unitEdits(named, newName, target => target.kind === 'column' && made.renamed.has(target.slot)),
      ]
    )
  })
}

/** In the unit tests that look at the CTE. */
function unitEdits(
  named: Local['named'],
  newName: string,
  isMeant: (target: Target) => boolean,
): readonly TextEdit[] {
  if (named.block.path[0] !== 'transform') return []
  return unitCteMentions(named.asset, named)
    .filter(({ target }) => isMeant(target))
    .map(({ range }) => yamlEdit(named.asset.path, named.asset.text, range, newName))
}

/** A CTE, an alias or a window, with all that are qualified by it. */
function targetEdits(named: Local['named'], target: Target, newName: string): Edits {
  const edits = named.bound.mentions
    .filter(mention => isMention(mention.target, target))
    .map(({ range }) => {
      const before = named.block.text.slice(range.start, range.end)
      return sqlEdit(named, range, sqlName(newName, before))
    })
  const inTests = unitEdits(named, newName, mentioned => mentioned === target)
  return edits.every(edit => edit !== undefined) ? [...edits, ...inTests] : undefined
}

function isMention(mentioned: Target, target: Target): boolean {
  if (mentioned === target) return true
  // A table that is called as the CTE that it reads.
  return (
    mentioned.kind === 'table' &&
    target.kind === 'cte' &&
    mentioned.alias === undefined &&
    mentioned.cte === target
  )
}

// ---------------------------------------------------------------- variables and terms

export function renameVariable(
  knowledge: Knowledge,
  home: string,
  name: string,
  newName: string,
): Renaming | Refusal {
  if (!/^[A-Za-z_][\w-]*$/.test(newName))
    return refuse('the name of a variable is made of letters, digits, _ and -')
  const { vars, environments } = knowledge.project.settings
  const taken = [vars, ...Object.values(environments).map(each => each.vars)].some(each =>
    Object.hasOwn(each, newName),
  )
  if (taken) return refuse(`there is a variable "${newName}" already`)
  const edits = referencesTo(knowledge, { kind: 'var', name }).map(
    ({ path, range }): TextEdit =>
      path === settingsPath
        ? yamlEdit(path, knowledge.project.settings.file?.text ?? '', range, newName)
        : { path, range, newText: newName },
  )
  return renaming(home, edits, path =>
    path === settingsPath ? `${path} defines the variable "${name}"` : `${path} reads the variable "${name}"`,
  )
}

/** The name, and every link that is written by it. Identifiers stay where they are written out. */
export function renameTerm(
  knowledge: Knowledge,
  home: string,
  id: string,
  newName: string,
): Renaming | Refusal {
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
  const edits = places.flatMap(path => {
    const text = path === glossaryPath ? (glossary.file?.text ?? '') : (project.assets.get(path)?.text ?? '')
    return occurrencesIn(knowledge, path).flatMap(({ range, subject }) => {
      if (subject.kind !== 'term' || subject.term !== id) return []
      const written = text.slice(range.start, range.end)
      if (sameText(written, term.name)) return [termEdit(path, text, range, newName)]
      return newId !== id && sameText(written, id) ? [{ path, range, newText: newId }] : []
    })
  })
  return renaming(home, edits, path => `${path} names the term "${term.name}"`)
}

/** Words that plain YAML would read otherwise come into quotes. */
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
