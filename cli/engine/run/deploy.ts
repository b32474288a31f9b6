/**
 * Makes a new map of builds live: views, catalogue, history row and generation in one flip. The one way in which
 * production changes; `run`, `promote` and `rollback` only differ in where their map comes from.
 */
import type { AssetDefinition } from '@svc/server/language'
import type { PointerMoves } from '../plan/pointers.ts'
import type { BuildRecord, CatalogRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'
import { deleteCatalog, deleteViews, finishHistory, upsertCatalog, upsertViews } from '../state/statements.ts'
import type {
  PointerChange,
  ProductionView,
  Relation,
  Statement,
  WarehouseSession,
} from '../warehouse/warehouse.ts'

export interface Deployment {
  readonly state: StateSnapshot
  /** The whole new map, by asset. */
  readonly map: ReadonlyMap<string, BuildRecord>
  /** The production views that this changes. */
  readonly moves: PointerMoves
  readonly definitionOf: (asset: string) => AssetDefinition | undefined
  /** The run's row without what the deployment decides. */
  readonly history: Omit<HistoryRecord, 'status' | 'generation' | 'error'>
  /** Further state that becomes true with the flip: test results, definitions. */
  readonly statements: readonly Statement[]
}

export interface Deployed {
  readonly generation: number
  /** False: the map was live already, and the generation is the one before. */
  readonly moved: boolean
  /** The run's row as it stands now. */
  readonly history: HistoryRecord
  readonly views: number
  readonly dropped: number
  readonly seconds: number
}

/** SvcError `promotion-stale` when production has moved since `state` was read. */
export async function deploy(session: WarehouseSession, deployment: Deployment): Promise<Deployed> {
  const started = performance.now()
  const { moves } = deployment
  const { change, history } = pointerChange(session, deployment)
  const moved = change.toGeneration !== change.fromGeneration
  if (moved) {
    await session.promotion.prepare(change)
    await session.promotion.flip(change)
    await session.promotion.settle(change)
  } else {
    await session.transaction(change.statements)
  }
  return {
    generation: change.toGeneration,
    moved,
    history,
    views: moves.views.length,
    dropped: moves.drops.length,
    seconds: (performance.now() - started) / 1000,
  }
}

function pointerChange(
  session: WarehouseSession,
  deployment: Deployment,
): { readonly change: PointerChange; readonly history: HistoryRecord } {
  const { state, map, moves } = deployment
  const changed = [...map].filter(([asset, build]) => build.build_key !== state.live.get(asset)?.build_key)
  const removed = [...state.live.keys()].filter(asset => !map.has(asset))
  const idle = changed.length + removed.length + moves.views.length + moves.drops.length === 0
  const toGeneration = idle ? state.generation : state.generation + 1
  const history: HistoryRecord = {
    ...deployment.history,
    status: 'deployed',
    generation: toGeneration,
    error: null,
  }
  const change: PointerChange = {
    environment: history.environment,
    runId: history.run_id,
    fromGeneration: state.generation,
    toGeneration,
    views: moves.views.map(({ asset, view }) => productionView(deployment, asset, view)),
    drops: moves.drops.map(({ view }) => view),
    statements: [
      ...deployment.statements,
      ...catalogStatements(session, deployment, changed, removed),
      ...viewStatements(session, deployment),
      ...finishHistory(session.dialect, history),
    ],
  }
  return { change, history }
}

function productionView({ map, definitionOf }: Deployment, asset: string, view: Relation): ProductionView {
  const build = map.get(asset)
  if (build === undefined) throw new Error(`no build to show in ${view.schema}.${view.name}`)
  return {
    view,
    target: build.relation,
    ...(build.sql === null ? {} : { query: build.sql }),
    columns: build.columns,
    description: definitionOf(asset)?.description,
  }
}

function catalogStatements(
  session: WarehouseSession,
  { history }: Deployment,
  changed: readonly (readonly [string, BuildRecord])[],
  removed: readonly string[],
): Statement[] {
  const records = changed.map(
    ([asset, build]): CatalogRecord => ({
      environment: history.environment,
      asset,
      definition_hash: build.definition_hash,
      build_key: build.build_key,
      run_id: history.run_id,
      deployed_at: history.finished_at ?? history.started_at,
      green_schema: build.relation.schema,
      columns: build.columns,
    }),
  )
  return [
    ...deleteCatalog(session.dialect, history.environment, removed),
    ...upsertCatalog(session.dialect, records),
  ]
}

function viewStatements(session: WarehouseSession, { history, moves }: Deployment): Statement[] {
  const { environment } = history
  const records = moves.views.map(({ asset, view }) => ({ environment, asset, view }))
  // A moved view is dropped at its old place and recorded at its new one.
  const gone = moves.drops.map(({ asset }) => asset)
  return [...deleteViews(session.dialect, environment, gone), ...upsertViews(session.dialect, records)]
}
