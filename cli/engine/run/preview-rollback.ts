/**
 * Returns what a rollback would change now (`svc rollback --dry-run`). It reads the state tables and changes
 * nothing.
 */
import { SvcError } from '../errors.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions } from './begin-run.ts'
import type { EmitEvent } from './events.ts'
import { previousBuilds, previousMap } from './previous-maps.ts'
import type { RollbackRequest } from './rollback.ts'

export interface RollbackChange {
  readonly name: string
  /** The definition hash of the live build; undefined if the asset is not live. */
  readonly from: string | undefined
  /** The definition hash of the build to return to; undefined if the asset would no longer be live. */
  readonly to: string | undefined
  /** ISO 8601 UTC time at which the build to return to was made. */
  readonly builtAt: string | undefined
}

/** Returns the assets whose live build would change, by name. Throws the same SvcErrors as a rollback. */
export async function previewRollback(
  workspace: Workspace,
  { names, to }: RollbackRequest,
  emit: EmitEvent,
): Promise<readonly RollbackChange[]> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', openOptions(workspace, emit))
  if (session === undefined) {
    throw new SvcError('nothing-to-roll-back', 'nothing to roll back: nothing was ever deployed', {
      hint: 'svc run deploys.',
    })
  }
  try {
    const state = await session.state.read(workspace.environment.stateName)
    const map =
      names === undefined
        ? await previousMap(session, state, to)
        : await previousBuilds(session, state, names, workspace)
    return changesOf(state, map)
  } finally {
    await session.close()
  }
}

function changesOf({ live }: StateSnapshot, map: ReadonlyMap<string, BuildRecord>): RollbackChange[] {
  return [...new Set([...live.keys(), ...map.keys()])]
    .filter(name => live.get(name)?.build_key !== map.get(name)?.build_key)
    .sort()
    .map(name => ({
      name,
      from: live.get(name)?.definition_hash,
      to: map.get(name)?.definition_hash,
      builtAt: map.get(name)?.created_at,
    }))
}
