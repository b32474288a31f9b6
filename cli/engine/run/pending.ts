/** Who waits for whom in a run: so that what is shown while it works says what comes next. */
import type { Project } from '@svc/server/language'
import type { EmitEvent } from './events.ts'

/** `builds`: what is to be built, parents first. Says nothing where there is nothing. */
export function sayPending(project: Project, builds: readonly string[], emit: EmitEvent): void {
  if (builds.length === 0) return
  const own = new Set(builds)
  const assets = builds.map(asset => ({
    asset,
    after: project.parents(asset).filter(parent => own.has(parent)),
  }))
  emit({ type: 'pending', assets })
}
