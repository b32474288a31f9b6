/** The steps of the build stage share these facts of their run, and know here how far each asset has got. */
import type { Asset, CompiledSql, Project } from '@svc/server/language'
import type { SvcError } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { BuildResult, BuildTask, Statement } from '../warehouse/warehouse.ts'
import type { EmitEvent } from './events.ts'
import type { RunProgress } from './run-progress.ts'
import type { Vars } from './variable-sql.ts'

export interface Building {
  readonly project: Project
  readonly dialect: Dialect
  readonly state: StateSnapshot
  readonly runId: string
  /** The environment's name in the state tables. */
  readonly environment: string
  /** The green schema. */
  readonly schema: string
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  readonly definitionHash: (name: string) => string
  readonly rawDefinitionHash: (name: string) => string
  readonly fetched: ReadonlyMap<string, FetchedSource>
  readonly vars: Vars
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly emit: EmitEvent
  readonly progress: RunProgress
  readonly assets: Map<string, AssetBuild>
}

export interface AssetBuild {
  readonly asset: Asset
  /** The child tables of its load that are there. */
  readonly children: Record<string, BuildRecord['children'][string]>
  /** The load that this run has made for it. */
  load: BuildRecord | undefined
  compiled: CompiledSql | undefined
  seconds: number
  begun: boolean
}

/** How one step becomes a relation. A kind of step is one file that makes these. */
export interface RelationMaker {
  /** The block of the asset's file that is to blame when it fails. */
  readonly block: 'ingest' | 'transform'
  /** The relation that the warehouse is to make; an error where nobody can say it. */
  task(): BuildTask | SvcError
  /** These statements are committed together with the relation. */
  record(result: BuildResult): readonly Statement[]
  /** The relation and its record are committed. */
  built(): void
}

export function assetBuild(name: string, { project, assets }: Building): AssetBuild {
  const known = assets.get(name)
  if (known !== undefined) return known
  const asset = project.byName.get(name)
  if (asset === undefined) throw new Error(`no asset "${name}" in the project`)
  const build = {
    asset,
    children: {},
    load: undefined,
    compiled: undefined,
    seconds: 0,
    begun: false,
  }
  assets.set(name, build)
  return build
}

/** The build of an asset that another one reads. */
export function buildOf(name: string, { progress, state }: Building): BuildRecord {
  const build = progress.assets.get(name)?.build ?? state.builds.get(state.live.get(name)?.build_key ?? '')
  if (build === undefined) throw new Error(`"${name}" is read before it is built`)
  return build
}

/** Name of a load's relation: `<asset>__raw`, of a child `<asset>__raw__<child>` (decisions 2). */
export function rawName(asset: string, child: string | undefined): string {
  return child === undefined ? `${asset}__raw` : `${asset}__raw__${child}`
}
