/** All problems of a project's files: of syntax, schema, checks, SQL, and of what its sources hold. */
import { checkProject, type Diagnostic, type ProjectAnalysis } from '@svc/server/language'
import type { Workspace } from './workspace.ts'

/** By path, sorted by place; files without problems may be absent. */
export async function problemsOf(workspace: Workspace): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  return problemsWith(workspace, await workspace.analysis())
}

/** The same for who has the analysis at hand. */
export function problemsWith(
  { project, sources, sourceDiagnostics }: Workspace,
  analysis: ProjectAnalysis,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const checked = checkProject(project, analysis, sources)
  if (sourceDiagnostics.length === 0) return checked
  const all = new Map([...checked].map(([path, list]) => [path, [...list]]))
  for (const diagnostic of sourceDiagnostics) {
    const list = all.get(diagnostic.path) ?? []
    list.push(diagnostic)
    list.sort((a, b) => a.range.start - b.range.start)
    all.set(diagnostic.path, list)
  }
  return all
}
