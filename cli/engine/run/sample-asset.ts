/**
 * `svc sample` (interface.md 4.4, decisions 3): returns rows of an asset's production view, of its physical
 * table or of its raw load; with `size` it creates a sample table.
 */

import { type Column, wholeMarking } from '@svc/server/language'
import { SvcError, unknownAsset } from '../errors.ts'
import { liveBuild, liveBuilds, rawOf, relationOf as tableOf } from '../plan/last-load.ts'
import { type BuildMarks, readBuildMarks } from '../quality/build-marks.ts'
import { maskRows, personalColumns, personalNames } from '../quality/personal-columns.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { JsonRow, Relation, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions, withReadSession, withSession } from './begin-run.ts'
import type { EmitEvent } from './events.ts'
import { samplesSchema } from './samples-schema.ts'

export interface SampleRequest {
  readonly source: 'raw' | 'model' | 'view'
  /** The number of rows to show. */
  readonly limit: number
  /** The number of rows of a sample table; undefined if none is created. */
  readonly size?: number | undefined
  /** The run (a preview or a failed run) to inspect instead of what is live. */
  readonly runId?: string | undefined
  /** The name of a child table of the raw load. */
  readonly child?: string | undefined
  /** Whether personal columns are shown unmasked. */
  readonly unmasked?: boolean
}

export interface Sample {
  readonly asset: string
  readonly source: SampleRequest['source'] | 'query'
  /** The CTE of a query whose rows these are; undefined for the whole query. */
  readonly cte?: string | undefined
  /** The relation of the rows, `schema.name`; undefined for a query. */
  readonly relation: string | undefined
  readonly columns: readonly Column[]
  readonly rows: readonly JsonRow[]
  /** The columns whose values are masked. */
  readonly masked: readonly string[]
  /** The name of the created sample table, `schema.name`. */
  readonly sampleTable: string | undefined
}

/** Throws SvcError `unknown-asset`, `unknown-run`, `not-deployed`. */
export async function sampleAsset(
  workspace: Workspace,
  asset: string,
  request: SampleRequest,
  emit: EmitEvent = () => {},
): Promise<Sample> {
  const take = async (session: WarehouseSession | undefined) => {
    if (session === undefined) throw notDeployed(workspace, asset)
    const state = await session.state.read(workspace.environment.stateName)
    const build = await findBuild(session, workspace, state, asset, request)
    const relation = relationOf(state, build, asset, request)
    const schema = samplesSchema(workspace.project.settings.name, workspace.environment.stateName)
    const wanted = { ...request, schema }
    if (request.unmasked === true) return await takeSample(session, asset, relation, wanted)
    const marks = await readBuildMarks(session.state, workspace, { state, keys: [build.build_key] })
    const sample = await takeSample(session, asset, relation, wanted).catch((error: unknown) => {
      throw marks.any ? withoutValues(error) : error
    })
    return await withoutPersonal(workspace, marks, { sample, build, child: request.child })
  }
  return request.size === undefined
    ? withReadSession(workspace, openOptions(workspace, emit), take)
    : withSession(workspace, await workspace.warehouse(), emit, take)
}

async function findBuild(
  session: WarehouseSession,
  workspace: Workspace,
  state: StateSnapshot,
  asset: string,
  request: SampleRequest,
): Promise<BuildRecord> {
  const build =
    request.runId === undefined
      ? liveBuild(state, asset)
      : await runBuild(session, state, asset, request.runId)
  if (build === undefined) throw notDeployed(workspace, asset)
  return build
}

function relationOf(
  state: StateSnapshot,
  build: BuildRecord,
  asset: string,
  request: SampleRequest,
): Relation {
  if (request.source === 'raw') return rawRelation(state, build, request.child)
  if (request.source === 'model' || request.runId !== undefined) return build.relation
  const view = state.views.get(asset)
  if (view !== undefined) return view
  throw new SvcError('not-deployed', `"${asset}" is ${build.kind} and has no production view`, {
    hint: svc => `Its table is shown by ${svc(`sample ${asset} --source model`)}.`,
    asset,
  })
}

/** Returns the builds of a run by asset; without a run, those that are live. Throws SvcError `unknown-run`. */
export async function buildsOfRun(
  session: WarehouseSession,
  state: StateSnapshot,
  runId: string | undefined,
): Promise<ReadonlyMap<string, BuildRecord>> {
  if (runId === undefined) return liveBuilds(state)
  const builds = new Map<string, BuildRecord>()
  for (const { name, build_key: key } of await assetsOfRun(session, state, runId)) {
    const build = state.builds.get(key ?? '')
    if (build !== undefined) builds.set(name, build)
  }
  return builds
}

