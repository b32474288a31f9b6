/** What is wrong with the Python of a project. Python's tools are loaded when the first asset has some. */
import { type Asset, type Diagnostic, type Project, pythonProblems } from '../language/index.ts'

const nothing: readonly Diagnostic[] = []

/** In path order; `python` of an asset that was kept from the last start is read from its file. */
export async function pythonDiagnostics(project: Project): Promise<readonly Diagnostic[]> {
  const assets = [...project.assets.values()].filter(asset => asset.hasPython === true)
  if (assets.length === 0) return nothing
  const { openPython } = await import('../python/index.ts')
  const tools = await openPython()
  return assets.flatMap(asset => {
    const found = known.get(asset) ?? pythonProblems(asset, tools)
    known.set(asset, found)
    return found
  })
}

/** An editor asks again at every keystroke. */
const known = new WeakMap<Asset, readonly Diagnostic[]>()
