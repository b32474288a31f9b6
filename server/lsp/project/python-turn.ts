/**
 * When Python is checked: with everything else once its tools are loaded, before that only when somebody can wait. They
 * take a moment to load, in which the first problems of SQL would not be told.
 */
import type { Diagnostic, Project } from '../../language/index.ts'
import { pythonDiagnostics } from '../../workspace/index.ts'
import type { Log } from '../log.ts'

export class PythonTurn {
  readonly #log: Log
  #isLoaded = false
  #isMissing = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether `all` would wait for tools. */
  mustLoad(project: Project): boolean {
    return !this.#isLoaded && hasPython(project)
  }

  /** Of all files. Nothing where the tools are not there: the rest is told all the same. */
  async all(project: Project): Promise<readonly Diagnostic[]> {
    try {
      const found = await pythonDiagnostics(project)
      this.#isLoaded ||= hasPython(project)
      return found
    } catch (error) {
      if (!this.#isMissing) this.#log.error('cannot check Python', error)
      this.#isMissing = true
      this.#isLoaded = true
      return []
    }
  }
}

function hasPython({ assets }: Project): boolean {
  for (const asset of assets.values()) if (asset.hasPython === true) return true
  return false
}
