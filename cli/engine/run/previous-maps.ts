/**
 * Finds the map that a rollback makes live (decisions 2). Previews, failed runs and runs that changed nothing
 * do not count.
 */
import type { Hint } from '@svc/server/language'
import { SvcError, unknownAsset } from '../errors.ts'
import { readRunMaps } from '../state/reachable-builds.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface RollbackRequest {
  /** Undefined means the complete map of the previous generation. */
  readonly names?: readonly string[]
  /** The run id of the deployment whose map becomes live again; cannot be combined with `names`. */
  readonly to?: string
}

/** Throws SvcError `nothing-to-roll-back`, `unknown-run`, `unknown-asset`. */
export function rollbackMap(
  session: WarehouseSession,
  state: StateSnapshot,
  workspace: Workspace,
  { names, to }: RollbackRequest,
): Promise<Map<string, BuildRecord>> {
  return names === undefined
    ? previousMap(session, state, to)
    : previousBuilds(session, state, names, workspace)
}

/** Returns the map of the generation before the live one, or of the deployment `to`. */
async function previousMap(
  session: WarehouseSession,
  state: StateSnapshot,
  to?: string,
): Promise<Map<string, BuildRecord>> {
  if (state.generation === 0) throw nothingToRollBack('nothing was ever deployed')
  const earlier =
    to === undefined
      ? (await deployments(session, state)).find(({ generation }) => generation < state.generation)
      : await deploymentOf(session, state, to)
  if (earlier === undefined) throw nothingToRollBack('there is only one deployment so far')
  const map =
    (await readRunMaps(session.state, [earlier.runId])).get(earlier.runId) ?? new Map<string, string>()
  if (to !== undefined && isLive(state, map)) throw nothingToRollBack(`what run ${to} deployed is live`)
  return buildsOf(state, map, earlier.runId)
}

function isLive({ live }: StateSnapshot, map: ReadonlyMap<string, string>): boolean {
  return map.size === live.size && [...map].every(([name, key]) => live.get(name)?.build_key === key)
}

interface Deployment {
  readonly runId: string
  readonly generation: number
}

/** Throws SvcError `unknown-run`, or `nothing-to-roll-back` if that run deployed nothing here or is live. */
async function deploymentOf(
  session: WarehouseSession,
  state: StateSnapshot,
  runId: string,
): Promise<Deployment> {
  const run = (await session.state.runs()).find(each => each.run_id === runId)
  if (run === undefined || run.environment !== state.environment) {
    throw new SvcError('unknown-run', `${state.environment} knows no run "${runId}"`, {
      hint: 'svc logs --list shows runs; older ones are forgotten with their builds.',
    })
  }
  if (run.status !== 'deployed' || run.generation === null) {
    throw nothingToRollBack(`run ${runId} deployed nothing`)
  }
  return { runId, generation: run.generation }
}

/**
 * Returns the deployments, newest generation first, each generation once: a run that changed nothing repeats
 * its generation.
 */
async function deployments(session: WarehouseSession, state: StateSnapshot): Promise<Deployment[]> {
  const byGeneration = new Map<number, string>()
  for (const run of await session.state.runs()) {
    if (run.environment !== state.environment || run.status !== 'deployed' || run.generation === null)
      continue
    if (!byGeneration.has(run.generation)) byGeneration.set(run.generation, run.run_id)
  }
  return [...byGeneration]
    .map(([generation, runId]) => ({ generation, runId }))
    .toSorted((a, b) => b.generation - a.generation)
}

/** Returns the builds of a map. Throws SvcError `nothing-to-roll-back` if one of them was deleted; `hint`: what to do then. */
export function buildsOf(
  state: StateSnapshot,
  keys: ReadonlyMap<string, string>,
  runId: string,
  hint?: Hint,
): Map<string, BuildRecord> {
  const map = new Map<string, BuildRecord>()
  for (const [name, key] of keys) {
    const build = state.builds.get(key)
    if (build === undefined) throw collected(name, runId, hint)
    map.set(name, build)
  }
  return map
}

/** Returns the live map, with the named assets on the build that was live before their present one. */
async function previousBuilds(
  session: WarehouseSession,
  state: StateSnapshot,
  names: readonly string[],
  { project }: Workspace,
): Promise<Map<string, BuildRecord>> {
  const live = new Map([...state.live].map(([name, { build_key }]) => [name, build_key]))
  const map = buildsOf(state, live, 'now live')
  const earlier = (await deployments(session, state)).slice(0, generationsLookedAt)
  const maps = await readRunMaps(
    session.state,
    earlier.map(({ runId }) => runId),
  )
  for (const name of names) {
    map.set(name, previousBuild(state, name, earlier, maps, project.byName.has(name)))
  }
  return map
}

/** This is more than any `deploy.keep` in practice; older generations were deleted. */
const generationsLookedAt = 50

function previousBuild(
  state: StateSnapshot,
  name: string,
  earlier: readonly Deployment[],
  maps: ReadonlyMap<string, ReadonlyMap<string, string>>,
  isInProject: boolean,
): BuildRecord {
  const live = state.live.get(name)?.build_key
  for (const { runId } of earlier) {
    const key = maps.get(runId)?.get(name)
    if (key === undefined || key === live) continue
    const build = state.builds.get(key)
    if (build === undefined) throw collected(name, runId)
    return build
  }
  if (live !== undefined) throw nothingToRollBack(`"${name}" has only ever had its present build`, name)
  if (isInProject) throw nothingToRollBack(`"${name}" was never deployed`, name)
  throw unknownAsset(name)
}

/** `asset`: the one that was named; undefined for all. */
function nothingToRollBack(why: string, asset?: string): SvcError {
  return new SvcError('nothing-to-roll-back', `nothing to roll back: ${why}`, {
    hint: svc =>
      asset === undefined
        ? `${svc('status')} shows what is deployed.`
        : `${svc(`versions ${asset}`)} lists what was deployed.`,
  })
}

function collected(name: string, runId: string, hint?: Hint): SvcError {
  return new SvcError('nothing-to-roll-back', `the build of "${name}" in run ${runId} was collected`, {
    hint:
      hint ??
      (svc =>
        `${svc(`versions ${name}`)} lists what else was deployed; deploy.keep says how many archives are kept.`),
  })
}
