/** The description of a diagnostic code: its meaning and its fix, in one place. */
import type { Asset } from '../project/project.ts'
import type { Severity } from '../text/diagnostic.ts'
import type { Problem, Remedy } from './fix.ts'
import { ownUseAt } from './placed-finding.ts'

export interface DiagnosticCode {
  readonly code: string
  /** The usual severity; a diagnostic may be milder if it is not certain. */
  readonly severity: Severity
  /** One sentence of Markdown. */
  readonly doc: string
  /** The fixes that an editor offers besides those of the diagnostic. */
  readonly fix?: Fix
}

export type Fix = (problem: Problem) => readonly Remedy[]

/** A code as tables have it: what it means if it is an error without a fix, else all of it. */
type CodeEntry = string | (Pick<DiagnosticCode, 'doc' | 'fix'> & { readonly severity?: Severity })

export function codesOf(table: Readonly<Record<string, CodeEntry>>): readonly DiagnosticCode[] {
  return Object.entries(table).map(([code, entry]) => ({
    code,
    severity: 'error',
    ...(typeof entry === 'string' ? { doc: entry } : entry),
  }))
}

/** Makes a fix for problems in asset files. */
export function inAsset(fix: (problem: Problem, asset: Asset) => readonly Remedy[]): Fix {
  return problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    if (asset === undefined || problem.diagnostic.facts?.['inherited'] === true) return []
    return ownUseAt(asset, problem.diagnostic.range) === undefined ? fix(problem, asset) : []
  }
}
