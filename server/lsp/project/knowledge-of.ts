/** What the features of the editor may know of a state of a project. Nothing in it waits. */
import type { FunctionBook, Knowledge, LastRun, LastTests } from '../../language/features/knowledge.ts'
import type {
  AssetAnalysis,
  Diagnostic,
  Project,
  ProjectAnalysis,
  SourceShapes,
} from '../../language/index.ts'

export interface KnowledgeParts {
  readonly project: Project
  readonly sources: SourceShapes
  /** The newest that is known, and for each asset the newest in which its SQL could be read. */
  readonly analysis: ProjectAnalysis
  readonly functions: () => FunctionBook
  readonly isWhole: boolean
  readonly diagnostics: (path: string) => readonly Diagnostic[]
  readonly environmentVariables: readonly string[]
  readonly lastRuns: ReadonlyMap<string, LastRun>
  readonly lastTests: ReadonlyMap<string, LastTests>
  /** Text of `schemas.lock.json`. */
  readonly lock: string | undefined
}

export function knowledgeOf(parts: KnowledgeParts): Knowledge {
  const {
    project,
    sources,
    analysis,
    diagnostics,
    environmentVariables,
    isWhole,
    lastRuns,
    lastTests,
    lock,
  } = parts
  return {
    project,
    sources,
    analysis,
    glossary: project.glossary,
    get functions() {
      return parts.functions()
    },
    isWhole,
    diagnostics,
    environmentVariables,
    lastRuns,
    lastTests,
    lock,
  }
}

/**
 * The analyses of a project over time: one whose SQL is broken just now keeps the columns that it last had, so that a
 * half-typed word does not empty every list.
 */
export class RememberedAnalysis implements ProjectAnalysis {
  #now: ProjectAnalysis = { of: () => undefined }
  /** The last one that knew of all assets: until the others are looked at again, it tells of them. */
  #last: ProjectAnalysis = this.#now
  readonly #whole = new Map<string, AssetAnalysis>()

  /** `open`: names of the assets that are being written. */
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
