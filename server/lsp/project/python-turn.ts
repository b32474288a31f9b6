/**
 * When Python is checked: with everything else once its tools are loaded, before that only when somebody can wait. They
 * take a moment to load, in which the first problems of SQL would not be told.
 */
import { type Asset, type Diagnostic, mayDiffer, type Project } from '../../language/index.ts'
import { pythonDiagnostics } from '../../workspace/index.ts'
import type { Log } from '../log.ts'

export class PythonTurn {
  readonly #log: Log
  #isLoaded = false
  #isMissing = false
  /** Whether there is any Python in the project that was asked about last. */
  #last: { readonly project: Project; readonly has: boolean } | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether `all` would wait for tools. */
  mustLoad(project: Project): boolean {
    return !this.#isLoaded && this.#hasPython(project)
  }

  #hasPython(project: Project): boolean {
    if (mayDiffer(this.#last?.project, project, isPython)) this.#last = { project, has: hasPython(project) }
    else if (this.#last !== undefined) this.#last = { ...this.#last, project }
    return this.#last?.has === true
  }

  /** Of all files. Nothing where the tools are not there: the rest is told all the same. */
  async all(project: Project): Promise<readonly Diagnostic[]> {
    if (!this.#hasPython(project)) return nothing
    try {
      const found = await pythonDiagnostics(project)
      this.#isLoaded = true
      return found
    } catch (error) {
      if (!this.#isMissing) this.#log.error('cannot check Python', error)
      this.#isMissing = true
      this.#isLoaded = true
      return []
    }
  }
}

const nothing: readonly Diagnostic[] = []

function isPython(asset: Asset): boolean {
  return asset.hasPython === true
}

function hasPython({ assets }: Project): boolean {
  for (const asset of assets.values()) if (isPython(asset)) return true
  return false
}
