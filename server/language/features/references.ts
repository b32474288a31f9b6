/** Answers where the project mentions what stands under the cursor. */
import { glossaryPath } from '../glossary/glossary.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Knowledge } from './knowledge.ts'
import { occurrenceAt, occurrencesIn } from './names/occurrences.ts'
import { type Occurrence, type Subject, subjectKey } from './names/subjects.ts'
import type { Place } from './places.ts'

export interface Reference extends Place {
  readonly role: Occurrence['role']
}

export function references(
  knowledge: Knowledge,
  path: string,
  offset: number,
  options: { readonly withDefinition: boolean } = { withDefinition: true },
): readonly Reference[] {
  const occurrence = occurrenceAt(knowledge, path, offset)
  if (occurrence === undefined) return []
  const found = referencesTo(knowledge, occurrence.subject)
  return options.withDefinition ? found : found.filter(each => each.role === 'read')
}

/** In path order, `glossary.yaml` and `svc.yaml` behind the assets. */
export function referencesTo(knowledge: Knowledge, subject: Subject): readonly Reference[] {
  const key = subjectKey(subject)
  return pathsFor(knowledge, subject).flatMap(path =>
    occurrencesIn(knowledge, path)
      .filter(each => subjectKey(each.subject) === key)
      .filter((each, index, all) => index === 0 || all[index - 1]?.range.start !== each.range.start)
      .map(({ range, role }) => ({ path, range, role })),
  )
}

/** Files that may mention it: of ten thousand, those that are worth a look. */
function pathsFor(knowledge: Knowledge, subject: Subject): readonly string[] {
  const { project } = knowledge
  switch (subject.kind) {
    case 'local':
      return [subject.named.asset.path]
    case 'raw':
    case 'child':
      return pathsOf(knowledge, [subject.asset])
    case 'asset':
      return pathsOf(knowledge, [subject.name, ...readersOf(knowledge, subject.name)])
    case 'column':
      return pathsOf(knowledge, [subject.asset, ...readersOf(knowledge, subject.asset)])
    case 'var':
      return [...project.assets.values()]
        .filter(asset =>
          [asset.sql, ...asset.testSql.values()].some(sql =>
            sql?.tags.some(tag => tag.kind === 'var' && tag.name === subject.name),
          ),
        )
        .map(asset => asset.path)
        .concat(settingsPath)
    case 'term':
      return [...project.assets.values()]
        .filter(asset => Object.values(asset.definition.columns).some(column => column.term !== undefined))
        .map(asset => asset.path)
        .concat(glossaryPath)
  }
}

/** Assets whose transform or tests name `name`. */
function readersOf({ project }: Knowledge, name: string): readonly string[] {
  const readers = new Set(project.children(name))
  for (const asset of project.byName.values())
    if (asset.refs.some(ref => ref.from === 'test' && ref.name === name)) readers.add(asset.name)
  return [...readers]
}

function pathsOf({ project }: Knowledge, names: readonly string[]): readonly string[] {
  const wanted = new Set(names)
  const paths = [...project.assets.values()].filter(asset => wanted.has(asset.name)).map(asset => asset.path)
  return [...paths, glossaryPath]
}
