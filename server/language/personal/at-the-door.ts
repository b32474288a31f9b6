/**
 * Which policies watch what leaves the project: those that apply to the asset, and those whose `applies_to` names
 * the target as `publish.<target>`.
 */
import type { Policy } from '../glossary/glossary.ts'
import { matches } from '../glossary/patterns.ts'
import { appliesTo, type PolicySubject } from '../glossary/terms.ts'
import type { Project } from '../project/project.ts'

/** Returns the name of a target in patterns of policies and in selectors of people. */
export function doorOf(target: string): string {
  return `publish.${target}`
}

export function watchesDoor(policy: Pick<Policy, 'appliesTo'>, target: string): boolean {
  return policy.appliesTo.some(pattern => matches(pattern, doorOf(target)))
}

export function appliesAtDoor(
  policy: Pick<Policy, 'appliesTo'>,
  project: Pick<Project, 'settings'>,
  asset: PolicySubject,
  target: string,
): boolean {
  return watchesDoor(policy, target) || appliesTo(policy, project, asset)
}
