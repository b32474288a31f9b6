/**
 * Remembers the published diagnostics of each file, and resolves waiters at the next change. It does not know
 * how they are delivered.
 */
import type { Diagnostic } from '../../language/index.ts'

export interface Told {
  readonly diagnostics: readonly Diagnostic[]
  /** Returns the text that the ranges refer to. */
  readonly text: () => string
  /** An id that changes with the list of the file. */
  readonly resultId: string
}

export class Published {
  readonly #told = new Map<string, Told>()
  #results = 0

  of(path: string): Told | undefined {
    return this.#told.get(path)
  }

  paths(): Iterable<string> {
    return this.#told.keys()
  }

  /** Records diagnostics. Returns whether they changed; an unknown file without problems is no change. */
  tell(path: string, diagnostics: readonly Diagnostic[], text: () => string): boolean {
    const before = this.#told.get(path)
    if (before === undefined && diagnostics.length === 0) return false
    if (before !== undefined && sameDiagnostics(before.diagnostics, diagnostics)) {
      // Equal offsets are equal positions only if both texts have the same lines, so the newer text is kept.
      const isSame = diagnostics.length === 0 || before.text() === text()
      if (isSame) return false
    }
    this.#results += 1
    this.#told.set(path, { diagnostics, text, resultId: String(this.#results) })
    return true
  }

  /** Forgets a removed file. */
  forget(path: string): void {
    this.#told.delete(path)
  }
}

function sameDiagnostics(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a === b || (a.length === b.length && JSON.stringify(a) === JSON.stringify(b))
}
