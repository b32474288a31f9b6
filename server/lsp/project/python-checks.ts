/**
 * Decides when Python is checked: with everything else once its tools are loaded, and before that only when
 * the caller can wait. Loading takes a moment that would delay the first SQL problems.
 */
import { type Asset, type Diagnostic, mayDiffer, type Project } from '../../language/index.ts'
import { pythonDiagnostics } from '../../workspace/index.ts'
import type { Log } from '../log.ts'

export class PythonChecks {
  readonly #log: Log
  #isLoaded = false
  #isMissing = false
  /** Whether the last snapshot has any Python. */
  #last: { readonly project: Project; readonly has: boolean } | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns whether `all` would have to load the tools. */
  mustLoad(project: Project): boolean {
    return !this.#isLoaded && this.#hasPython(project)
  }

  #hasPython(project: Project): boolean {
    if (mayDiffer(this.#last?.project, project, isPython)) this.#last = { project, has: hasPython(project) }
    else if (this.#last !== undefined) this.#last = { ...this.#last, project }
    return this.#last?.has === true
  }

  /**
   * Returns the diagnostics of all files; none if the tools are missing, so that other problems are still
   * published.
   */
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
