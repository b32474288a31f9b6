/**
 * The checks of `svc doctor`. They are independent: a failed one says what to do and does not stop the
 * others.
 */
import { type CommandLine, svcIn } from '@svc/server/language'
import { buildId } from '../engine/config/build-id.ts'
import { SvcError } from '../engine/errors.ts'
import { damagedViews } from '../engine/run/foreign-objects.ts'
import { buildDamage, builtInventory, damagedAssets } from '../engine/run/gone-relations.ts'
import { greenPrefix } from '../engine/run/green-schema.ts'
import type { StateSnapshot } from '../engine/state/state.ts'
import { embeddedEngineMissing } from '../engine/warehouse/open.ts'
import type { Relation, WaitingLog, Warehouse, WarehouseSession } from '../engine/warehouse/warehouse.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { type Peek, peekSources } from '../engine/workspace/peek-sources.ts'
import { problemsOf } from '../engine/workspace/problems.ts'
import { waitingLogText } from '../render/backup.ts'
import type { DoctorCheck } from '../render/doctor.ts'
import { countOf } from '../render/numbers.ts'
import { advise, fail, failOf, ok } from './doctor-check.ts'
import { checkDeclared } from './doctor-declared.ts'
import { checkRights } from './doctor-rights.ts'

const oldestNode = [20, 17] as const

export function checkNode(version: string, nodeVersion: string): DoctorCheck {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const recent = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  const detail = `svc ${version} (${buildId}), Node ${nodeVersion}, ${process.platform} ${process.arch}`
  if (recent) return ok('versions', detail)
  return fail('versions', detail, `svc needs Node ${oldestNode.join('.')} or later.`)
}

/** Nothing if it is there, also where no asset of the project needs it yet. */
export async function checkNativePart(): Promise<readonly DoctorCheck[]> {
  const missing = await embeddedEngineMissing()
  return missing === undefined ? [] : [fail('native part', missing.message, missing.hint)]
}

export function checkProject(workspace: OpenedWorkspace): DoctorCheck {
  const { project, environment } = workspace
  const problem = project.settings.diagnostics.find(diagnostic => diagnostic.severity === 'error')
  if (problem !== undefined) {
    return fail('project', `svc.yaml: ${problem.message}`, 'svc validate shows the place.')
  }
  const branch = environment.name === 'dev' ? ` (${branchText(environment.branch)})` : ''
  return ok(
    'project',
    `${countOf(project.assets.size, 'asset')}; ${environment.name} is ${environment.schema}${branch}`,
  )
}

/** Nothing where no file has an error: a run stops at them, whatever else is well. */
export async function checkFiles(workspace: OpenedWorkspace): Promise<readonly DoctorCheck[]> {
  const errors = [...(await problemsOf(workspace))].flatMap(([path, found]) =>
    found.filter(({ severity }) => severity === 'error').map(() => path),
  )
  if (
    errors.length === 0 ||
    workspace.project.settings.diagnostics.some(({ severity }) => severity === 'error')
  )
    return []
  const files = new Set(errors).size
  const svc = svcIn(workspace.environment.name)
  return [
    fail(
      'files',
      `${countOf(errors.length, 'error')} in ${countOf(files, 'file')}`,
      `${svc('validate')} shows them.`,
    ),
  ]
}

/** Checks the variables that assets name as `env:NAME`. Prints names, never values. */
export function checkVariables(workspace: OpenedWorkspace): DoctorCheck[] {
  const users = new Map<string, string>()
  for (const asset of workspace.project.byName.values()) {
    for (const match of asset.text.matchAll(/\benv:([A-Za-z_][A-Za-z0-9_]*)/g))
      users.set(match[1] ?? '', asset.path)
  }
  if (users.size === 0) return []
  const missing = [...users].filter(([name]) => (workspace.world.env[name] ?? '') === '')
  if (missing.length === 0) return [ok('variables', `${countOf(users.size, 'environment variable')} set`)]
  const names = missing.map(([name, path]) => `${name} (${path})`).join(', ')
  return [fail('variables', `not set: ${names}`, 'Set them in the environment that svc starts in.')]
}

