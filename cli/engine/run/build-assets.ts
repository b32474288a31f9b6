/**
 * Builds what a run needs in its green schema: raw loads first, then models as soon as what they read is there. Gives
 * the session one task a relation and keeps the dependency order; each relation is committed with its record. A failed
 * asset takes its descendants with it and nobody else.
 */
import type { Asset, PositionMap, Project } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { FetchedSource, FetchedTable } from '../ingest/source.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import { insertBuild, insertDrift } from '../state/statements.ts'
import type {
  Append,
  BuildOutcome,
  BuildResult,
  BuildTask,
  Relation,
  Statement,
  WarehouseSession,
} from '../warehouse/warehouse.ts'
import { assetFailure } from './asset-failure.ts'
import { type BuildNode, buildGraph } from './build-graph.ts'
import { loadedColumns, modelRecord, rawRecord } from './build-records.ts'
import { compileAsset } from './compile-asset.ts'
import type { EmitEvent } from './events.ts'
import { rejectAppends } from './rejected-rows.ts'
import { failAsset, type RunProgress } from './run-progress.ts'
import type { Vars } from './variable-sql.ts'

export interface BuildWork {
  readonly project: Project
  readonly state: StateSnapshot
  readonly runId: string
  /** Its name in the state tables. */
  readonly environment: string
  readonly schema: string
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  readonly keys: ReadonlyMap<string, string>
  readonly rawKeys: ReadonlyMap<string, string>
  readonly definitionHash: (name: string) => string
  readonly rawDefinitionHash: (name: string) => string
  readonly fetched: ReadonlyMap<string, FetchedSource>
  readonly vars: Vars
  readonly concurrency: number
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly emit: EmitEvent
}

/** Name of a raw load's relation: `<asset>__raw`, of a child `<asset>__raw__<child>` (decisions 2). */
export function rawName(asset: string, child: string | undefined): string {
  return child === undefined ? `${asset}__raw` : `${asset}__raw__${child}`
}

/**
 * Fills `progress` with the outcome and the build of every asset in `work.names` that has not failed already.
 * Rejects only when the warehouse itself gives up or the run is interrupted.
 */
export async function buildAssets(
  session: WarehouseSession,
  work: BuildWork,
  progress: RunProgress,
): Promise<void> {
  reuseBuilds(work, progress)
  const builder = assetBuilder(session, work, progress)
  const graph = buildGraph(builder.nodes())
  const first = graph.start()
  if (first.length === 0) return
  await session.build(first, {
    concurrency: work.concurrency,
    signal: work.signal,
    onStart: builder.started,
    record: builder.record,
    onEnd: builder.ended,
    next: (task, outcome) => (outcome.ok ? graph.complete(task.id) : []),
  })
}

function reuseBuilds({ names, keys, state, emit }: BuildWork, progress: RunProgress): void {
  for (const name of names) {
    const build = state.builds.get(keys.get(name) ?? '')
    if (build === undefined || progress.assets.has(name)) continue
    progress.assets.set(name, { status: 'unchanged', rows: build.rows ?? undefined, seconds: 0, build })
    emit({ type: 'asset-reused', asset: name })
  }
}

type Part = { readonly asset: Asset; readonly kind: 'child' | 'raw' | 'model'; readonly table?: FetchedTable }

