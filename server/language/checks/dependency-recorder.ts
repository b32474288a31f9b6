/**
 * Records the questions that a check asks about other files, with the answers: its findings hold as long as
 * the answers do. Checks are not aware of it; they receive a project and an analysis that look like any
 * other.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../analysis.ts'
import { nearestAssets } from '../project/asset-names.ts'
import type { Asset, Project } from '../project/project.ts'

/**
 * One question with its answer. `all`: all assets, their order or their cycles; any change invalidates it.
 */
type Answer =
  | readonly [about: 'analysis', name: string, answer: AssetAnalysis | undefined]
  | readonly [about: 'asset', name: string, answer: Asset | undefined]
  | readonly [about: 'file', path: string, answer: Asset | undefined]
  | readonly [about: 'readers' | 'parents', name: string, answer: readonly string[]]
  | readonly [about: 'exists', name: string, answer: boolean]
  | readonly [about: 'nearest', name: string, answer: readonly string[]]
  | readonly [about: 'all']

/** The dependencies of one file's findings besides the file itself, its analysis and its source. */
export type Dependencies = readonly Answer[]

export interface DependencyRecorder {
  readonly project: Project
  readonly analysis: ProjectAnalysis | undefined
  readonly nearestAssets: (name: string) => readonly string[]
  /** Records the questions that are asked while `work` runs. */
  during<T>(work: () => T): { readonly result: T; readonly asked: Dependencies }
}

const nothing: Dependencies = []

export function newDependencyRecorder(
  project: Project,
  analysis: ProjectAnalysis | undefined,
): DependencyRecorder {
  let asked: Answer[] = []
  return {
    project: watchedProject(project, answer => asked.push(answer)),
    analysis: analysis && {
      of(name) {
        const answer = analysis.of(name)
        asked.push(['analysis', name, answer])
        return answer
      },
    },
    nearestAssets(name) {
      const answer = nearestAssets(project, name)
      asked.push(['nearest', name, answer])
      return answer
    },
    during(work) {
      asked = []
      const result = work()
      return { result, asked: asked.length === 0 ? nothing : asked }
    },
  }
}

/**
 * Returns whether the answers are the same in another snapshot. `files`: whether any file has changed.
 * `names`: those, in lower case, that are new, removed or belong to another file.
 */
export function stillHolds(
  asked: Dependencies,
  project: Project,
  analysis: ProjectAnalysis | undefined,
  changed: { readonly files: boolean; readonly names: ReadonlySet<string> },
): boolean {
  return asked.every(answer => {
    if (answer[0] === 'analysis') return analysis?.of(answer[1]) === answer[2]
    if (!changed.files) return true
    if (answer[0] === 'all') return false
    if (answer[0] === 'asset') return project.byName.get(answer[1]) === answer[2]
    if (answer[0] === 'file') return project.assets.get(answer[1]) === answer[2]
    if (answer[0] === 'readers') return sameNames(project.children(answer[1]), answer[2])
    if (answer[0] === 'parents') return sameNames(project.parents(answer[1]), answer[2])
    if (changed.names.size === 0) return true
    if (answer[0] === 'exists') return !changed.names.has(answer[1].toLowerCase())
    return sameNames(nearestAssets(project, answer[1]), answer[2])
  })
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]))
}

// ---------------------------------------------------------------- a project that is watched

type Note = (answer: Answer) => void
type AssetMap = ReadonlyMap<string, Asset>

function watchedProject(project: Project, note: Note): Project {
  const everything = <T>(answer: T): T => {
    note(['all'])
    return answer
  }
  // The project is not spread, because that would evaluate the getter for the order of all assets.
  return {
    settings: project.settings,
    engine: project.engine,
    glossary: project.glossary,
    macros: project.macros,
    with: (path, text) => project.with(path, text),
    withFiles: texts => project.withFiles(texts),
    withSettings: settings => project.withSettings(settings),
    withGlossary: glossary => project.withGlossary(glossary),
    withMacros: macros => project.withMacros(macros),
    byName: watchedMap(project.byName, 'asset', note),
    assets: watchedMap(project.assets, 'file', note),
    children(name) {
      const answer = project.children(name)
      note(['readers', name, answer])
      return answer
    },
    parents(name) {
      const answer = project.parents(name)
      note(['parents', name, answer])
      return answer
    },
    get order() {
      return everything(project.order)
    },
    get cycles() {
      return everything(project.cycles)
    },
  }
}

function watchedMap(map: AssetMap, about: 'asset' | 'file', note: Note): AssetMap {
  const all = (): AssetMap => {
    note(['all'])
    return map
  }
  return {
    get(key) {
      const answer = map.get(key)
      note([about, key, answer])
      return answer
    },
    has(key) {
      const answer = map.has(key)
      note(about === 'asset' ? ['exists', key, answer] : ['file', key, map.get(key)])
      return answer
    },
    get size() {
      return all().size
    },
    keys: () => all().keys(),
    values: () => all().values(),
    entries: () => all().entries(),
    forEach: each => all().forEach(each),
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  }
}
