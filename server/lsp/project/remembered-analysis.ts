/**
 * Combines the analyses of a project over time: an asset whose SQL is broken keeps its last columns, so that
 * a half-typed word does not empty completion lists.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../../language/index.ts'

export class RememberedAnalysis implements ProjectAnalysis {
  #now: ProjectAnalysis = { of: () => undefined }
  /** The last analysis of all assets, used for assets that are not analyzed again yet. */
  #last: ProjectAnalysis = this.#now
  readonly #whole = new Map<string, AssetAnalysis>()

  /** Sets the newest analysis. `open` has the names of the assets that are being edited. */
  set(now: ProjectAnalysis, open: Iterable<string>, knowsAll: boolean): void {
    for (const name of open) {
      const found = now.of(name)
      if (found !== undefined && isWhole(found)) this.#whole.set(name, found)
    }
    this.#now = now
    if (knowsAll) this.#last = now
  }

  of(name: string): AssetAnalysis | undefined {
    const found = this.#now.of(name)
    if (found !== undefined && isWhole(found)) return found
    return this.#whole.get(name) ?? found ?? this.#last.of(name)
  }
}

function isWhole({ columns, diagnostics }: AssetAnalysis): boolean {
  return columns.length > 0 || diagnostics.every(({ severity }) => severity !== 'error')
}
