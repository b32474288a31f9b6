/** Makes the knowledge that editor features use from the state of a project. Nothing in it waits. */
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
  /** The newest analysis, and for each asset the newest one in which its SQL could be parsed. */
  readonly analysis: ProjectAnalysis
  readonly functions: () => FunctionBook
  readonly isWhole: boolean
  readonly diagnostics: (path: string) => readonly Diagnostic[]
  readonly environmentVariables: readonly string[]
  readonly lastRuns: ReadonlyMap<string, LastRun>
  readonly lastTests: ReadonlyMap<string, LastTests>
  /** The text of `schemas.lock.json`. */
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
 * Combines the analyses of a project over time: an asset whose SQL is broken keeps its last columns, so that
 * a half-typed word does not empty completion lists.
 */
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
