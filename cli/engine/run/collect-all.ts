/**
 * Garbage collection, by `svc gc` and at the end of every successful run: deletes everything that is no
 * longer needed, in the warehouse and in `.svc/` (decisions 2, "Collection"). It can also report this without
 * deleting anything.
 */
import { replaceCopies } from '../artifacts/copies.ts'
import { deleteUnused } from '../state/changes.ts'
import type { RunSummary } from '../state/state.ts'
import type { Inventory, LeaseHolder, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { leaseHolder } from './begin-run.ts'
import { dropGarbage, findGarbage, type Garbage } from './collect-garbage.ts'
import type { EmitEvent } from './events.ts'
import {
  findLeftoverFiles,
  foldersOfEnvironments,
  type LeftoverFile,
  removeLeftoverFiles,
} from './leftover-files.ts'
import { trimHistory } from './trim-history.ts'
import { dropUnused, endDeadRuns, findUnused, type UnusedEnvironment } from './unused-environments.ts'

export interface Collection extends Pick<Garbage, 'relations' | 'schemas'> {
  readonly environments: readonly UnusedEnvironment[]
  readonly files: readonly LeftoverFile[]
  /**
   * The results of tests of assets that are neither in the project nor live, and definition texts without a
   * build.
   */
  readonly records: number
}

export interface CollectWork {
  readonly session: WarehouseSession
  readonly workspace: Workspace
  readonly warehouse: Warehouse
  /** The run id with which leases of other environments are taken. */
  readonly runId: string
  /** Of a run that changed nothing, so that there is hardly anything to delete. */
  readonly idle?: IdleRun | undefined
}

/** A run that changed nothing. */
export interface IdleRun {
  /**
   * What it found when it began, so that it does not ask again: of 10,000 tables that costs 0.25 s. What another environment made
   * since is not in it, and is nothing to delete.
   */
  readonly inventory: Inventory | undefined
}

/** One run in this many tidies the tables, and of those that change nothing shortens the maps of old runs. */
const tidyRuns = 8

/** Returns what `collectAll` would delete now. */
export async function planCollection({ session, workspace, warehouse }: CollectWork): Promise<Collection> {
  const runs = await session.state.runs()
  const environments = await findUnused(session, workspace, runs)
  const garbage = await findGarbage(session, workspace, new Set(environments.map(({ name }) => name)))
  const files = [
    ...(await findLeftoverFiles(workspace, warehouse)),
    ...foldersOfEnvironments(workspace.root, environments),
  ]
  return { ...garbage, environments, files, records: await session.state.count(unusedRecords(workspace)) }
}

/**
 * Deletes what is no longer needed. What another process uses is kept and not reported. `thorough`: also
 * searches for old records if no build and no environment is deleted.
 */
export async function collectAll(work: CollectWork, thorough = false): Promise<Collection> {
  const { session, workspace, warehouse } = work
  const holder = leaseHolder(workspace.world, work.runId, 'gc')
  const runs = await runsThatEnded(work, holder)
  const unused = await findUnused(session, workspace, runs)
  const files = await findLeftoverFiles(workspace, warehouse)
  const environments: UnusedEnvironment[] = []
  for (const each of unused) if (await dropUnused(session, warehouse, each, holder)) environments.push(each)
  files.push(...foldersOfEnvironments(workspace.root, environments))
  const ended = new Set(environments.map(({ name }) => name))
  const remaining = runs.filter(({ environment }) => !ended.has(environment))
  const tidies = thorough || remaining.length % tidyRuns === 0
  if (tidies || work.idle === undefined) await trimHistory(session, workspace, remaining)
  if (work.idle !== undefined) session.settle?.(tidies)
  const garbage = await findGarbage(session, workspace, new Set(), work.idle?.inventory)
  const dropped = await dropGarbage(session, garbage)
  const isMore = thorough || garbage.builds.length + environments.length > 0
  const unusedOnes = unusedRecords(workspace)
  const records = isMore ? await session.state.count(unusedOnes) : 0
  if (records > 0) await session.state.commit(unusedOnes)
  await replaceCopies(workspace, [...ended])
  await removeLeftoverFiles(workspace.root, files)
  await warehouse.freeDeadLeases(holder)
  session.settle?.(tidies)
  return { ...dropped, environments, files, records }
}

/** Tells what was deleted, if anything was. */
export function tellCollected({ relations, schemas }: Collection, emit: EmitEvent): void {
  if (relations.length + schemas.length > 0)
    emit({ type: 'collected', relations: relations.length, schemas: schemas.length })
}

/** Returns all runs, after those whose processes died have got an end. */
async function runsThatEnded(
  { session, workspace, warehouse }: CollectWork,
  holder: LeaseHolder,
): Promise<readonly RunSummary[]> {
  const runs = await session.state.runs()
  const ended = await endDeadRuns(session, warehouse, workspace, runs, holder)
  return ended === 0 ? runs : session.state.runs()
}

function unusedRecords({ project }: Workspace) {
  return deleteUnused([...project.byName.keys()])
}
