/**
 * Collects all problems of a project's files for `svc validate` and for the editor: of syntax, schema, checks
 * and SQL, and those of encodings and sources.
 */
import {
  checkProject,
  type Diagnostic,
  groupBy,
  type IsClean,
  type Project,
  type ProjectAnalysis,
  type SourceShapes,
} from '../language/index.ts'
import { patched } from '../language/project/patched-map.ts'

export interface ProblemsInput {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly sources: SourceShapes
  /** Diagnostics that do not come from checks: encodings, missing sources, Python. */
  readonly sourceDiagnostics: readonly Diagnostic[]
  /** Returns whether the checks can skip an asset (`openCache`). */
  readonly isClean?: IsClean | undefined
}

/**
 * Returns problems by path, sorted by place. A list that is unchanged since the last call is the same object.
 */
export function projectProblems(input: ProblemsInput): ReadonlyMap<string, readonly Diagnostic[]> {
  const checked = checkProject(input.project, input.analysis, input.sources, input.isClean)
  if (input.sourceDiagnostics.length === 0) return checked
  let all = checked
  for (const [path, extra] of groupBy(input.sourceDiagnostics, each => each.path))
    all = patched(all, path, merged(all.get(path) ?? [], extra))
  return all
}

function merged(list: readonly Diagnostic[], extra: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...list, ...extra].sort((a, b) => a.range.start - b.range.start)
}
