/**
 * Collects what is known about the texts of a project, and makes the snapshot for features. Nothing in it
 * waits.
 */
import type { Knowledge } from '../../language/features/knowledge.ts'
import {
  analysesAsked,
  type Diagnostic,
  type Project,
  type ProjectAnalysis,
  type SourceShapes,
} from '../../language/index.ts'
import type { LastResults } from './last-results.ts'
import type { OtherEngines } from './other-engines.ts'
import { allProblems, type ProjectState, problemsOf } from './problems.ts'
import type { ProjectHost } from './project-host.ts'
import { RememberedAnalysis } from './remembered-analysis.ts'
import { runFailures } from './run-failures.ts'

type Findings = Omit<ProjectState, 'project'>

export class KnownState {
  readonly #host: ProjectHost
  readonly #results: LastResults
  readonly #others: OtherEngines
  readonly #remembered = new RememberedAnalysis()
  #findings: Findings = {
    analysis: { of: () => undefined },
    shapes: new Map(),
    extra: [],
    anywhere: [],
    isWhole: false,
  }
  #snapshot: { readonly project: Project; readonly value: Knowledge } | undefined

  constructor(host: ProjectHost, results: LastResults, others: OtherEngines) {
    this.#host = host
    this.#results = results
    this.#others = others
  }

  get analysis(): ProjectAnalysis {
    return this.#findings.analysis
  }

  get shapes(): SourceShapes {
    return this.#findings.shapes
  }

  /** Sets facts besides the SQL: sources, file encodings, Python. */
  learn(findings: Partial<Omit<Findings, 'analysis'>>): void {
    this.#findings = { ...this.#findings, ...findings }
    this.forgetSnapshot()
  }

  /**
   * Sets the analysis. `open` has the names of the assets that are being edited. `isWhole` means that the
   * analysis is complete.
   */
  take(analysis: ProjectAnalysis, open: readonly string[], isWhole: boolean): void {
    // A snapshot that was made during the analysis may have bound SQL with outdated columns.
    if (analysis !== this.#findings.analysis) this.forgetSnapshot()
    this.#findings = { ...this.#findings, analysis }
    this.#remembered.set(analysis, open, isWhole)
  }

  /** Drops the snapshot because something in it has changed. */
  forgetSnapshot(): void {
    this.#snapshot = undefined
  }

  problemsOf(project: Project, path: string): readonly Diagnostic[] {
    const state = this.#state(project)
    return this.#others.joined(state, path, problemsOf(state, path))
  }

  /**
   * Returns the problems of those `paths` whose findings are certain. `waiting` has assets without a result,
   * on which findings in other files may depend.
   */
  problemsOfKnown(
    project: Project,
    analysis: ProjectAnalysis,
    paths: readonly string[],
    waiting: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly Diagnostic[]> {
    const state = { ...this.#state(project), analysis }
    const found = new Map<string, readonly Diagnostic[]>()
    for (const path of paths) {
      const problems = this.#others.joined(state, path, problemsOf(state, path))
      if (!analysesAsked(project, path).some(name => waiting.has(name))) found.set(path, problems)
    }
    return found
  }

  allProblems(project: Project): ReadonlyMap<string, readonly Diagnostic[]> {
    const state = this.#state(project)
    return this.#others.joinedAll(state, allProblems(state))
  }

  #state(project: Project): ProjectState {
    const anywhere = [...this.#findings.anywhere, ...runFailures(project, this.#results.failures)]
    return { ...this.#findings, anywhere, project }
  }

  /** Returns the knowledge. `lock` is the text of `schemas.lock.json`. */
  knowledge(project: Project, lock: string | undefined): Knowledge {
    if (this.#snapshot?.project === project) return this.#snapshot.value
    const host = this.#host
    const value: Knowledge = {
      project,
      sources: this.#findings.shapes,
      analysis: this.#remembered,
      glossary: project.glossary,
      get functions() {
        return host.functions(project.engine)
      },
      isWhole: this.#findings.isWhole,
      diagnostics: path => this.problemsOf(project, path),
      environmentVariables: host.environmentVariables,
      lastRuns: this.#results.runs,
      lastTests: this.#results.tests,
      lock,
    }
    this.#snapshot = { project, value }
    return value
  }
}
