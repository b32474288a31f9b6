/**
 * Returns what a rollback would change now (`svc rollback --dry-run`). It reads the state tables and changes
 * nothing.
 */
import { changedKeys } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type DefinitionChange, definitionChanges, withoutRows } from '../plan/definition-changes.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions, withReadSession } from './begin-run.ts'
import { viewsOf } from './deploy-map.ts'
import type { EmitEvent } from './events.ts'
import { checkProduction } from './foreign-objects.ts'
import { type RollbackRequest, rollbackMap } from './previous-maps.ts'
import { viewRepairs } from './repairs.ts'

export interface RollbackChange {
  readonly name: string
  /** The definition hash of the live build; undefined if the asset is not live. */
  readonly from: string | undefined
  /** The definition hash of the build to return to; undefined if the asset would no longer be live. */
  readonly to: string | undefined
  /** ISO 8601 UTC time at which the build to return to was made. */
  readonly builtAt: string | undefined
  /** Undefined if they were not counted, or there is no such build. */
  readonly rows: { readonly from: number | undefined; readonly to: number | undefined }
  /** The columns that the version to return to has, and the live one does not; and the other way round. */
  readonly columns: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** The keys that differ; none if the definition is the same or not known any more. */
  readonly definitionChanges: readonly DefinitionChange[]
}

export interface RollbackPreview {
  /** The assets whose live build would change, by name. */
  readonly changes: readonly RollbackChange[]
  /** What somebody did to views that it would put in their place. */
  readonly repairs: ReturnType<typeof viewRepairs>
}

/** Throws the same SvcErrors as a rollback. */
export async function previewRollback(
  workspace: Workspace,
  request: RollbackRequest,
  emit: EmitEvent,
): Promise<RollbackPreview> {
  return withReadSession(workspace, openOptions(workspace, emit), async session => {
    if (session === undefined)
      throw new SvcError('nothing-to-roll-back', 'nothing to roll back: nothing was ever deployed', {
        hint: svc => `${svc('run')} deploys.`,
      })
    const state = await session.state.read(workspace.environment.stateName)
    const map = await rollbackMap(session, state, workspace, request)
    const known = await session.state.definitions(changedHashes(state, map))
    const { damaged } = await checkProduction(session, state, viewsOf(workspace, map))
    return { changes: changesOf(state, map, known), repairs: viewRepairs(damaged) }
  })
}

type BuildMap = ReadonlyMap<string, BuildRecord>

/** Only definitions that differ are compared. */
function changedHashes({ live }: StateSnapshot, map: BuildMap): string[] {
  return [...map].flatMap(([name, { definition_hash: to }]) => {
    const from = live.get(name)?.definition_hash
    return from === undefined || from === to ? [] : [from, to]
  })
}

function changesOf(
  state: StateSnapshot,
  map: BuildMap,
  definitions: ReadonlyMap<string, string>,
): RollbackChange[] {
  const { live, builds } = state
  return [...new Set([...live.keys(), ...map.keys()])]
    .filter(name => live.get(name)?.build_key !== map.get(name)?.build_key)
    .sort()
    .map(name => {
      const [now, then] = [builds.get(live.get(name)?.build_key ?? ''), map.get(name)]
      const [from, to] = [live.get(name)?.definition_hash, then?.definition_hash]
      return {
        name,
        from,
        to,
        builtAt: then?.created_at,
        rows: { from: now?.rows ?? undefined, to: then?.rows ?? undefined },
        columns: columnsBetween(now, then),
        definitionChanges: changesBetween(definitions.get(from ?? ''), definitions.get(to ?? '')),
      }
    })
}

function columnsBetween(now: BuildRecord | undefined, then: BuildRecord | undefined) {
  if (now === undefined || then === undefined) return { added: [], removed: [] }
  const namesOf = ({ columns }: BuildRecord) => new Set(columns.map(({ name }) => name))
  const [before, after] = [namesOf(now), namesOf(then)]
  return {
    added: [...after].filter(name => !before.has(name)),
    removed: [...before].filter(name => !after.has(name)),
  }
}

function changesBetween(from: string | undefined, to: string | undefined): readonly DefinitionChange[] {
  if (from === undefined || to === undefined) return []
  return definitionChanges(from, to, changedKeys(from, to)).map(withoutRows)
}
