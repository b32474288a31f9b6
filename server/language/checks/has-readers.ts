import type { Asset, Project } from '../project/project.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Whether any other asset reads this one, in its SQL or in a test; undefined: it is not ephemeral, nobody has to. */
export function hasReaders(asset: Asset, project: Project, facts: ProjectFacts): boolean | undefined {
  if (asset.definition.deploy.materialize !== 'ephemeral') return undefined
  return project.children(asset.name).length > 0 || facts.isReadByTests(asset.name)
}
