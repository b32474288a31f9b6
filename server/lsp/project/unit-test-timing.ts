/**
 * Decides when unit tests run: never before the SQL is analyzed. Results within a moment are published with
 * those of the SQL, so that a failure does not blink at every key; slow tests are published later, and the
 * next time nothing waits for them.
 */
import type { AnalyzeOptions, Catalog, Project, ProjectAnalysis, SourceShapes } from '../../language/index.ts'

export interface UnitAsk {
  readonly catalog: Catalog
  readonly project: Project
  readonly shapes: SourceShapes
  /** Analyzes only these assets and what they read; undefined for all. */
  readonly names?: readonly string[]
  /** Stops unit tests. */
  readonly signal: NonNullable<AnalyzeOptions['signal']>
  /** Whether the signal stops SQL too; if not, it is always analyzed completely. */
  readonly mayStopSql: boolean
}

/** A delay that users do not notice. */
const soonMs = 40

export class UnitTestTiming {
  readonly #now: () => Date
  #isSlow = false

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Analyzes the SQL and includes the results of unit tests that finish within a moment. */
  async soon(ask: UnitAsk): Promise<ProjectAnalysis> {
    const { catalog, project, shapes, signal, mayStopSql } = ask
    const only = { ...namesOf(ask), ...(mayStopSql && { signal }) }
    const sql = await catalog.analyze(project, shapes, { ...only, unitTests: 'none' })
    if (this.#isSlow || signal.aborted) return sql
    const deadline = this.#now().getTime() + soonMs
    const isLate = () => this.#now().getTime() > deadline
    const moment = {
      get aborted() {
        return signal.aborted || isLate()
      },
    }
    const found = await catalog.analyze(project, shapes, { ...namesOf(ask), signal: moment })
    this.#isSlow = isLate()
    return found
  }

  /** Runs all remaining unit tests. The result must not be used if `signal` was aborted. */
  async rest(ask: UnitAsk): Promise<ProjectAnalysis> {
    const started = this.#now().getTime()
    const { catalog, project, shapes, signal } = ask
    const found = await catalog.analyze(project, shapes, { ...namesOf(ask), signal })
    if (!signal.aborted) this.#isSlow &&= this.#now().getTime() - started > soonMs
    return found
  }
}

function namesOf({ names }: UnitAsk): Pick<AnalyzeOptions, 'names'> {
  return names === undefined ? {} : { names }
}