/** @param writes whether the file is written that declares what its database has */
export async function checkWarehouse(workspace: OpenedWorkspace, writes: boolean): Promise<DoctorCheck[]> {
  try {
    const warehouse = await workspace.warehouse()
    const waiting: DoctorCheck[] = []
    const svc = svcIn(workspace.environment.name)
    const onLog = (log: WaitingLog) => waiting.push(checkLog(log, svc))
    const session = await warehouse.open('read', { signal: workspace.signal, waitMs: 2000, onLog })
    try {
      const rights = await checkRights(warehouse, session, workspace)
      const answered =
        session === undefined
          ? [await nothingYet(warehouse, svc), ...rights]
          : [...(await checkSession({ warehouse, session, rights }, workspace)), ...waiting]
      return [...answered, ...(await checkDeclared({ workspace, warehouse, writes }))]
    } finally {
      await session?.close()
    }
  } catch (error) {
    return [failOf('warehouse', error, 'Is the address in svc.yaml right?', workspace.environment.name)]
  }
}

/** A copy of the file is what people take for a backup, so they are told of what it is without. */
function checkLog(log: WaitingLog, svc: CommandLine): DoctorCheck {
  return advise(
    'warehouse log',
    waitingLogText(log, svc),
    `Copy the warehouse with: ${svc('backup <file>')}.`,
  )
}

async function nothingYet(warehouse: Warehouse, svc: CommandLine): Promise<DoctorCheck> {
  const obstacle = await warehouse.obstacle?.()
  if (obstacle !== undefined) throw obstacle
  const isServer = warehouse.missingRights !== undefined
  const what = isServer ? 'answers, and svc has made nothing in it yet' : 'does not exist yet'
  return fail('warehouse', `${warehouse.label} ${what}`, `Make it with: ${svc('init')}.`)
}

interface Opened {
  readonly warehouse: Warehouse
  readonly session: WarehouseSession
  readonly rights: readonly DoctorCheck[]
}

/** Where rights are missing, the state may be closed to the role: then the rights are what there is to say. */
async function checkSession(
  { warehouse, session, rights }: Opened,
  workspace: OpenedWorkspace,
): Promise<DoctorCheck[]> {
  const answers = `${warehouse.label} answers`
  try {
    const holder = await warehouse.leaseHolder(workspace.environment.stateName)
    const busy =
      holder === undefined ? '' : `; ${holder.command} by ${holder.user} is running (process ${holder.pid})`
    return [ok('warehouse', `${answers}${busy}`), ...rights, ...(await checkState(session, workspace))]
  } catch (error) {
    const isClosed = rights.some(({ status }) => status === 'FAIL')
    if (!isClosed || !(error instanceof SvcError) || error.code !== 'warehouse-failed') throw error
    const state = fail('state tables', error.message, 'Give the role its rights first.')
    return [ok('warehouse', answers), ...rights, state]
  }
}

/** Checks state tables and production schema. A schema without any deployment is no failure. */
async function checkState(session: WarehouseSession, workspace: OpenedWorkspace): Promise<DoctorCheck[]> {
  const { schema, name, stateName } = workspace.environment
  const svc = svcIn(name)
  const lost = await session.state.lost()
  if (lost.length > 0) {
    const what = `Restore the warehouse from a backup, or make what is missing again, empty, with: ${svc('init')}.`
    return [fail('state tables', `missing: ${lost.join(', ')}`, what)]
  }
  const names = new Set((await session.relations('svc')).map(relation => relation.name))
  if (!names.has('svc_meta'))
    return [fail('state tables', 'there are none', `Make them with: ${svc('init')}.`)]
  const state = await session.state.read(stateName)
  const { sameName } = session.dialect.engine
  const exists = (await session.schemas('')).some(each => sameName(each, schema))
  const tables = ok(
    'state tables',
    `svc_state_history and svc_catalog; deployment ${state.generation} of ${name}`,
  )
  if (exists) {
    const schemaCheck = ok('schema', `${schema} exists, ${countOf(state.live.size, 'asset')} deployed`)
    const live = await checkLiveTables(session, workspace, state)
    return [tables, schemaCheck, ...live, ...(await checkLiveData(session, workspace, state))]
  }
  if (state.live.size === 0) return [tables, ok('schema', `${schema} is made by the first svc run`)]
  return [
    tables,
    fail(
      'schema',
      `${schema} is gone, though ${countOf(state.live.size, 'asset')} are deployed`,
      `Make it again with: ${svc('run')}.`,
    ),
  ]
}

