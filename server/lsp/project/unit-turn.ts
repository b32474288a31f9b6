/**
 * When unit tests run: never before it is known what the SQL says. What comes of them at once is told with that, so that
 * a failure that stands does not blink at every key; whoever is slow comes later, and nobody waits for it the next time.
 */
import type { AnalyzeOptions, Catalog, Project, ProjectAnalysis, SourceShapes } from '../../language/index.ts'

export interface UnitAsk {
  readonly catalog: Catalog
  readonly project: Project
  readonly shapes: SourceShapes
  /** Only these and what they read; undefined: all. */
  readonly names?: readonly string[]
  /** Unit tests stop where nobody wants to know any more. */
  readonly signal: NonNullable<AnalyzeOptions['signal']>
  /** So does SQL; false: it is always looked at to the end. */
  readonly mayStopSql: boolean
}

/** What a reader of the screen does not notice. */
const soonMs = 40

export class UnitTurn {
  readonly #now: () => Date
  #isSlow = false

  constructor(now: () => Date) {
    this.#now = now
  }

  /** What the SQL says, and what unit tests find within a moment. */
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

  /** What all of them find. Of no use where `signal` is aborted by then. */
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
