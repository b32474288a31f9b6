import { materializationOf } from '../materialize/index.ts'
import type { Asset, Project } from '../project/project.ts'
import type { ProjectFacts } from './project-facts.ts'

/**
 * Returns whether any other asset reads this one, in its SQL or in a test; undefined if production exposes
 * it, so that it needs no readers.
 */
export function hasReaders(asset: Asset, project: Project, facts: ProjectFacts): boolean | undefined {
  if (materializationOf(asset.definition.deploy.materialize).isPublished) return undefined
  return project.children(asset.name).length > 0 || facts.isReadByTests(asset.name)
}