function assetBuilder(session: WarehouseSession, work: BuildWork, progress: RunProgress) {
  const { dialect } = session
  const parts = new Map<string, Part>()
  const raws = new Map<string, BuildRecord>()
  const children = new Map<string, Record<string, BuildRecord['children'][string]>>()
  const records = new Map<string, BuildRecord>()
  const compiled = new Map<string, { readonly sql: string; readonly toFile: PositionMap }>()
  const seconds = new Map<string, number>()
  const begun = new Set<string>()

  function nodes(): BuildNode[] {
    return work.names.flatMap(name => {
      const asset = work.project.byName.get(name)
      return asset === undefined || progress.assets.has(name) || !work.keys.has(name) ? [] : nodesOf(asset)
    })
  }

  function nodesOf(asset: Asset): BuildNode[] {
    const loads = loadNodes(asset)
    const node = { id: idOf({ asset, kind: 'model' }), asset: asset.name }
    const after = [
      ...loads.map(({ id }) => id),
      ...work.project.parents(asset.name).map(parent => `model ${parent}`),
    ]
    return [...loads, { ...node, after, make: () => makeModel(asset, node.id) }]
  }

  /** The raw tables that are not there yet; the main one last, because it carries the record of all. */
  function loadNodes(asset: Asset): BuildNode[] {
    const rawKey = work.rawKeys.get(asset.name)
    const source = work.fetched.get(asset.name)
    if (rawKey === undefined) return []
    const known = work.state.builds.get(rawKey)
    if (known !== undefined) raws.set(asset.name, known)
    if (known !== undefined || source === undefined) return []
    const nodeOf = (table: FetchedTable, after: readonly string[]): BuildNode => {
      const part: Part = { asset, kind: table.shape.child === undefined ? 'raw' : 'child', table }
      const id = idOf(part)
      return { id, asset: asset.name, after, make: () => makeLoad(part, id, table) }
    }
    const first = source.tables
      .filter(({ shape }) => shape.child !== undefined)
      .map(table => nodeOf(table, []))
    const main = source.tables.filter(({ shape }) => shape.child === undefined)
    return [
      ...first,
      ...main.map(table =>
        nodeOf(
          table,
          first.map(({ id }) => id),
        ),
      ),
    ]
  }

  function makeLoad(part: Part, id: string, table: FetchedTable): BuildTask | undefined {
    if (progress.assets.has(part.asset.name)) return undefined
    parts.set(id, part)
    const { name } = part.asset
    const target = { schema: work.schema, name: rawName(name, table.shape.child) }
    const load = { id, target, kind: 'load' as const, sql: table.sql, columns: table.columns }
    const appends = part.kind === 'raw' ? rejectsOf(name) : []
    return appends.length === 0 ? load : { ...load, appends }
  }

  function rejectsOf(name: string): Append[] {
    const source = work.fetched.get(name)
    const { environment, runId } = work
    const { loadId = '', rejects } = source ?? {}
    const loadKey = work.rawKeys.get(name) ?? ''
    return rejectAppends(rejects, { environment, runId, asset: name, loadKey, loadId, now: work.now() })
  }

  function makeModel(asset: Asset, id: string): BuildTask | undefined {
    if (progress.assets.has(asset.name)) return undefined
    parts.set(id, { asset, kind: 'model' })
    const inputs = {
      buildOf,
      sourceOf: (child: string | undefined) => sourceOf(asset, child),
      vars: work.vars,
    }
    const result = compileAsset(asset, inputs, dialect)
    if (result instanceof SvcError) {
      failed(asset, 'model', result, 0)
      return undefined
    }
    compiled.set(asset.name, result)
    const kind = asset.definition.deploy.materialize === 'table' ? 'table' : 'view'
    return { id, kind, target: { schema: work.schema, name: asset.name }, sql: result.sql }
  }

  function buildOf(name: string): BuildRecord {
    const build =
      progress.assets.get(name)?.build ?? work.state.builds.get(work.state.live.get(name)?.build_key ?? '')
    if (build === undefined) throw new Error(`"${name}" is read before it is built`)
    return build
  }

  function sourceOf(asset: Asset, child: string | undefined): Relation {
    const raw = raws.get(asset.name)
    const relation = child === undefined ? raw?.relation : raw?.children[child]?.relation
    // A child that this load did not bring: the warehouse's own message names the relation that is missing.
    return relation ?? { schema: raw?.relation.schema ?? work.schema, name: rawName(asset.name, child) }
  }

  function started(task: BuildTask): void {
    const name = partOf(task).asset.name
    if (begun.has(name)) return
    begun.add(name)
    work.emit({ type: 'build-started', asset: name })
  }

  function record(task: BuildTask, result: BuildResult): Statement[] {
    const part = partOf(task)
    if (part.kind === 'child') {
      noteChild(part, task, result)
      return []
    }
    const build = part.kind === 'raw' ? recordRaw(part, task, result) : recordModel(part.asset, task, result)
    records.set(task.id, build)
    return [...insertBuild(dialect, build), ...(part.kind === 'raw' ? driftOf(build) : [])]
  }

  function driftOf({ asset, build_key: load_key }: BuildRecord): Statement[] {
    const changes = work.fetched.get(asset)?.pageDrift ?? []
    return changes.length === 0 ? [] : insertDrift(dialect, { load_key, asset, changes })
  }

  function noteChild({ asset, table }: Part, task: BuildTask, result: BuildResult): void {
    const known = children.get(asset.name) ?? {}
    const { rows = 0 } = result
    const columns = loadedColumns(result.columns, table)
    known[table?.shape.child ?? ''] = { relation: task.target, columns, rows }
    children.set(asset.name, known)
  }

  function recordRaw({ asset, table }: Part, { target }: BuildTask, built: BuildResult): BuildRecord {
    const { name } = asset
    const { runId } = work
    const buildKey = work.rawKeys.get(name) ?? ''
    const definitionHash = work.rawDefinitionHash(name)
    const result = { ...built, columns: loadedColumns(built.columns, table) }
    const facts = { asset, target, result, buildKey, definitionHash, runId, createdAt: work.now() }
    return rawRecord(facts, children.get(name) ?? {}, work.fetched.get(name)?.loadId)
  }

  function recordModel(asset: Asset, { target }: BuildTask, result: BuildResult): BuildRecord {
    const { name } = asset
    const { runId } = work
    const buildKey = work.keys.get(name) ?? ''
    const definitionHash = work.definitionHash(name)
    const facts = { asset, target, result, buildKey, definitionHash, runId, createdAt: work.now() }
    const parents = work.project.parents(name).map(parent => buildOf(parent).build_key)
    const raw = work.rawKeys.get(name)
    return modelRecord(facts, raw === undefined ? parents : [...parents, raw], compiled.get(name)?.sql ?? '')
  }

  function ended(task: BuildTask, outcome: BuildOutcome): void {
    const { asset, kind } = partOf(task)
    const spent = (seconds.get(asset.name) ?? 0) + (outcome.ok ? outcome.result.seconds : outcome.seconds)
    seconds.set(asset.name, spent)
    const build = records.get(task.id)
    if (!outcome.ok) failed(asset, kind, outcome.error, spent)
    else if (kind === 'raw' && build !== undefined) raws.set(asset.name, build)
    else if (build !== undefined) finished(asset, build, spent)
  }

  function finished(asset: Asset, build: BuildRecord, spent: number): void {
    const rows = build.rows ?? undefined
    progress.assets.set(asset.name, { status: 'built', rows, seconds: spent, build })
    const { materialize } = asset.definition.deploy
    work.emit({ type: 'build-finished', asset: asset.name, rows: build.rows, seconds: spent, materialize })
  }

  function failed(asset: Asset, kind: Part['kind'], error: unknown, spent: number): void {
    if (work.signal.aborted || progress.assets.has(asset.name)) return
    const failure = assetFailure(
      asset,
      error,
      kind === 'model' ? 'transform' : 'ingest',
      kind === 'model' ? compiled.get(asset.name) : undefined,
    )
    failAsset(progress, work.project, work.names, failure, spent, work.emit)
  }

  function partOf(task: BuildTask): Part {
    const part = parts.get(task.id)
    if (part === undefined) throw new Error(`unknown task "${task.id}"`)
    return part
  }

  return { nodes, started, record, ended }
}

function idOf(part: Part): string {
  const child = part.table?.shape.child
  return child === undefined ? `${part.kind} ${part.asset.name}` : `child ${part.asset.name} ${child}`
}
