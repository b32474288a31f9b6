/**
 * All problems of a project's files, as `svc validate` prints them and as the editor shows them: of syntax, schema,
 * checks, SQL, and what only the files' bytes and sources tell.
 */
import {
  checkProject,
  type Diagnostic,
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
  /** What others than the checks found: bytes that are none, sources that are missing, Python. */
  readonly sourceDiagnostics: readonly Diagnostic[]
  /** Assets that the checks need not look at (`openCache`). */
  readonly isClean?: IsClean | undefined
}

/** By path, sorted by place. A list that did not change since the last call for a like project is the same one. */
export function projectProblems(input: ProblemsInput): ReadonlyMap<string, readonly Diagnostic[]> {
  const checked = checkProject(input.project, input.analysis, input.sources, input.isClean)
  if (input.sourceDiagnostics.length === 0) return checked
  let all = checked
  for (const [path, extra] of byPath(input.sourceDiagnostics))
    all = patched(all, path, merged(all.get(path) ?? [], extra))
  return all
}

function byPath(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const list = found.get(diagnostic.path)
    if (list === undefined) found.set(diagnostic.path, [diagnostic])
    else list.push(diagnostic)
  }
  return found
}

function merged(list: readonly Diagnostic[], extra: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...list, ...extra].sort((a, b) => a.range.start - b.range.start)
}