/** Compares the live map with what exists: somebody may have dropped a view, or a table behind one. */
async function checkLiveTables(
  session: WarehouseSession,
  { environment }: OpenedWorkspace,
  state: StateSnapshot,
): Promise<DoctorCheck[]> {
  if (state.live.size === 0) return []
  const damageOf = buildDamage(await builtInventory(session, state))
  const gone = damagedAssets(state, damageOf, 'gone')
  const remade = damagedAssets(state, damageOf, 'replaced')
  const views = [...(await damagedViews(session, state))]
  const missing = views.flatMap(([asset, damage]) => (damage === 'dropped' ? [asset] : []))
  // What production shows is compared with the view behind it.
  const replaced = views.flatMap(([asset, damage]) =>
    damage === 'replaced' && !remade.includes(asset) ? [asset] : [],
  )
  if (gone.length + remade.length + missing.length + replaced.length === 0)
    return [ok('live tables', `all ${state.live.size} are there`)]
  const what = [
    ...(gone.length === 0 ? [] : [`the table or load of ${listOf(gone)} is gone`]),
    ...(remade.length === 0 ? [] : [`the view behind ${listOf(remade)} was replaced, not by svc`]),
    ...(missing.length === 0 ? [] : [`the view of ${listOf(missing)} is gone`]),
    ...(replaced.length === 0 ? [] : [`the view of ${listOf(replaced)} was replaced, not by svc`]),
  ]
  const again = svcIn(environment.name)(replaced.length === 0 ? 'run' : 'run --replace-views')
  return [fail('live tables', what.join('; '), `Make them again with: ${again}.`)]
}

/** The time in which tables are read; a check of a large warehouse must end too. */
const readingMs = 5000

/** Reads the live tables, because a damaged part of a file shows only when it is read. */
async function checkLiveData(
  session: WarehouseSession,
  { signal, environment }: OpenedWorkspace,
  state: StateSnapshot,
): Promise<DoctorCheck[]> {
  const relations = await liveTables(session, state)
  const time = AbortSignal.timeout(readingMs)
  const damaged: string[] = []
  let read = 0
  let failure: SvcError | undefined
  for (const relation of relations) {
    try {
      await session.query(session.dialect.readThrough(relation), AbortSignal.any([signal, time]))
    } catch (error) {
      if (time.aborted && !signal.aborted) break
      if (!(error instanceof SvcError) || signal.aborted) throw error
      failure ??= error
      damaged.push(relation.name)
    }
    read++
  }
  if (failure !== undefined) {
    const { hint = 'Restore a copy of the warehouse.' } = failure.inEnvironment(environment.name)
    return [fail('live data', `${failure.message}: ${listOf(damaged)}`, hint)]
  }
  if (relations.length === 0) return []
  const rest = relations.length - read
  const unread = rest === 0 ? '' : `, ${rest} not within ${readingMs / 1000} s`
  return [ok('live data', `${countOf(read, 'table')} read through${unread}`)]
}

/** Returns the tables of live builds and of the loads behind them, small ones first. */
async function liveTables(session: WarehouseSession, state: StateSnapshot): Promise<readonly Relation[]> {
  const keys = [...state.live.values()].flatMap(({ build_key }) => [
    build_key,
    ...(state.builds.get(build_key)?.pins ?? []),
  ])
  const builds = [...new Set(keys)].flatMap(key => state.builds.get(key) ?? [])
  const wanted = builds.flatMap(build => [build, ...Object.values(build.children)])
  const inventory = await session.inventory(greenPrefix)
  const isTable = ({ schema, name }: Relation) =>
    inventory.get(schema)?.some(each => each.name === name && each.kind === 'table') === true
  return wanted
    .filter(({ relation }) => isTable(relation))
    .toSorted((a, b) => (a.rows ?? 0) - (b.rows ?? 0))
    .map(({ relation }) => relation)
}

function listOf(names: readonly string[]): string {
  const hidden = names.length - mostColumns
  return `${names.slice(0, mostColumns).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`
}

export async function checkSources(workspace: OpenedWorkspace): Promise<DoctorCheck[]> {
  const peeks = await peekSources(workspace, [...workspace.project.byName.values()])
  return peeks.map(peek => checkSource(peek, workspace.environment.name))
}

function checkSource({ asset, tables, error }: Peek, environment: string): DoctorCheck {
  const name = `source ${asset.name}`
  if (error !== undefined) return failOf(name, error, `See the ingest block of ${asset.path}.`, environment)
  const columns =
    tables?.find(table => table.child === undefined)?.columns.filter(column => !column.system) ?? []
  const children = (tables?.length ?? 1) - 1
  const more = children > 0 ? `, ${countOf(children, 'child table')}` : ''
  return ok(
    name,
    `${asset.definition.ingest.type}: ${countOf(columns.length, 'column')}${more}${namesOf(columns.map(column => column.name))}`,
  )
}

const mostColumns = 8

function namesOf(columns: readonly string[]): string {
  if (columns.length === 0) return ''
  const hidden = columns.length - mostColumns
  return ` (${columns.slice(0, mostColumns).join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''})`
}

function branchText(branch: string | undefined): string {
  return branch === undefined ? 'on no git branch' : `branch ${branch}`
}
