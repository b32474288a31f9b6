/**
 * Renames a name local to one SQL text: a CTE, an alias, a window, a parameter, a field, a column of a CTE.
 */
import type { Column, Mention, Target } from '../../sql/binder/model.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Knowledge } from '../knowledge.ts'
import { isTransform, textIn } from '../names/mentions.ts'
import type { LocalSubject } from '../names/subjects.ts'
import { unitCteMentions } from '../names/unit-occurrences.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { attempts, renameInBlock, seedsFor } from './block-rename.ts'
import { fieldEdits, fieldProblem } from './field-rename.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'
import { meansTheSame } from './same-meaning.ts'
import { columnNamePattern, sqlEdit, sqlName, yamlEdit } from './written-names.ts'

/** Returns why the name cannot be renamed (it is not defined in this text); undefined if it can be tried. */
export function localProblem({ named, target }: LocalSubject): string | undefined {
  if (target.kind === 'field') return fieldProblem(named, target)
  if (target.kind === 'table' && target.alias === undefined)
    return `"${target.name}" is not called so here; give it an alias with AS`
  if (target.kind !== 'column') return undefined
  const { name, maker } = target.column
  if (maker.kind === 'numbered')
    return `"${name}" is the second column of its name; give one of them another with AS`
  return maker.kind === 'opaque' ? `"${name}" has its name from data or from a function` : undefined
}

export function renameLocal(
  knowledge: Knowledge,
  { named, target }: LocalSubject,
  newName: string,
): Renaming | Refusal {
  if (!columnNamePattern.test(newName)) return refuse('a name is made of letters, digits and _')
  for (const edits of attemptsFor(named, target, newName)) {
    if (edits !== undefined && meansTheSame(knowledge, named.asset, edits))
      return renaming(named.asset.path, edits, path => path)
  }
  return refuse(`another name of this SQL would mean something else if this were "${newName}"`)
}

type Edits = readonly TextEdit[] | undefined

function attemptsFor(named: BoundBlock, target: Target, newName: string): readonly Edits[] {
  if (target.kind === 'column') return columnAttempts(named, target.column, newName)
  return [target.kind === 'field' ? fieldEdits(named, target, newName) : targetEdits(named, target, newName)]
}

/** Returns the attempts for a column of a CTE or subquery: the last SELECT keeps the output name. */
function columnAttempts(named: BoundBlock, column: Column, newName: string): readonly Edits[] {
  const seeds = seedsFor(named, column, newName)
  if (seeds === undefined) return []
  return attempts.map(options => {
    const made = renameInBlock(named, seeds, newName, options)
    return (
      made && [
        ...made.edits,
        ...unitEdits(named, newName, target => target.kind === 'column' && made.renamed.has(target.column)),
      ]
    )
  })
}

/** Returns edits of the unit tests that refer to the CTE. */
function unitEdits(
  named: BoundBlock,
  newName: string,
  isMeant: (target: Target) => boolean,
): readonly TextEdit[] {
  if (!isTransform(named)) return []
  return unitCteMentions(named.asset, named)
    .filter(({ target }) => isMeant(target))
    .map(({ range }) => yamlEdit(named.asset.path, named.asset.text, range, newName))
}

/** Returns edits of a CTE, an alias, a window or a parameter, and of the names that it qualifies. */
function targetEdits(named: BoundBlock, target: Target, newName: string): Edits {
  const edits = named.bound.mentions
    .filter(mention => isMention(mention, target))
    .map(({ span }) => sqlEdit(named, span, sqlName(named, newName, textIn(named, span))))
  const inTests = unitEdits(named, newName, mentioned => mentioned === target)
  return edits.every(edit => edit !== undefined) ? [...edits, ...inTests] : undefined
}

function isMention({ target: mentioned }: Mention, target: Target): boolean {
  if (mentioned === target) return true
  // A table that is named after the CTE that it reads is renamed too.
  return (
    mentioned.kind === 'table' &&
    target.kind === 'cte' &&
    mentioned.alias === undefined &&
    mentioned.cte === target
  )
}
