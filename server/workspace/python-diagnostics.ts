/** Checks the Python of a project. The tools are loaded for the first asset with Python. */
import { type Diagnostic, type Project, pythonProblems } from '../language/index.ts'

const nothing: readonly Diagnostic[] = []

/** Returns diagnostics in path order; the Python of an asset from the cache is read from its file. */
export async function pythonDiagnostics(project: Project): Promise<readonly Diagnostic[]> {
  const assets = [...project.assets.values()].filter(asset => asset.hasPython === true)
  if (assets.length === 0) return nothing
  const { openPython } = await import('../python/index.ts')
  const tools = await openPython()
  return assets.flatMap(asset => pythonProblems(asset, tools))
}
