/** Holds the results of the last runs and tests, from the files that a run writes. */
import type { LastRun, LastTests } from '../../language/features/knowledge.ts'
import { catalogFile, readLastRuns } from './last-runs.ts'
import { readLastTests, testResultsFile } from './last-tests.ts'

export class LastResults {
  readonly #root: string
  readonly #onNews: () => void
  #runs: ReadonlyMap<string, LastRun> = new Map()
  #tests: ReadonlyMap<string, LastTests> = new Map()

  /** `onNews` is called if something that was read has changed. */
  constructor(root: string, onNews: () => void) {
    this.#root = root
    this.#onNews = onNews
  }

  get runs(): ReadonlyMap<string, LastRun> {
    return this.#runs
  }

  get tests(): ReadonlyMap<string, LastTests> {
    return this.#tests
  }

  /** Reads those of `paths`, relative to the project's root, that have results; by default all. */
  read(paths: readonly string[] = [catalogFile, testResultsFile]): void {
    if (paths.includes(catalogFile)) void this.#readRuns()
    if (paths.includes(testResultsFile)) void this.#readTests()
  }

  async #readRuns(): Promise<void> {
    const runs = await readLastRuns(this.#root)
    if (runs.size === 0 && this.#runs.size === 0) return
    this.#runs = runs
    this.#onNews()
  }

  async #readTests(): Promise<void> {
    this.#tests = await readLastTests(this.#root)
    this.#onNews()
  }
}
