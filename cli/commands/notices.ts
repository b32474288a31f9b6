/** Tells the notifiers of `svc.yaml` what a command has found; what cannot be told is said, and changes no exit code. */

import type { FreshnessRow } from '../engine/quality/freshness-report.ts'
import type { EmitEvent, RunReport } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { wrap } from '../render/width.ts'
import type { CommandContext } from './command.ts'

/** Runs `work` with events that are listened to, and tells of its end, also if it threw. */
export async function withNotices<T extends { readonly report: Pick<RunReport, 'assets'> }>(
  context: CommandContext,
  workspace: OpenedWorkspace,
  emit: EmitEvent,
  work: (emit: EmitEvent) => Promise<T>,
): Promise<T> {
  if (!hasNotifiers(workspace)) return work(emit)
  const { collectRun } = await import('../engine/notify/problems.ts')
  let names: readonly string[] = []
  const run = collectRun(() => names)
  const heard: EmitEvent = event => {
    run.hear(event)
    emit(event)
  }
  try {
    const done = await work(heard)
    names = done.report.assets.map(({ name }) => name)
    return done
  } finally {
    const found = run.found()
    if (found !== undefined) await tell(context, workspace, found)
  }
}

export async function noticeFreshness(
  context: CommandContext,
  workspace: OpenedWorkspace,
  rows: readonly FreshnessRow[],
): Promise<void> {
  if (!hasNotifiers(workspace)) return
  const { staleOf } = await import('../engine/notify/problems.ts')
  await tell(context, workspace, staleOf(rows))
}

function hasNotifiers({ project }: OpenedWorkspace): boolean {
  return Object.keys(project.settings.notify).length > 0
}

async function tell(
  { output: { err } }: CommandContext,
  workspace: OpenedWorkspace,
  found: Parameters<typeof import('../engine/notify/notify.ts').notify>[1],
): Promise<void> {
  const { notify } = await import('../engine/notify/notify.ts')
  for (const sentence of await notify(workspace, found)) err.lines(wrap(sentence, err.style.width))
}
