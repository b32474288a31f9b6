/** Returns all problems of a workspace's files, as `projectProblems` finds them. */
import type { Diagnostic, ProjectAnalysis } from '@svc/server/language'
import { projectProblems } from '@svc/server/workspace'
import type { Workspace } from './workspace.ts'

/** Returns problems by path, sorted by place; files without problems may be absent. */
export async function problemsOf(workspace: Workspace): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  return problemsWith(workspace, await workspace.analysis())
}

/** The same with an existing analysis. */
export function problemsWith(
  workspace: Workspace,
  analysis: ProjectAnalysis,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const { project, sources, sourceDiagnostics } = workspace
  const isClean = workspace.cleanAssets?.()
  return projectProblems({ project, analysis, sources, sourceDiagnostics, isClean })
}
