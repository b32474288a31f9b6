/** The facts that all steps of the build stage share, and the progress of each asset. */
import type { Asset, CompiledSql } from '@svc/server/language'
import type { SvcError } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { assetOf } from '../plan/identities.ts'
import { liveBuild } from '../plan/last-load.ts'
import type { PersonalColumns } from '../quality/personal-columns.ts'
import type { StateChange } from '../state/changes.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { BuildResult, BuildTask } from '../warehouse/warehouse.ts'
import type { CompiledAround } from './compile-around.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'

export interface Building extends Run, Pick<PreparedRun, 'state' | 'names' | 'identities'> {
  readonly dialect: Dialect
  /** The name of the green schema. */
  readonly schema: string
  readonly fetched: ReadonlyMap<string, FetchedSource>
  readonly personal: PersonalColumns
  readonly assets: Map<string, AssetBuild>
}

export interface AssetBuild {
  readonly asset: Asset
  /** The child tables of the load that exist so far. */
  readonly children: Record<string, BuildRecord['children'][string]>
  /** The load that this run created for the asset. */
  load: BuildRecord | undefined
  compiled: CompiledSql | undefined
  /** The statements around the query, compiled, by their list. */
  around: CompiledAround | undefined
  seconds: number
  /** The part of `seconds` in which fetched records were loaded. */
  loadSeconds: number
  begun: boolean
}

/** Turns one step into a relation. Each kind of step implements this in one file. */
export interface RelationMaker {
  /** The block of the asset's file to report when the step fails. */
  readonly block: 'ingest' | 'transform'
  /** Returns the relation that the warehouse has to create, or an error if it cannot be determined. */
  task(): BuildTask | SvcError
  /** Returns the changes of state to commit together with the relation: none of one that is refused, which is nobody's then. */
  record(result: BuildResult): readonly StateChange[]
  /** Returns why the relation that was made does not count; undefined if it does. */
  refusal?(): SvcError | undefined
  /** Called when the relation and its record are committed. */
  built(): void
}

export function assetBuild(name: string, { workspace, assets }: Building): AssetBuild {
  const known = assets.get(name)
  if (known !== undefined) return known
  const build = {
    asset: assetOf(workspace.project, name),
    children: {},
    load: undefined,
    compiled: undefined,
    around: undefined,
    seconds: 0,
    loadSeconds: 0,
    begun: false,
  }
  assets.set(name, build)
  return build
}

/** Returns the build of an asset that another one reads. */
export function buildOf(name: string, { progress, state }: Building): BuildRecord {
  const build = progress.assets.get(name)?.build ?? liveBuild(state, name)
  if (build === undefined) throw new Error(`"${name}" is read before it is built`)
  return build
}

/**
 * Returns the name of a load's relation: `<asset>__raw`, for a child table `<asset>__raw__<child>` (decisions
 * 2).
 */
export function rawName(asset: string, child: string | undefined): string {
  return child === undefined ? `${asset}__raw` : `${asset}__raw__${child}`
}
