/** Publishes changed problems: finds the files whose problems differ from those published last. */
import { type Diagnostic, glossaryPath, type Project, type ProjectAnalysis } from '../../language/index.ts'
import { differingKeys } from '../../language/project/patched-map.ts'
import { settingsFile } from '../../workspace/index.ts'
import type { KnownState } from './known-state.ts'
import { textLater } from './problems.ts'
import type { Published } from './published.ts'

type Problems = ReadonlyMap<string, readonly Diagnostic[]>

export class ProblemPublisher {
  readonly #known: KnownState
  readonly #published: Published
  readonly #beside: (path: string) => (() => string | undefined) | undefined
  readonly #onNews: (changed: Problems) => void
  /** All problems as they were published last; undefined if some were published separately since. */
  #all: Problems | undefined
  /** Files with problems that were published separately since then. */
  readonly #since = new Set<string>()

  /** `beside` returns how the text of a file is read that is in no snapshot, such as `schemas.lock.json`. */
  constructor(
    known: KnownState,
    published: Published,
    beside: (path: string) => (() => string | undefined) | undefined,
    onNews: (changed: Problems) => void,
  ) {
    this.#known = known
    this.#beside = beside
    this.#published = published
    this.#onNews = onNews
  }

  all(project: Project): void {
    const all = this.#known.allProblems(project)
    this.#gone(project)
    this.#tell(project, this.#newIn(all))
    this.#all = all
    this.#since.clear()
  }

  /** Publishes the problems of some files, before all are known. */
  some(project: Project, paths: readonly string[]): void {
    for (const path of paths) this.#since.add(path)
    this.#tell(project, new Map(paths.map(path => [path, this.#known.problemsOf(project, path)])))
  }

  /** Publishes the problems of files with certain results; those of the others stay as they are. */
  known(project: Project, analysis: ProjectAnalysis, waiting: ReadonlySet<string>): void {
    this.#gone(project)
    this.#all = undefined
    const paths = [...project.assets].flatMap(([path, { name }]) => (waiting.has(name) ? [] : [path]))
    this.#tell(project, this.#known.problemsOfKnown(project, analysis, paths, waiting))
  }

  #gone(project: Project): void {
    const isThere = (path: string) =>
      path === settingsFile ||
      project.assets.has(path) ||
      project.settings.ownTests.files.has(path) ||
      project.macros.files.has(path) ||
      (path === glossaryPath && project.glossary.file !== undefined) ||
      this.#beside(path)?.() !== undefined
    const gone = [...this.#published.paths()].filter(path => !isThere(path))
    this.#tell(project, new Map(gone.map(path => [path, []] as const)))
    for (const path of gone) this.#published.forget(path)
  }

  #newIn(all: Problems): Problems {
    const paths = this.#all && differingKeys(this.#all, all)
    if (paths === undefined) return all
    const found = new Set([...paths, ...this.#since])
    return new Map([...found].flatMap(path => (all.has(path) ? [[path, all.get(path) ?? []] as const] : [])))
  }

  #tell(project: Project, problems: Problems): void {
    const changed = new Map(
      [...problems].filter(([path, list]) => {
        const text = this.#beside(path) ?? textLater(project, path)
        return this.#published.tell(path, list, () => text() ?? '')
      }),
    )
    if (changed.size > 0) this.#onNews(changed)
  }
}
