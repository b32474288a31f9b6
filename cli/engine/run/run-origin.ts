/** Says who started a run and which commit it ran, for its row in the history (decisions 8). */
import { gitCommit } from '@svc/server/workspace'
import type { HistoryRecord } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Programs that start svc for somebody set this variable: `editor`, `dashboard`, the name of a scheduler. */
export const triggerVariable = 'SVC_TRIGGER'

export function runOrigin({ root, world }: Workspace): Pick<HistoryRecord, 'trigger' | 'git_commit'> {
  return { trigger: triggerOf(world.env), git_commit: gitCommit(root) ?? null }
}

function triggerOf(env: Readonly<Record<string, string | undefined>>): string {
  const named = env[triggerVariable] ?? ''
  if (/^[\w.:/-]{1,60}$/.test(named)) return named
  return (env['CI'] ?? '') === '' ? 'cli' : 'ci'
}
