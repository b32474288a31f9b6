/** Reports which assets wait for which others, so that the progress display can show what comes next. */
import type { Project } from '@svc/server/language'
import type { EmitEvent } from './events.ts'

/** Emits the event for `builds`, the assets to build, parents first. Emits nothing if there are none. */
export function sayPending(project: Project, builds: readonly string[], emit: EmitEvent): void {
  if (builds.length === 0) return
  const own = new Set(builds)
  const assets = builds.map(asset => ({
    asset,
    after: project.parents(asset).filter(parent => own.has(parent)),
  }))
  emit({ type: 'pending', assets })
}
