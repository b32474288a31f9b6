/**
 * Groups snapshots that were made from one another into a family. Incremental results (of the checks) keep
 * their last state per family, so that two open projects do not disturb each other.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Project } from './project.ts'

const families = new WeakMap<Project, object>()

/** Returns the same object for all snapshots of a family. */
export function familyOf(project: Project): object {
  return getOrInsertComputed(families, project, () => ({}))
}

/** Adds `child` to the family of `parent`. */
export function adopt(parent: Project, child: Project): Project {
  families.set(child, familyOf(parent))
  return child
}
