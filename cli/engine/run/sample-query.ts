/**
 * `svc sample --query` and `--cte`: returns rows of an asset's SQL as it is in its file or in an editor, over
 * the live builds of its parents. The SQL is untrusted: it is first bound in memory, and then runs in a
 * warehouse that is read-only and isolated from files and network.
 */
import {
  type Asset,
  ctesOf,
  cteTemplate,
  didYouMean,
  type Engine,
  internalName,
  type Project,
  type ProjectAnalysis,
  type SqlTemplate,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { rawOf, relationOf } from '../plan/last-load.ts'
import { maskRows } from '../quality/personal-columns.ts'
import { placeIn } from '../quality/place-in.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Relation, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { assetFailure } from './asset-failure.ts'
import { openOptions, withReadSession } from './begin-run.ts'
import { compileAsset } from './compile-asset.ts'
import type { EmitEvent } from './events.ts'
import { type PersonalInQuery, personalInQuery } from './query-marks.ts'
import { refuseErrors } from './refuse-errors.ts'
import { buildsOfRun, type Sample } from './sample-asset.ts'

export interface QueryRequest {
  readonly limit: number
  /** Undefined means the whole query. */
  readonly cte: string | undefined
  /** The text of the file in an editor; undefined means the file on disk. */
  readonly text: string | undefined
  /** The run whose builds are used instead of the live ones. */
  readonly runId: string | undefined
  /** Whether personal columns are shown unmasked. */
  readonly unmasked: boolean
}

/**
 * Throws SvcError `unknown-asset`, `unknown-run`, `invalid-project`, `not-deployed`, `parent-not-built`,
 * `build-failed`.
 */
export async function sampleQuery(
  workspace: Workspace,
  name: string,
  request: QueryRequest,
  emit: EmitEvent = () => {},
): Promise<Sample> {
  return sampleSubject(workspace, subjectOf(workspace, name, request), request, emit)
}

/** The same of a query that is in no file of an asset: the project has it as one. */
export async function sampleSubject(
  workspace: Workspace,
  { project, asset }: QuerySubject,
  request: QueryRequest,
  emit: EmitEvent = () => {},
): Promise<Sample> {
  const analysis = await analysisOf(workspace, project, asset.name)
  refuseErrors(asset, analysis.of(asset.name)?.diagnostics ?? [])
  const options = { ...openOptions(workspace, emit), isolated: true }
  return withReadSession(workspace, options, async session => {
    if (session === undefined) throw notBuilt(workspace, asset, asset.name)
    const state = await session.state.read(workspace.environment.stateName)
    const builds = await buildsOfRun(session, state, request.runId)
    const ground = { store: session.state, workspace, project, asset, analysis, state, builds }
    const personal = request.unmasked ? notPersonal : await personalInQuery(ground)
    return await rowsOf(session, workspace, asset, { state, builds, personal, request })
  })
}

// ---------------------------------------------------------------- the query

export interface QuerySubject {
  readonly project: Project
  readonly asset: Asset
}

/** Returns the asset with the CTE's query as its SQL and without tests, which are not needed here. */
function subjectOf(workspace: Workspace, name: string, { text, cte }: QueryRequest): QuerySubject {
  const path = workspace.project.byName.get(name)?.path
  if (path === undefined) throw new SvcError('unknown-asset', `no asset is called "${name}"`)
  const current = text === undefined ? workspace.project : workspace.project.with(path, text)
  const asset = current.assets.get(path)
  if (asset?.sql === undefined) {
    throw new SvcError('invalid-project', `"${name}" has no SQL to run`, { asset: name, place: path })
  }
  const sql = cte === undefined ? asset.sql : cteOf(asset, asset.sql, cte, current.engine)
  const { textHash, tree, refs, inherited } = asset
  const subject: Asset = {
    path,
    text: asset.text,
    textHash,
    tree,
    inherited,
    name: asset.name,
    definition: { ...asset.definition, tests: [] },
    sql,
    testSql: new Map(),
    hooks: [],
    refs,
    diagnostics: asset.diagnostics,
  }
  return { project: withAsset(current, subject), asset: subject }
}

function cteOf(asset: Asset, sql: SqlTemplate, name: string, engine: Engine): SqlTemplate {
  const found = cteTemplate(sql, name, engine)
  if (found !== undefined) return found
  const names = ctesOf(sql.text, engine).map(cte => cte.name)
  const question = didYouMean(name, names)
  throw new SvcError('wrong-usage', `the SQL of "${asset.name}" has no CTE "${name}"${question}`, {
    hint: names.length === 0 ? 'It has none at all.' : `It has ${names.join(', ')}.`,
    asset: asset.name,
  })
}

function withAsset(project: Project, asset: Asset): Project {
  return { ...project, byName: new Map(project.byName).set(asset.name, asset) }
}

/** Uses a separate catalogue, because results about an unfinished asset must not be cached. */
async function analysisOf(
  { sources, signal, extensions }: Workspace,
  project: Project,
  name: string,
): Promise<ProjectAnalysis> {
  const { openCatalog } = await import('@svc/server/catalog')
  const catalog = await openCatalog(project.engine, { load: (await extensions?.()) ?? [] })
  try {
    return await catalog.analyze(project, sources, { names: [name], signal, unitTests: 'none' })
  } finally {
    catalog.close()
  }
}

// ---------------------------------------------------------------- execution

interface Ground {
  readonly state: StateSnapshot
  readonly builds: ReadonlyMap<string, BuildRecord>
  readonly personal: PersonalInQuery
  readonly request: QueryRequest
}

const notPersonal: PersonalInQuery = { isPersonal: () => false, inMessages: false }

async function rowsOf(
  session: WarehouseSession,
  workspace: Workspace,
  asset: Asset,
  { state, builds, personal, request }: Ground,
): Promise<Sample> {
  const { dialect } = session
  const buildOf = (name: string): BuildRecord => {
    const build = builds.get(name)
    if (build === undefined) throw notBuilt(workspace, asset, name)
    return build
  }
  const loadOf = () => rawOf(state, buildOf(asset.name).build_key)
  const sourceOf = (child: string | undefined): Relation => {
    const relation = relationOf(loadOf(), child)
    if (relation === undefined) throw notBuilt(workspace, asset, asset.name)
    return relation
  }
  const compiled = compileAsset(
    asset,
    {
      buildOf,
      sourceOf,
      loadOf,
      vars: workspace.environment.vars,
      sqlLimits: workspace.project.settings.limits.sql,
    },
    dialect,
  )
  if (compiled instanceof SvcError) throw compiled
  try {
    const columns = await session.describe(compiled.sql)
    const limited = `SELECT * FROM (\n${compiled.sql}\n) AS ${internalName('query')} LIMIT ${request.limit}`
    const rows = await session.query(limited, workspace.signal)
    const masked = columns.map(({ name }) => name).filter(personal.isPersonal)
    return {
      asset: asset.name,
      source: 'query',
      cte: request.cte,
      relation: undefined,
      columns,
      rows: maskRows(rows, new Set(masked.map(name => name.toLowerCase()))),
      masked,
      sampleTable: undefined,
    }
  } catch (error) {
    workspace.signal.throwIfAborted()
    const { message, hint, place } = assetFailure(
      asset,
      error,
      ['transform'],
      workspace.environment.name,
      compiled,
      personal.inMessages,
    )
    throw new SvcError('build-failed', message, {
      hint,
      place,
      asset: asset.name,
      cause: personal.inMessages ? undefined : error,
    })
  }
}

function notBuilt({ environment, project }: Workspace, asset: Asset, name: string): SvcError {
  const ref = asset.sql?.tags.find(tag => tag.kind === 'ref' && tag.name === name)
  const place = ref === undefined ? undefined : asset.sql?.toFile.rangeToOriginal(ref.range).start
  if (ref !== undefined && !project.byName.has(name))
    return new SvcError(
      'invalid-project',
      `no asset is called "${name}"${didYouMean(name, project.byName.keys())}`,
      {
        hint: 'Write the name of an asset of the project.',
        asset: asset.name,
        place: place === undefined ? undefined : placeIn(asset, place),
      },
    )
  const what = name === asset.name ? `"${name}" was never loaded to` : `"${name}" has no build in`
  return new SvcError('parent-not-built', `${what} ${environment.name} to read from`, {
    hint: svc => `Run it first: ${svc(`run +${name}`)}.`,
    asset: asset.name,
    place: place === undefined ? undefined : placeIn(asset, place),
  })
}
