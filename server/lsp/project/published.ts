/** What was last told of each file, and who waits for the next word. Knows nothing of how it is told. */
import type { Diagnostic } from '../../language/index.ts'

export interface Told {
  readonly diagnostics: readonly Diagnostic[]
  /** Text that the ranges are in. */
  readonly text: () => string
  /** Another one for each other list of the file. */
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

  /** Whether this is news. A file without problems of which nothing was told is none. */
  tell(path: string, diagnostics: readonly Diagnostic[], text: () => string): boolean {
    const before = this.#told.get(path)
    if (before === undefined && diagnostics.length === 0) return false
    if (before !== undefined && sameDiagnostics(before.diagnostics, diagnostics)) {
      // Positions are the same ones in either text only while both have the same lines: keep the newer.
      const isSame = diagnostics.length === 0 || before.text() === text()
      if (isSame) return false
    }
    this.#results += 1
    this.#told.set(path, { diagnostics, text, resultId: String(this.#results) })
    return true
  }

  /** Of a file that is gone. */
  forget(path: string): void {
    this.#told.delete(path)
  }
}

export function sameDiagnostics(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a === b || (a.length === b.length && JSON.stringify(a) === JSON.stringify(b))
}
