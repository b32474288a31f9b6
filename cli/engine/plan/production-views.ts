/** Determines where production views are. */
import { type Asset, materializationOf, type Project } from '@svc/server/language'
import type { StateSnapshot, ViewRecord } from '../state/state.ts'

type Relation = ViewRecord['view']

export interface EnvironmentSchemas {
  readonly schema: string
  readonly schemaFor: (base: string) => string
}

/** Returns the views of the map after a run of `names`, by asset. */
export function productionViews(run: {
  readonly state: StateSnapshot
  readonly project: Project
  readonly environment: EnvironmentSchemas
  readonly names: readonly string[]
  readonly full: boolean
}): Map<string, Relation> {
  const views = new Map<string, Relation>(run.full ? [] : run.state.views)
  for (const name of run.names) {
    const asset = run.project.byName.get(name)
    const view = asset === undefined ? undefined : productionView(asset, run.environment)
    if (view === undefined) views.delete(name)
    else views.set(name, view)
  }
  return views
}

/** Returns undefined for an asset without a production view. */
function productionView(asset: Asset, environment: EnvironmentSchemas): Relation | undefined {
  const { materialize, schema } = asset.definition.deploy
  if (!materializationOf(materialize).isPublished) return undefined
  return {
    schema: schema === undefined ? environment.schema : environment.schemaFor(schema),
    name: asset.name,
  }
}
