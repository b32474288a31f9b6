/** What is known of a code of diagnostics: its meaning and what mends it, in one place. */
import type { Asset } from '../project/project.ts'
import type { Severity } from '../text/diagnostic.ts'
import type { Problem, Remedy } from './fix.ts'

export interface DiagnosticCode {
  readonly code: string
  /** The usual one; a diagnostic may be milder where it cannot be sure. */
  readonly severity: Severity
  /** One sentence in Markdown. */
  readonly doc: string
  /** What an editor offers besides what came with the diagnostic. */
  readonly fix?: Fix
}

export type Fix = (problem: Problem) => readonly Remedy[]

/** A fix of problems in the files of assets. */
export function inAsset(fix: (problem: Problem, asset: Asset) => readonly Remedy[]): Fix {
  return problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    return asset === undefined ? [] : fix(problem, asset)
  }
}
