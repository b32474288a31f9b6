/**
 * Transfers the state of a renamed project (`svc init --adopt`): its live views, builds and history continue
 * under the new name. No command may be running under the old name meanwhile.
 */
import { nearestNames } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Lease, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import type { World } from '../workspace/workspace.ts'
import { leaseHolder } from './begin-run.ts'

/**
 * Throws SvcError `wrong-usage` if there is no such state or this project has its own state, and
 * `lease-held`.
 */
export async function adoptState(
  session: WarehouseSession,
  warehouse: Warehouse,
  former: string,
  world: World,
): Promise<void> {
  await refuse(session, warehouse.project, former)
  const before = warehouse.ofProject(former)
  const runs = await before.stateOf(session).runs()
  const leases: Lease[] = []
  try {
    for (const environment of new Set(runs.map(run => run.environment)))
      leases.push(await before.acquireLease(environment, leaseHolder(world, world.newRunId(), 'init')))
    await session.state.adopt(former)
  } finally {
    for (const lease of leases) await lease.release()
  }
}

async function refuse({ state }: WarehouseSession, project: string, former: string): Promise<void> {
  const others = await state.otherProjects()
  if (former === project) {
    const names = others.map(name => `"${name}"`).join(', ')
    throw new SvcError('wrong-usage', `"${former}" is this project`, {
      hint:
        others.length === 0
          ? 'Nothing is to be adopted: no other project has state in this warehouse.'
          : `Name the project as it was called before. Others that have state: ${names}.`,
    })
  }
  if (!others.includes(former)) {
    const near = nearestNames(former, others).map(name => `"${name}"`)
    const known = near.length > 0 ? near : others.map(name => `"${name}"`)
    throw new SvcError('wrong-usage', `no project "${former}" has state in this warehouse`, {
      hint: known.length === 0 ? 'No other project has.' : `Others that have: ${known.join(', ')}.`,
    })
  }
  // A run that was refused, perhaps because of the other name, has made nothing that could be in the way.
  const hasRun = (await state.runs()).some(({ refused }) => refused !== true)
  if (hasRun || (await state.builds()).size > 0) {
    throw new SvcError('wrong-usage', `the project "${project}" has state of its own in this warehouse`, {
      hint: `Two histories cannot be one: adopt before the first run, or keep the name "${former}".`,
    })
  }
}
