/**
 * Snapshots that were made from one another are a family. What is worked out step by step (the checks) keeps its last
 * state by family, so that two projects side by side do not disturb each other.
 */
import type { Project } from './project.ts'

const families = new WeakMap<Project, object>()

/** The same object for all snapshots of a family. */
export function familyOf(project: Project): object {
  const known = families.get(project)
  if (known !== undefined) return known
  const family = {}
  families.set(project, family)
  return family
}

/** `child` belongs to the family of `parent`. */
export function adopt(parent: Project, child: Project): Project {
  families.set(child, familyOf(parent))
  return child
}
