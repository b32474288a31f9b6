/**
 * Finds environments that garbage collection may delete: `dev` schemas of git branches in which nobody ran
 * anything for 30 days (decisions 2, "Schemas"), and runs of any environment whose processes died. Each is
 * changed under its own lease, and skipped if another process holds it.
 */
import { isStateOfDev } from '@svc/server/workspace'
import { finishHistory, forgetEnvironment } from '../state/changes.ts'
import { killedError } from '../state/killed-runs.ts'
import type { RunSummary } from '../state/state.ts'
import type { LeaseHolder, Relation, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { damagedViews } from './foreign-objects.ts'

export interface UnusedEnvironment {
  /** The name in the state tables. */
  readonly name: string
  /** Those that are as svc made them. */
  readonly views: readonly Relation[]
  readonly unusedDays: number
}

const unusedDays = 30
const dayMs = 24 * 3_600_000

export async function findUnused(
  session: WarehouseSession,
  { project, environment, world }: Workspace,
  runs: readonly RunSummary[],
): Promise<UnusedEnvironment[]> {
  const newest = new Map<string, number>()
  for (const run of runs) {
    const at = Date.parse(run.started_at)
    newest.set(run.environment, Math.max(at, newest.get(run.environment) ?? 0))
  }
  const old = [...newest].flatMap(([name, at]) => {
    const days = Math.floor((world.now().getTime() - at) / dayMs)
    const isBranch = isStateOfDev(name, project.settings)
    return isBranch && name !== environment.stateName && days >= unusedDays ? [{ name, days }] : []
  })
  return Promise.all(
    old.map(async ({ name, days }) => ({
      name,
      unusedDays: days,
      views: (await viewsOf(session, name)).own,
    })),
  )
}

/** Returns the views of an environment that are as svc made them, and the schemas of all that it made. */
async function viewsOf(session: WarehouseSession, environment: string) {
  const state = await session.state.read(environment, { historyLimit: 1 })
  const damaged = await damagedViews(session, state)
  const views = [...state.views].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    own: views.flatMap(([asset, view]) => (damaged.has(asset) ? [] : [view])),
    schemas: new Set(views.map(([, { schema }]) => schema)),
  }
}

/**
 * Drops the views first, but for those that somebody replaced by his own, then every record of the environment; its builds are
 * garbage from then on. Returns false if another process holds the lease.
 */
export async function dropUnused(
  session: WarehouseSession,
  warehouse: Warehouse,
  { name }: UnusedEnvironment,
  holder: LeaseHolder,
): Promise<boolean> {
  return whileHeld(warehouse, name, holder, async () => {
    const { own, schemas } = await viewsOf(session, name)
    if (own.length > 0) await session.dropRelations(own.map(relation => ({ relation, kind: 'view' })))
    await session.state.commit(forgetEnvironment(name))
    // A schema that contains other people's relations is kept.
    for (const schema of schemas) {
      if ((await session.relations(schema)).length === 0) await session.dropSchema(schema)
    }
  })
}

/**
 * Ends those of the runs, of other environments, that still have the status `running` although their process died. Returns
 * how many these were.
 */
export async function endDeadRuns(
  session: WarehouseSession,
  warehouse: Warehouse,
  { environment, world }: Workspace,
  runs: readonly RunSummary[],
  holder: LeaseHolder,
): Promise<number> {
  const running = runs.filter(run => run.status === 'running' && run.environment !== environment.stateName)
  let ended = 0
  for (const name of new Set(running.map(run => run.environment))) {
    await whileHeld(warehouse, name, holder, async () => {
      const dead = (await session.state.history(name, 1)).filter(({ status }) => status === 'running')
      const finished_at = world.now().toISOString()
      const ends = dead.flatMap(run =>
        finishHistory({
          ...run,
          status: 'Failed',
          finished_at,
          error: killedError('unknown'),
        }),
      )
      if (ends.length > 0) await session.state.commit(ends)
      ended += dead.length
    })
  }
  return ended
}

async function whileHeld(
  warehouse: Warehouse,
  environment: string,
  holder: LeaseHolder,
  work: () => Promise<void>,
): Promise<boolean> {
  const lease = await warehouse.acquireLease(environment, holder).catch(() => undefined)
  if (lease === undefined) return false
  try {
    await work()
    return true
  } finally {
    await lease.release()
  }
}
