/** Holds the results of the last runs and tests, from the files that a run writes. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LastRun, LastTests } from '../../language/features/knowledge.ts'
import { catalogFile, readLastRuns } from './last-runs.ts'
import { readLastTests, testResultsFile } from './last-tests.ts'

/** The files that have results. */
export const resultFiles: readonly string[] = [catalogFile, testResultsFile]

const noRuns: ReadonlyMap<string, LastRun> = new Map()

export class LastResults {
  readonly #root: string
  readonly #onNews: (failuresChanged: boolean) => void
  readonly #warehouseOf: (environment: string) => string | undefined
  #runs: ReadonlyMap<string, LastRun> = new Map()
  #failures: ReadonlyMap<string, LastRun> = noRuns
  #tests: ReadonlyMap<string, LastTests> = new Map()

  /**
   * `onNews` is called if something that was read has changed, and told whether other assets failed than before, or for
   * other reasons. `warehouseOf` returns the file of the warehouse of an
   * environment; undefined if it is not a file, or not known here.
   */
  constructor(
    root: string,
    onNews: (failuresChanged: boolean) => void,
    warehouseOf: (environment: string) => string | undefined = () => undefined,
  ) {
    this.#root = root
    this.#onNews = onNews
    this.#warehouseOf = warehouseOf
  }

  /** None if the warehouse has been deleted: what the last run deployed is no longer there. */
  get runs(): ReadonlyMap<string, LastRun> {
    const [first] = this.#runs.values()
    const file = first === undefined ? undefined : this.#warehouseOf(first.environment)
    return file === undefined || existsSync(resolve(this.#root, file)) ? this.#runs : noRuns
  }

  /** Those of `runs` that failed and say why, or that warned. */
  get failures(): ReadonlyMap<string, LastRun> {
    return this.#failures.size === 0 || this.runs.size === 0 ? noRuns : this.#failures
  }

  get tests(): ReadonlyMap<string, LastTests> {
    return this.#tests
  }

  /** Reads those of `paths`, relative to the project's root, that have results. */
  read(paths: readonly string[]): void {
    if (paths.includes(catalogFile)) void this.#readRuns()
    if (paths.includes(testResultsFile)) void this.#readTests()
  }

  async #readRuns(): Promise<void> {
    const runs = await readLastRuns(this.#root)
    if (runs.size === 0 && this.#runs.size === 0) return
    const before = this.#failures
    this.#runs = runs
    this.#failures = new Map(
      [...runs].filter(([, { failure, warnings }]) => failure !== undefined || warnings !== undefined),
    )
    this.#onNews(JSON.stringify([...before]) !== JSON.stringify([...this.#failures]))
  }

  async #readTests(): Promise<void> {
    this.#tests = await readLastTests(this.#root)
    this.#onNews(false)
  }
}
