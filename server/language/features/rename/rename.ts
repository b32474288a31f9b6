/** Renames the name under the cursor in the whole project, or explains why that is impossible. */

import { atOnce, type Steps } from '../../steps.ts'
import { textAt } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { occurrenceAt, occurrencesAt } from '../names/occurrences.ts'
import type { Occurrence, Subject } from '../names/subjects.ts'
import { renameAsset } from './asset-rename.ts'
import { renameColumn } from './column-rename.ts'
import { localProblem, renameLocal } from './local-rename.ts'
import { renameMacro } from './macro-rename.ts'
import { renameOwnTest, renameOwnTestParameter } from './own-test-rename.ts'
import { type Prepared, type Refusal, type Renaming, refuse } from './renaming.ts'
import { renameTerm, renameVariable } from './word-rename.ts'
import { columnNamePattern } from './written-names.ts'

/** Returns the range and the present name. */
export function prepareRename(knowledge: Knowledge, path: string, offset: number): Prepared | Refusal {
  const renameable = subjectAt(knowledge, path, offset)
  if ('refusal' in renameable) return renameable
  const { range, subject } = renameable
  if (subject.kind === 'own-test') return { range, placeholder: subject.name }
  const placeholder = (textAt(knowledge, path) ?? '').slice(range.start, range.end)
  return {
    range,
    placeholder: placeholder.startsWith('"') ? placeholder.slice(1, -1).replaceAll('""', '"') : placeholder,
  }
}

export function rename(
  knowledge: Knowledge,
  path: string,
  offset: number,
  newName: string,
): Renaming | Refusal {
  return atOnce(renameSteps(knowledge, path, offset, newName))
}

/** Does the same in steps: ten thousand files may read a column. */
export function* renameSteps(
  knowledge: Knowledge,
  path: string,
  offset: number,
  newName: string,
): Steps<Renaming | Refusal> {
  const renameable = subjectAt(knowledge, path, offset)
  if ('refusal' in renameable) return renameable
  const name = newName.trim()
  const { subject } = renameable
  switch (subject.kind) {
    case 'asset':
      return name === subject.name ? nothing : yield* renameAsset(knowledge, path, subject.name, name)
    case 'column':
      if (name === subject.column) return nothing
      return columnNamePattern.test(name)
        ? yield* renameColumn(knowledge, path, subject, name)
        : refuse('the name of a column is made of letters, digits and _, and begins with a letter or _')
    case 'local':
      return renameLocal(knowledge, subject, name)
    case 'var':
      return name === subject.name ? nothing : yield* renameVariable(knowledge, path, subject.name, name)
    case 'macro':
    case 'macro-parameter':
      return yield* renameMacro(knowledge, path, subject, name)
    case 'own-test':
      return name === subject.name ? nothing : yield* renameOwnTest(knowledge, path, subject.name, name)
    case 'own-test-parameter':
      if (name === subject.parameter) return nothing
      return yield* renameOwnTestParameter(knowledge, path, subject, name)
    case 'term':
      return yield* renameTerm(knowledge, path, subject.term, name)
    default:
      return refuse('this has its name from the source')
  }
}

const nothing: Renaming = { edits: [], files: [], annotations: [] }

function subjectAt(
  knowledge: Knowledge,
  path: string,
  offset: number,
): Pick<Occurrence, 'range' | 'subject'> | Refusal {
  const occurrence = occurrenceAt(knowledge, path, offset)
  if (occurrence === undefined) return refuse('there is no name here that can be changed')
  const { subject, range } = occurrence
  const problem = problemOf(knowledge, subject)
  if (problem !== undefined) return refuse(problem)
  if (subject.kind !== 'raw') return { range, subject }
  const own = passedOn(knowledge, path, offset)
  return own === undefined
    ? refuse(`"${subject.column}" has its name from the source; give it another one with AS in the SELECT`)
    : { range, subject: own }
}

/**
 * Returns the output column that is named at the place too, where the last select list passes a source column
 * on.
 */
function passedOn(knowledge: Knowledge, path: string, offset: number): Subject | undefined {
  return occurrencesAt(knowledge, path, offset).find(
    ({ subject, role }) => subject.kind === 'column' && role === 'definition',
  )?.subject
}

function problemOf({ project }: Knowledge, subject: Subject): string | undefined {
  if (subject.kind === 'asset' && !project.byName.has(subject.name))
    return `no asset is called "${subject.name}"`
  if (subject.kind === 'column' && !project.byName.has(subject.asset))
    return `no asset is called "${subject.asset}"`
  if (subject.kind === 'child') return `"${subject.child}" has its name from the source`
  return subject.kind === 'local' ? localProblem(subject) : undefined
}
