/**
 * Makes a new map of builds live: views, catalogue, history row and generation in one transaction. This is
 * the only way in which production changes; `run`, `promote` and `rollback` differ only in where their map
 * comes from.
 */
import type { Warning } from '@svc/server/contract'
import type { AssetDefinition } from '@svc/server/language'
import type { PointerMoves } from '../plan/pointers.ts'
import {
  deleteCatalog,
  deleteViews,
  finishHistory,
  type StateChange,
  upsertCatalog,
  upsertViews,
} from '../state/changes.ts'
import type { BuildRecord, CatalogRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'
import type {
  PointerChange,
  ProductionView,
  Relation,
  TellPromotion,
  WarehouseSession,
} from '../warehouse/warehouse.ts'
import type { EmitEvent } from './events.ts'

export interface Deployment {
  /** Throws SvcError `lease-lost`. */
  readonly assertHeld: () => Promise<void>
  readonly state: StateSnapshot
  /** The complete new map, by asset. */
  readonly map: ReadonlyMap<string, BuildRecord>
  /** The production views that this changes. */
  readonly moves: PointerMoves
  readonly definitionOf: (asset: string) => AssetDefinition | undefined
  /** The run's row, without the columns that the deployment decides. */
  readonly history: Omit<HistoryRecord, 'status' | 'generation' | 'error'>
  /** What failed and keeps its live build, while the rest is promoted. */
  readonly problem?: string | undefined
  /** Further state that is committed with the promotion: test results, definitions. */
  readonly changes: readonly StateChange[]
  /** Hears of a warning as soon as it is known: what comes after that may fail. */
  readonly emit: EmitEvent
}

export interface Deployed {
  readonly generation: number
  /** False if the map was live already; the generation is then unchanged. */
  readonly moved: boolean
  /** The run's row after the deployment. */
  readonly history: HistoryRecord
  readonly views: number
  readonly dropped: number
  /** The number of views whose readers changed. */
  readonly granted: number
  readonly seconds: number
}

/** Throws SvcError `promotion-stale` if production has changed since `state` was read, or `lease-lost`. */
export async function deploy(session: WarehouseSession, deployment: Deployment): Promise<Deployed> {
  const started = performance.now()
  const { moves } = deployment
  await deployment.assertHeld()
  const { change, history } = pointerChange(deployment)
  const moved = change.toGeneration !== change.fromGeneration
  const warnings: Warning[] = []
  const tell: TellPromotion = said => {
    const warning = { ...said, asset: null }
    warnings.push(warning)
    deployment.emit({ type: 'warning', ...warning })
  }
  const told = () => ({ ...history, warnings: [...(history.warnings ?? []), ...warnings] })
  if (moved || change.grants.length > 0) {
    await session.promotion.prepare(change, tell)
    await session.promotion.flip(change, tell)
    await session.promotion.settle(change, tell)
    // The row went with the flip, and what is told of that came after it.
    if (warnings.length > 0) await session.state.commit(finishHistory(told()))
  } else {
    await session.state.commit(change.changes)
  }
  return {
    generation: change.toGeneration,
    moved,
    history: told(),
    views: moves.views.length,
    dropped: moves.drops.length,
    granted: moves.grants.length,
    seconds: (performance.now() - started) / 1000,
  }
}

function pointerChange(deployment: Deployment): {
  readonly change: PointerChange
  readonly history: HistoryRecord
} {
  const { state, map, moves } = deployment
  const changed = [...map].filter(([asset, build]) => build.build_key !== state.live.get(asset)?.build_key)
  const removed = [...state.live.keys()].filter(asset => !map.has(asset))
  const idle = changed.length + removed.length + moves.views.length + moves.drops.length === 0
  const toGeneration = idle ? state.generation : state.generation + 1
  const history: HistoryRecord = {
    ...deployment.history,
    status: 'deployed',
    generation: toGeneration,
    error: deployment.problem ?? null,
  }
  const change: PointerChange = {
    environment: history.environment,
    runId: history.run_id,
    fromGeneration: state.generation,
    toGeneration,
    views: moves.views.map(({ asset, view }) => productionView(deployment, asset, view)),
    drops: moves.drops.map(({ view }) => view),
    grants: moves.grants,
    changes: [
      ...deployment.changes,
      ...catalogChanges(deployment, changed, removed),
      ...viewChanges(deployment),
      ...finishHistory(history),
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

function catalogChanges(
  { history }: Deployment,
  changed: readonly (readonly [string, BuildRecord])[],
  removed: readonly string[],
): StateChange[] {
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
  return [...deleteCatalog(history.environment, removed), ...upsertCatalog(records)]
}

function viewChanges({ state, history, moves }: Deployment): StateChange[] {
  const { environment } = history
  const granted = new Map(moves.grants.map(({ asset, readers }) => [asset, readers]))
  const touched = new Map([...moves.views, ...moves.grants].map(({ asset, view }) => [asset, view]))
  const records = [...touched].map(([asset, view]) => {
    const readers = granted.get(asset) ?? state.readers.get(asset) ?? []
    return { environment, asset, view, readers }
  })
  // A moved view is dropped at its old place and recorded at its new one.
  const gone = moves.drops.map(({ asset }) => asset)
  return [...deleteViews(environment, gone), ...upsertViews(records)]
}
