/** The file at a path that has SQL: an asset, or `glossary.yaml` with the SQL of its metrics. */
import { glossaryPath } from '../../glossary/glossary.ts'
import { glossaryAsset } from '../../glossary/metric-asset.ts'
import type { Asset, Project } from '../../project/project.ts'

export function sqlFileAt(project: Project, path: string): Asset | undefined {
  return path === glossaryPath ? glossaryAsset(project) : project.assets.get(path)
}
