/**
 * `svc gc`: runs garbage collection alone, under the lease of the environment, or reports what it would
 * delete.
 */
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions, openState, withLease, withReadSession, withSession } from './begin-run.ts'
import { type Collection, collectAll, planCollection } from './collect-all.ts'
import type { EmitEvent } from './events.ts'

export interface GcReport extends Collection {
  readonly dryRun: boolean
  /** The approximate size on disk in bytes, by `schema.name`. */
  readonly sizes: ReadonlyMap<string, number>
  readonly seconds: number
}

/** Throws SvcError `lease-held`. A dry run takes no lease and changes nothing. */
export async function gc(workspace: Workspace, dryRun: boolean, emit: EmitEvent): Promise<GcReport> {
  const started = performance.now()
  const found = dryRun ? await look(workspace, emit) : await collect(workspace, emit)
  return { ...found, dryRun, seconds: (performance.now() - started) / 1000 }
}

type Found = Collection & Pick<GcReport, 'sizes'>

const nothing: Found = {
  relations: [],
  schemas: [],
  environments: [],
  files: [],
  records: 0,
  sizes: new Map(),
}

async function look(workspace: Workspace, emit: EmitEvent): Promise<Found> {
  const warehouse = await workspace.warehouse()
  return withReadSession(workspace, openOptions(workspace, emit), async session => {
    if (session === undefined || !(await session.schemas('svc')).includes('svc')) return nothing
    const found = await planCollection({ session, workspace, warehouse, runId: 'gc' })
    return { ...found, sizes: await sizesOf(session, found) }
  })
}

async function collect(workspace: Workspace, emit: EmitEvent): Promise<Found> {
  const runId = workspace.world.newRunId()
  const action = { runId, kind: 'gc', selector: null, emit } as const
  const done = await withLease(workspace, action, ({ warehouse, ...held }) =>
    withSession(workspace, warehouse, held.emit, async session => {
      await openState(session, workspace, held)
      held.emit({ type: 'stage', stage: 'collect', items: 0 })
      const work = { session, workspace, warehouse, runId }
      const sizes = await sizesOf(session, await planCollection(work))
      const found = await collectAll(work, true)
      held.emit({ type: 'collected', relations: found.relations.length, schemas: found.schemas.length })
      return { status: 'deployed' as const, found: { ...found, sizes } }
    }),
  )
  return done.found
}

function sizesOf(session: WarehouseSession, { relations }: Collection) {
  return session.sizes(relations.map(({ relation }) => relation))
}
