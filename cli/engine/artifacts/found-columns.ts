/**
 * The columns that a run found where SQL alone does not determine them: those of a PIVOT without a list of
 * values. They are stored in a file, from which `svc validate`, plans and the editor know them without the
 * warehouse.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FoundByAsset, FoundColumns } from '@svc/server/catalog'
import {
  type Asset,
  type Column,
  type ColumnOrigin,
  columnCalled,
  type Engine,
  knownDefinitionHash,
  namesPersonal,
  type Project,
  type ProjectAnalysis,
} from '@svc/server/language'
import { foundColumnsContent, foundColumnsFile, packedFound } from '@svc/server/workspace'
import { personalColumns } from '../quality/personal-columns.ts'
import type { StateSnapshot } from '../state/state.ts'
import { type OpenedWorkspace, sha256 } from '../workspace/open-workspace.ts'
import { toCleanJson, writeWhole } from './write-file.ts'

/** Updates the workspace with the columns of what was built. Throws SvcError `file-failed`. */
export async function learnFoundColumns(
  workspace: OpenedWorkspace,
  state: StateSnapshot | undefined,
  clean: (text: string) => string,
): Promise<void> {
  const before = textOf(workspace.found, clean)
  // The columns found for one asset may determine those of another, so this repeats until nothing changes.
  for (let level = 0; level <= workspace.project.byName.size; level++) {
    const found = await foundIn(workspace, state)
    if (textOf(found, clean) === textOf(workspace.found, clean)) break
    await workspace.learn(found)
  }
  const path = join(workspace.root, foundColumnsFile)
  const isSame = textOf(workspace.found, clean) === before
  if (isSame && (workspace.found.size === 0 || existsSync(path))) return
  const content = foundColumnsContent(workspace.root, workspace.project.engine, workspace.found)
  writeWhole(path, toCleanJson(content, clean), workspace.world.pid)
}

function textOf(found: FoundByAsset, clean: (text: string) => string): string {
  return toCleanJson(packedFound(found), clean)
}

async function foundIn(workspace: OpenedWorkspace, state: StateSnapshot | undefined): Promise<FoundByAsset> {
  const { project, found: before } = workspace
  const analysis = await workspace.analysis()
  const open = project.order.flatMap(name => openAsset(workspace, analysis, name) ?? [])
  const found = new Map<string, FoundColumns>()
  if (open.length === 0) return found
  const { groundOfFound } = await import('@svc/server/catalog')
  const around = {
    settings: project.settings,
    columnsOf: (name: string) => analysis.of(name)?.columns,
    rawTables: (name: string) => workspace.sources.get(name),
  }
  const withheld = personalNames(workspace, analysis, open)
  for (const asset of open) {
    if (withheld.has(asset.name)) continue
    const columns = state && builtColumns(workspace, state, analysis, asset)
    const now = columns && { ground: groundOfFound(asset, around), columns }
    const known = now ?? before.get(asset.name)
    if (known !== undefined) found.set(asset.name, known)
  }
  return found
}

function openAsset({ project }: OpenedWorkspace, analysis: ProjectAnalysis, name: string): Asset | undefined {
  const asset = project.byName.get(name)
  return asset?.sql !== undefined && analysis.of(name)?.complete === false ? asset : undefined
}

/** Returns undefined if the current definition of the asset and its upstream was not built yet. */
function builtColumns(
  workspace: OpenedWorkspace,
  state: StateSnapshot,
  analysis: ProjectAnalysis,
  asset: Asset,
): readonly Column[] | undefined {
  const { project, environment, sources } = workspace
  const { engine } = project
  // The newest run counts, whether it was deployed or not.
  const last = state.history[0]?.assets.find(({ name }) => name === asset.name)?.build_key
  const build = state.builds.get(last ?? state.live.get(asset.name)?.build_key ?? '')
  if (build?.definition_hash !== knownDefinitionHash(asset, engine, environment.vars, sha256))
    return undefined
  const read = build.pins.flatMap(pin => state.builds.get(pin) ?? [])
  const isAsRead = project.parents(asset.name).every(parent => {
    const columns = analysis.of(parent)?.columns ?? []
    const built = read.find(each => each.part === 'model' && each.asset === parent)?.columns
    return built?.length === columns.length && areIn(built, columns, engine)
  })
  const raw = read.find(({ part }) => part === 'raw')
  const isAsLoaded = (sources.get(asset.name) ?? []).every(({ child, columns }) => {
    const loaded = child === undefined ? raw?.columns : raw?.children[child]?.columns
    return loaded !== undefined && areIn(loaded, columns, engine)
  })
  return isAsRead && isAsLoaded ? build.columns : undefined
}

function areIn(built: readonly Column[], columns: readonly Column[], { fold, types }: Engine): boolean {
  const known = new Map(built.map(column => [fold(column.name), column.type]))
  return columns.every(({ name, type }) => {
    const own = known.get(fold(name))
    return own !== undefined && (type === undefined || types.same(types.parse(own), types.parse(type)))
  })
}

/**
 * Returns names of columns that may be personal data themselves, and of columns that read them with a star.
 * They are never stored.
 */
function personalNames(
  { project }: OpenedWorkspace,
  analysis: ProjectAnalysis,
  open: readonly Asset[],
): ReadonlySet<string> {
  const withheld = new Set<string>()
  if (!namesPersonal(project)) return withheld
  const personal = personalColumns(project, analysis)
  const mayCarry = (origin: ColumnOrigin) =>
    personal.carries(origin) || (origin.source === undefined && !isKnown(origin, project, analysis))
  for (const { name } of open) {
    const isPersonal = analysis.of(name)?.namesFrom?.some(mayCarry) === true
    if (isPersonal || project.parents(name).some(parent => withheld.has(parent))) withheld.add(name)
  }
  return withheld
}

/** A column that is not known yet might be personal. */
function isKnown({ asset, column }: ColumnOrigin, { engine }: Project, analysis: ProjectAnalysis): boolean {
  return columnCalled(analysis.of(asset)?.columns ?? [], column, engine) !== undefined
}
