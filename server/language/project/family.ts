/**
 * Groups snapshots that were made from one another into a family. Incremental results (of the checks) keep
 * their last state per family, so that two open projects do not disturb each other.
 */
import type { Project } from './project.ts'

const families = new WeakMap<Project, object>()

/** Returns the same object for all snapshots of a family. */
export function familyOf(project: Project): object {
  const known = families.get(project)
  if (known !== undefined) return known
  const family = {}
  families.set(project, family)
  return family
}

/** Adds `child` to the family of `parent`. */
export function adopt(parent: Project, child: Project): Project {
  families.set(child, familyOf(parent))
  return child
}
