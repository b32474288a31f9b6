/** Finds the places in the project that mention the name under the cursor. */

import { glossaryPath } from '../glossary/glossary.ts'
import { asWritten, macroCalls } from '../macros/expand-asset.ts'
import { macroKey } from '../macros/macro.ts'
import { type Named, ownTestsFolder } from '../own-tests/own-test.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Asset } from '../project/project.ts'
import { templatesOf } from '../project/templates.ts'
import { atOnce, type Steps } from '../steps.ts'
import { isOwnTest } from '../tests/index.ts'
import type { Knowledge } from './knowledge.ts'
import { occurrencesAt, occurrencesOf } from './names/occurrences.ts'
import { type Occurrence, type Subject, subjectKey } from './names/subjects.ts'
import type { Place } from './places.ts'

export interface Reference extends Place {
  readonly role: Occurrence['role']
}

export function references(
  knowledge: Knowledge,
  path: string,
  offset: number,
  withDefinition = true,
): readonly Reference[] {
  return atOnce(referenceSteps(knowledge, subjectsAt(knowledge, path, offset), withDefinition))
}

export function subjectsAt(knowledge: Knowledge, path: string, offset: number): readonly Subject[] {
  return occurrencesAt(knowledge, path, offset).map(({ subject }) => subject)
}

/** Returns the references in path order, with `glossary.yaml` and `svc.yaml` after the assets. Searches a file a step. */
export function* referenceSteps(
  knowledge: Knowledge,
  subjects: readonly Subject[],
  withDefinition = true,
): Steps<readonly Reference[]> {
  const keys = new Set(subjects.map(subjectKey))
  const found: Reference[] = []
  for (const path of pathsFor(knowledge, subjects)) {
    const occurrences = occurrencesOf(knowledge, path, keys)
    const places = withDefinition ? occurrences : occurrences.filter(({ role }) => role === 'read')
    found.push(...eachOnce(places).map(({ range, role }) => ({ path, range, role })))
    yield
  }
  return found
}

/** Returns the places in text order and without duplicates; a use that is a definition too becomes one. */
export function eachOnce(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const places = new Map<number, Occurrence>()
  for (const each of occurrences) {
    const { start } = each.range
    if (!places.has(start) || each.role === 'definition') places.set(start, each)
  }
  return [...places.values()]
}

function pathsFor(knowledge: Knowledge, subjects: readonly Subject[]): readonly string[] {
  if (subjects.length === 1) return subjects.flatMap(subject => pathsForOne(knowledge, subject))
  const wanted = new Set(subjects.flatMap(subject => pathsForOne(knowledge, subject)))
  const { assets, macros, settings } = knowledge.project
  const others = [...macros.files.keys(), ...settings.ownTests.files.keys(), glossaryPath, settingsPath]
  return [...assets.keys(), ...others].filter(path => wanted.has(path))
}

/** Returns the files that may mention it, so that not all of ten thousand are searched. */
function pathsForOne(knowledge: Knowledge, subject: Subject): readonly string[] {
  const { project } = knowledge
  switch (subject.kind) {
    case 'local':
      return [subject.named.asset.path]
    case 'raw':
    case 'child':
      return pathsOf(knowledge, [subject.asset])
    case 'asset':
      return [
        ...pathsOf(knowledge, [subject.name, ...readersOf(knowledge, subject.name)]),
        ...project.macros.files.keys(),
        ...ownTestsNaming(knowledge, 'ref', subject.name),
      ]
    case 'column':
      return pathsOf(knowledge, [subject.asset, ...readersOf(knowledge, subject.asset)])
    case 'var':
      return [
        ...pathsWhere(knowledge, asset =>
          templatesOf(asset).some(sql =>
            sql.tags.some(tag => tag.kind === 'var' && tag.name === subject.name),
          ),
        ),
        ...project.macros.files.keys(),
        settingsPath,
        ...ownTestsNaming(knowledge, 'var', subject.name),
      ]
    case 'macro':
      return callersOf(knowledge, subject.name)
    case 'macro-parameter':
      return callersOf(knowledge, subject.macro)
    case 'own-test':
      return usersOf(knowledge, subject.name)
    case 'own-test-parameter':
      return usersOf(knowledge, subject.test)
    case 'term':
      return [
        ...pathsWhere(knowledge, ({ definition }) =>
          Object.values(definition.columns).some(column => column.term !== undefined),
        ),
        glossaryPath,
      ]
  }
}

/** Returns the files of assets that call a macro themselves, and those of macros. */
function callersOf(knowledge: Knowledge, macro: string): readonly string[] {
  const callers = pathsWhere(knowledge, asset =>
    macroCalls(asWritten(asset)).some(({ name }) => macroKey(name) === macroKey(macro)),
  )
  return [
    ...callers,
    ...knowledge.project.macros.files.keys(),
    ...ownTestsNaming(knowledge, 'macro', macro, macroKey),
  ]
}

/** Returns the files of assets that use a test of one's own, and that of the test. */
function usersOf(knowledge: Knowledge, test: string): readonly string[] {
  const users = pathsWhere(knowledge, ({ definition }) =>
    definition.tests.some(each => isOwnTest(each) && each.test === test),
  )
  return [...users, `${ownTestsFolder}${test}.sql`]
}

function ownTestsNaming(
  { project }: Knowledge,
  kind: Named['kind'],
  name: string,
  keyOf = (written: string): string => written,
): readonly string[] {
  const files = [...project.settings.ownTests.files.values()]
  return files
    .filter(({ names }) => names.some(each => each.kind === kind && keyOf(each.name) === keyOf(name)))
    .map(({ path }) => path)
}

/** Returns the assets whose transform or tests read `name`. */
function readersOf({ project }: Knowledge, name: string): readonly string[] {
  const readers = new Set(project.children(name))
  for (const asset of project.byName.values())
    if (asset.refs.some(ref => ref.from === 'test' && ref.name === name)) readers.add(asset.name)
  return [...readers]
}

function pathsOf(knowledge: Knowledge, names: readonly string[]): readonly string[] {
  const wanted = new Set(names)
  return [...pathsWhere(knowledge, ({ name }) => wanted.has(name)), glossaryPath]
}

function pathsWhere({ project }: Knowledge, isMeant: (asset: Asset) => boolean): readonly string[] {
  return [...project.assets.values()].flatMap(asset => (isMeant(asset) ? [asset.path] : []))
}
