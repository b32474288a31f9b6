/** What was found out about the texts of a project so far, and the snapshot of it that features ask. */
import type { Knowledge } from '../../language/features/knowledge.ts'
import {
  analysesAsked,
  type Diagnostic,
  type Project,
  type ProjectAnalysis,
  type SourceShapes,
} from '../../language/index.ts'
import { knowledgeOf, RememberedAnalysis } from './knowledge-of.ts'
import type { LastResults } from './last-results.ts'
import { allProblems, type ProjectState, problemsOf } from './problems.ts'
import type { ProjectHost } from './project-host.ts'

type Findings = Omit<ProjectState, 'project'>

export class KnownState {
  readonly #host: ProjectHost
  readonly #results: LastResults
  readonly #remembered = new RememberedAnalysis()
  #findings: Findings = {
    analysis: { of: () => undefined },
    shapes: new Map(),
    extra: [],
    isWhole: false,
  }
  #snapshot: { readonly project: Project; readonly value: Knowledge } | undefined

  constructor(host: ProjectHost, results: LastResults) {
    this.#host = host
    this.#results = results
  }

  get analysis(): ProjectAnalysis {
    return this.#findings.analysis
  }

  get shapes(): SourceShapes {
    return this.#findings.shapes
  }

  /** What stands beside the SQL: sources, bytes, Python. */
  learn(findings: Partial<Omit<Findings, 'analysis'>>): void {
    this.#findings = { ...this.#findings, ...findings }
    this.forgetSnapshot()
  }

  /** `open`: names of the assets that are being written. `isWhole`: all is known that there is to know. */
  take(analysis: ProjectAnalysis, open: readonly string[], isWhole: boolean): void {
    // Who asked while it was made has read SQL with columns that may be others now.
    if (analysis !== this.#findings.analysis) this.forgetSnapshot()
    this.#findings = { ...this.#findings, analysis }
    this.#remembered.set(analysis, open, isWhole)
  }

  /** Something that it tells is another by now. */
  forgetSnapshot(): void {
    this.#snapshot = undefined
  }

  problemsOf(project: Project, path: string): readonly Diagnostic[] {
    return problemsOf({ ...this.#findings, project }, path)
  }

  /**
   * Of those of `paths` of which `analysis` knows all. `waiting`: assets of which it knows nothing yet, on which the
   * findings in other files may rest.
   */
  problemsOfKnown(
    project: Project,
    analysis: ProjectAnalysis,
    paths: readonly string[],
    waiting: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly Diagnostic[]> {
    const state = { ...this.#findings, analysis, project }
    const found = new Map<string, readonly Diagnostic[]>()
    for (const path of paths) {
      const problems = problemsOf(state, path)
      if (!analysesAsked(project, path).some(name => waiting.has(name))) found.set(path, problems)
    }
    return found
  }

  allProblems(project: Project): ReadonlyMap<string, readonly Diagnostic[]> {
    return allProblems({ ...this.#findings, project })
  }

  /** `lock`: text of `schemas.lock.json`. */
  knowledge(project: Project, lock: string | undefined): Knowledge {
    if (this.#snapshot?.project === project) return this.#snapshot.value
    const value = knowledgeOf({
      project,
      sources: this.#findings.shapes,
      analysis: this.#remembered,
      functions: () => this.#host.functions(),
      isWhole: this.#findings.isWhole,
      diagnostics: path => this.problemsOf(project, path),
      environmentVariables: this.#host.environmentVariables,
      lastRuns: this.#results.runs,
      lastTests: this.#results.tests,
      lock,
    })
    this.#snapshot = { project, value }
    return value
  }
}
