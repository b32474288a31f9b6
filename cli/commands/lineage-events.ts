/** Sends the OpenLineage events of a run where `svc.yaml` asks for it; what cannot be sent is said, and changes no exit code. */
import type { EmitEvent, RunReport } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { wrap } from '../render/width.ts'
import type { CommandContext } from './command.ts'

/** Runs `work` with events that are listened to, and sends them at its end, also if it threw. */
export async function withLineageEvents<T extends { readonly report: RunReport }>(
  { output: { err } }: CommandContext,
  workspace: OpenedWorkspace,
  emit: EmitEvent,
  work: (emit: EmitEvent) => Promise<T>,
): Promise<T> {
  const { openlineage: settings } = workspace.project.settings
  const { environments = [workspace.environment.name] } = settings ?? {}
  if (settings === undefined || !environments.includes(workspace.environment.name)) return work(emit)
  const { listen } = await import('../engine/openlineage/heard.ts')
  const run = listen(workspace.world.now)
  try {
    const done = await work(event => {
      run.hear(event)
      emit(event)
    })
    run.report(done.report)
    return done
  } finally {
    const heard = run.heard()
    if (heard !== undefined) {
      const { sendLineage } = await import('../engine/openlineage/send.ts')
      const sentence = await sendLineage(workspace, settings, heard)
      if (sentence !== undefined) err.lines(wrap(sentence, err.style.width))
    }
  }
}
