/** Checks that a selected asset reads unselected ones only if these have a live build (decisions 2). */
import type { Project } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { StateSnapshot } from '../state/state.ts'

export function checkParents(
  project: Project,
  state: StateSnapshot,
  names: readonly string[],
  environment: string,
): void {
  const selected = new Set(names)
  for (const name of names) {
    const missing = project.parents(name).filter(parent => !selected.has(parent) && !state.live.has(parent))
    if (missing.length === 0) continue
    throw new SvcError(
      'parent-not-built',
      `"${name}" reads ${missing.map(parent => `"${parent}"`).join(', ')}, never built in ${environment}`,
      {
        hint: svc => `Build what it reads first: ${svc(`run +${name}`)}.`,
        asset: name,
        place: project.byName.get(name)?.path,
      },
    )
  }
}