async function assetsOfRun(session: WarehouseSession, state: StateSnapshot, runId: string) {
  const assets = state.history.length === 0 ? undefined : (await session.state.runAssets([runId])).get(runId)
  if (assets !== undefined) return assets
  throw new SvcError('unknown-run', `no run "${runId}" in this warehouse`, {
    hint: 'svc logs --list shows the runs whose logs are kept.',
  })
}

async function runBuild(
  session: WarehouseSession,
  state: StateSnapshot,
  asset: string,
  runId: string,
): Promise<BuildRecord | undefined> {
  const assets = await assetsOfRun(session, state, runId)
  const key = assets.find(({ name }) => name === asset)?.build_key
  if (key === undefined || key === null) {
    throw new SvcError('not-deployed', `run ${runId} has no build of "${asset}"`, {
      hint: 'svc logs --list shows the runs with their assets.',
      asset,
    })
  }
  const build = state.builds.get(key)
  if (build !== undefined) return build
  throw new SvcError('not-deployed', `the build of "${asset}" in run ${runId} was collected`, {
    hint: 'It is gone; deploy.keep says how many archives are kept.',
    asset,
  })
}

function rawRelation(state: StateSnapshot, build: BuildRecord, child: string | undefined): Relation {
  const raw = rawOf(state, build.build_key)
  const relation = tableOf(raw, child)
  if (relation !== undefined) return relation
  const what = raw === undefined ? 'has no source of its own' : `has no raw child table "${child}"`
  throw new SvcError('not-deployed', `"${build.asset}" ${what}`, {
    hint: svc => `Its table is shown by ${svc(`sample ${build.asset} --source model`)}.`,
    asset: build.asset,
  })
}

async function takeSample(
  session: WarehouseSession,
  asset: string,
  relation: Relation,
  { source, limit, size, schema }: SampleRequest & { readonly schema: string },
): Promise<Sample> {
  const { dialect } = session
  const table = size === undefined ? undefined : { schema, name: asset }
  if (table !== undefined) {
    await session.createSchema(schema)
    await session.execute([
      `DROP TABLE IF EXISTS ${dialect.relation(table)}`,
      `CREATE TABLE ${dialect.relation(table)} AS SELECT * FROM ${dialect.relation(relation)} LIMIT ${size}`,
    ])
  }
  const from = dialect.relation(table ?? relation)
  const columns = await session.describe(`SELECT * FROM ${from}`)
  const rows = await session.query(`SELECT * FROM ${from} LIMIT ${limit}`)
  return {
    asset,
    source,
    relation: nameOf(relation),
    columns,
    rows,
    masked: [],
    sampleTable: table === undefined ? undefined : nameOf(table),
  }
}

interface ShownBuild {
  readonly sample: Sample
  readonly build: BuildRecord
  readonly child: string | undefined
}

/**
 * Masks what is personal in the build that is shown, and what the files of today mark. If no build, no file and
 * no policy names personal data, the lineage of the columns is not needed.
 */
async function withoutPersonal(
  workspace: Workspace,
  marks: BuildMarks,
  { sample, build, child }: ShownBuild,
): Promise<Sample> {
  const { project } = workspace
  const key = build.build_key
  if (!marks.any) return sample
  const marking = wholeMarking(project.glossary.policies)
  const flow = marks.flow(marking)
  const inFile = await personalInFile(workspace, sample)
  const isPersonal = (name: string) =>
    inFile.has(name.toLowerCase()) ||
    (sample.source === 'raw'
      ? marks.isPersonalRaw(key, child, name, marking)
      : flow.of(key, name)?.grade === 'personal')
  const masked = sample.columns.map(({ name }) => name).filter(isPersonal)
  const hidden = new Set(masked.map(name => name.toLowerCase()))
  return { ...sample, rows: maskRows(sample.rows, hidden), masked }
}

/** A view is computed when it is read, and may fail at any value that it is made of. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof SvcError) || error.withoutValues === undefined) return error
  return new SvcError(error.code, error.withoutValues, { hint: error.givenHint })
}

async function personalInFile(workspace: Workspace, { asset: name, source }: Sample) {
  const { project } = workspace
  const analysis = await workspace.analysis()
  const asset = project.byName.get(name)
  return source === 'raw' && asset !== undefined
    ? personalNames(asset, project, analysis)
    : personalColumns(project, analysis).of(name)
}

function nameOf({ schema, name }: Relation): string {
  return `${schema}.${name}`
}

function notDeployed({ project, environment }: Workspace, asset: string): SvcError {
  if (!project.byName.has(asset)) return unknownAsset(asset)
  return new SvcError('not-deployed', `"${asset}" was never deployed to ${environment.name}`, {
    hint: svc => `Run it first: ${svc(`run +${asset}`)}.`,
    asset,
  })
}
