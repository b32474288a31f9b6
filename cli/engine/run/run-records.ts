/** A run writes down at its end how its tests went, the definitions of its builds, and which records contracts refused. */
import type { FetchedSource } from '../ingest/source.ts'
import { loadKey } from '../plan/identities.ts'
import type { TestRecord } from '../state/state.ts'
import { deleteRefused, insertDefinitions, insertTestResults } from '../state/statements.ts'
import type { Statement, WarehouseSession } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { PreparedRun } from './prepare-run.ts'
import { refusedStatements } from './rejected-rows.ts'
import type { Run } from './run.ts'

export function recordStatements(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  tests: readonly TestRecord[],
): Statement[] {
  const { stateName } = run.workspace.environment
  return [
    ...rejectStatements(session, run),
    ...insertTestResults(session.dialect, stateName, tests),
    ...definitionStatements(session, run, prepared),
  ]
}

/** Refused records are kept to be looked at, until their asset is loaded again. */
function rejectStatements(session: WarehouseSession, { workspace, runId, progress }: Run): Statement[] {
  const { stateName: environment } = workspace.environment
  const now = workspace.world.now()
  const loaded = [...progress.assets].filter(([, { build }]) => build !== undefined).map(([name]) => name)
  return [
    ...deleteRefused(session.dialect, environment, loaded),
    ...[...progress.refused].flatMap(([asset, refused]) =>
      refusedStatements(session.dialect, refused, { environment, runId, asset, now }),
    ),
  ]
}

function definitionStatements(
  session: WarehouseSession,
  { progress }: Run,
  { names, state, identities }: PreparedRun,
): Statement[] {
  const built = names.filter(name => progress.assets.get(name)?.build?.run_id !== undefined)
  const fresh = built.filter(
    name => state.live.get(name)?.definition_hash !== identities.definitionHash(name),
  )
  return insertDefinitions(
    session.dialect,
    fresh.map(name => ({
      definition_hash: identities.definitionHash(name),
      definition: identities.canonical(name),
    })),
  )
}

/** Keys of the loads that this run has made, by asset. */
export function newLoads(
  { progress }: Run,
  { identities }: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): Map<string, string> {
  const loads = new Map<string, string>()
  for (const [name, { loadId }] of fetched) {
    if (progress.assets.get(name)?.status === 'built')
      loads.set(name, loadKey(name, identities, loadId, sha256))
  }
  return loads
}
