/** Sends the OpenLineage events of a run where `svc.yaml` asks for it; what cannot be sent is said, and changes no exit code. */
import type { EventOf } from '@svc/server/contract'
import type { Heard } from '../engine/openlineage/heard.ts'
import type { PublishReport } from '../engine/publish/report.ts'
import type { EmitEvent, RunReport } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { wrap } from '../render/width.ts'
import type { CommandContext } from './command.ts'

/** Runs `work` with events that are listened to, and sends them at its end, also if it threw. */
export async function withLineageEvents<T extends { readonly report: RunReport } | PublishReport>(
  { output: { err } }: CommandContext,
  workspace: OpenedWorkspace,
  emit: EmitEvent,
  work: (emit: EmitEvent) => Promise<T>,
): Promise<T> {
  const { openlineage: settings } = workspace.project.settings
  const { environments = [workspace.environment.name] } = settings ?? {}
  if (settings === undefined || !environments.includes(workspace.environment.name)) return work(emit)
  const { listen: begin } = await import('../engine/openlineage/heard.ts')
  const run = begin(workspace.world.now)
  const died: EventOf<'recovered'>[] = []
  let report: RunReport | undefined
  try {
    const done = await work(event => {
      if (event.type === 'recovered') died.push(event)
      run.hear(event)
      emit(event)
    })
    if (!('report' in done)) run.reportPublish(done)
    else {
      report = done.report
      run.report(report)
    }
    return done
  } finally {
    for (const heard of [...(await heardOfDied(workspace, died, report)), run.heard()]) {
      if (heard === undefined) continue
      const { sendLineage } = await import('../engine/openlineage/send.ts')
      const sentence = await sendLineage(workspace, settings, heard)
      if (sentence !== undefined) err.lines(wrap(sentence, err.style.width))
    }
  }
}

/** The oldest first, as they would have been told. */
async function heardOfDied(
  { root, world }: OpenedWorkspace,
  died: readonly EventOf<'recovered'>[],
  report: RunReport | undefined,
): Promise<readonly (Heard | undefined)[]> {
  if (died.length === 0) return []
  const { heardOfStopped } = await import('../engine/openlineage/heard-of-stopped.ts')
  return died.toReversed().map(found => heardOfStopped(root, found, { now: world.now(), report }))
}
