/** The check of `svc doctor` that the role of the warehouse may do what a run does. */
import { type Asset, isInWarehouse } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import { tableParts } from '../engine/ingest/sql/relation.ts'
import { unknownRoles } from '../engine/run/check-roles.ts'
import type { NeededRights, Relation, Warehouse, WarehouseSession } from '../engine/warehouse/warehouse.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { DoctorCheck } from '../render/doctor.ts'
import { fail, ok } from './doctor-check.ts'

/** Returns nothing for a warehouse without roles. `session` is undefined where svc has made nothing yet. */
export async function checkRights(
  warehouse: Warehouse,
  session: WarehouseSession | undefined,
  workspace: OpenedWorkspace,
): Promise<DoctorCheck[]> {
  if (warehouse.missingRights === undefined) return []
  const assets = [...workspace.project.byName.values()]
  const missing = await warehouse.missingRights({
    ...productionOf(assets, workspace.environment),
    made: session && (await madeBefore(session, workspace)),
    tables: assets.flatMap(tableRead),
  })
  const unknown = session === undefined ? [] : await unknownRoles(session, assets)
  const { identifier } = warehouse.dialect
  const checks = [
    ...missing.map(({ what, statement }) => fail('rights', `the role may not ${what}`, statement)),
    ...unknown.map(({ asset, role }) =>
      fail(
        'rights',
        `there is no role "${role}", which deploy.grants of ${asset.path} names`,
        `CREATE ROLE ${identifier(role)};`,
      ),
    ),
  ]
  return checks.length === 0 ? [ok('rights', 'the role may do what a run does')] : checks
}

/** Returns undefined where the role may not read the state. */
async function madeBefore(
  session: WarehouseSession,
  { environment }: OpenedWorkspace,
): Promise<NeededRights['made']> {
  try {
    const { views, builds } = await session.state.read(environment.stateName)
    return { views: [...views.values()], builds: [...builds.values()].map(({ relation }) => relation) }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'warehouse-failed') return undefined
    throw error
  }
}

function productionOf(
  assets: readonly Asset[],
  environment: OpenedWorkspace['environment'],
): Pick<NeededRights, 'schemas' | 'readers'> {
  const schemaOf = ({ definition: { deploy } }: Asset): string =>
    deploy.schema === undefined ? environment.schema : environment.schemaFor(deploy.schema)
  return {
    schemas: [...new Set([environment.schema, ...assets.map(schemaOf)])],
    readers: assets.flatMap(asset =>
      asset.definition.deploy.grants.select.map(role => ({ schema: schemaOf(asset), role })),
    ),
  }
}

/** The table of the warehouse that an asset reads and others write. */
function tableRead({ definition: { ingest } }: Asset): readonly Relation[] {
  if (!isInWarehouse(ingest) || !('resource' in ingest) || ingest.resource === undefined) return []
  const [schema, name] = tableParts(ingest.resource)
  return schema === undefined || name === undefined ? [] : [{ schema, name }]
}
