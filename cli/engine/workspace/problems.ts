/** All problems of a project's files: of syntax, schema, checks, SQL, and of what its sources hold. */
import { checkProject, type Diagnostic } from '@svc/server/language'
import type { OpenedWorkspace } from './open-workspace.ts'

/** By path, sorted by place; files without problems may be absent. */
export async function problemsOf(
  workspace: OpenedWorkspace,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const analysis = await workspace.analysis()
  const checked = checkProject(workspace.project, analysis, workspace.sources)
  if (workspace.sourceDiagnostics.length === 0) return checked
  const all = new Map([...checked].map(([path, list]) => [path, [...list]]))
  for (const diagnostic of workspace.sourceDiagnostics) {
    const list = all.get(diagnostic.path) ?? []
    list.push(diagnostic)
    list.sort((a, b) => a.range.start - b.range.start)
    all.set(diagnostic.path, list)
  }
  return all
}
