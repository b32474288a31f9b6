/**
 * Writes the files for other programs (interface.md 2.13, decisions 4): to `.svc/<environment>/`, with copies
 * of the last environment in `.svc/` and, for the catalogue, in the project's root.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Manifest, TestResult } from '@svc/server/contract'
import { redact } from '@svc/server/language'
import { unitResults } from '../quality/unit-results.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { makeCatalog } from './catalog.ts'
import { learnFoundColumns } from './found-columns.ts'
import { makeManifest, makeOutline, type Outline } from './manifest.ts'
import { manifestMemory } from './manifest-memory.ts'
import { makeTestResults } from './test-results.ts'
import { copyWhole, toCleanJson, toJson, writeWhole } from './write-file.ts'
import { writeHistory } from './write-history.ts'

export interface ArtifactOptions {
  /** The results of this run. */
  readonly tests: readonly TestResult[]
  /** The state tables after the run; if undefined, they are read. */
  readonly state: StateSnapshot | undefined
}

export const catalogFile = 'svc_catalog.json'

/** Writes all files after a run, promotion or rollback. Throws SvcError `file-failed`. */
export async function writeArtifacts(workspace: OpenedWorkspace, options: ArtifactOptions): Promise<void> {
  const at = workspace.world.now().toISOString()
  const state = options.state ?? (await readLiveState(workspace))
  await learnFoundColumns(workspace, state, withoutSecrets(workspace))
  const analysis = await workspace.analysis()
  const { project, environment } = workspace
  const manifest = makeOutline({ project, analysis, environment, at })
  const fresh = [...unitResults(workspace, analysis, project.order), ...options.tests]
  const testResults = makeTestResults(state?.tests.values() ?? [], fresh, at)
  const excluded = workspace.excludedColumns
  const catalog = makeCatalog({ project, analysis, environment, state, manifest, testResults, excluded })
  await renewManifest(workspace, manifest)
  await writeFile(workspace, 'test_results.json', testResults)
  await writeHistory(workspace, { state, tests: fresh, at, clean: withoutSecrets(workspace) })
  // The catalogue is written last: programs that watch it read the other files when it changes.
  await writeFile(workspace, catalogFile, catalog, workspace.root)
}

/**
 * Writes the manifest, unless no file has changed since it was written; a new timestamp alone is no reason.
 */
async function renewManifest(workspace: OpenedWorkspace, outline: Outline): Promise<void> {
  const { root } = workspace
  const own = relative(root, await workspace.stateFolder())
  const files = manifestFiles.flatMap(name => [join(own, name), join('.svc', name)])
  const memory = manifestMemory(workspace, files, secretsOf(workspace))
  if (memory.isCurrent) return
  await writeManifestFiles(workspace, makeManifest(workspace, outline, memory.blocksOf))
  memory.keep()
}

const manifestFiles = ['manifest.json', 'lineage.json', 'schemas.json', 'tests.json'] as const

export interface ManifestResult {
  readonly manifest: Manifest
  /** The paths relative to the root. */
  readonly files: readonly string[]
  /** The number of entries that differ from the previous manifest. */
  readonly changed: number
}

/**
 * `svc manifest`. With `update`, entries of assets whose file is unchanged are kept, even if less is known
 * here (a source that was never loaded on this machine).
 */
export async function writeManifest(
  workspace: OpenedWorkspace,
  options: { readonly update: boolean },
): Promise<ManifestResult> {
  const analysis = await workspace.analysis()
  const { project, environment } = workspace
  const at = workspace.world.now().toISOString()
  const told = makeManifest(workspace, makeOutline({ project, analysis, environment, at }))
  const made = JSON.parse(toCleanJson(told, withoutSecrets(workspace))) as Manifest
  const before = readManifest(join(workspace.root, '.svc', environment.name, 'manifest.json'))
  const manifest = options.update && before !== undefined ? updated(before, made) : made
  const files = await writeManifestFiles(workspace, manifest)
  return { manifest, files, changed: changedEntries(before, manifest) }
}

async function writeManifestFiles(workspace: OpenedWorkspace, manifest: Manifest): Promise<string[]> {
  const clean = withoutSecrets(workspace)
  const whole = toJson(manifest)
  // The parts contain nothing that the whole manifest does not.
  const isClean = clean(whole) === whole
  const textOf = (value: unknown) => (isClean ? toJson(value) : toCleanJson(value, clean))
  const { lineage, schemas, tests } = manifest
  return [
    await writeText(workspace, 'manifest.json', isClean ? whole : textOf(manifest)),
    await writeText(workspace, 'lineage.json', textOf(lineage)),
    await writeText(workspace, 'schemas.json', textOf(schemas)),
    await writeText(workspace, 'tests.json', textOf(tests)),
  ]
}

async function writeFile(
  workspace: OpenedWorkspace,
  name: string,
  value: unknown,
  folder?: string,
): Promise<string> {
  return writeText(workspace, name, toCleanJson(value, withoutSecrets(workspace)), folder)
}

/**
 * Writes to the environment's folder and to the place of the contract; returns the latter, relative to the
 * root.
 */
async function writeText(
  workspace: OpenedWorkspace,
  name: string,
  text: string,
  folder = join(workspace.root, '.svc'),
): Promise<string> {
  const { pid } = workspace.world
  const path = join(await workspace.stateFolder(), name)
  writeWhole(path, text, pid)
  copyWhole(path, join(folder, name), pid)
  return folder === workspace.root ? name : `.svc/${name}`
}

/** Hides secrets in SQL and descriptions, which users write. */
function withoutSecrets(workspace: OpenedWorkspace): (text: string) => string {
  const secrets = secretsOf(workspace)
  return text => redact(text, secrets)
}

/** A missing or unreadable manifest is made again: it is only a copy of the files' content. */
function readManifest(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isManifest(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isManifest(value: unknown): value is Manifest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'assets' in value &&
    Array.isArray(value.assets) &&
    'schemas' in value &&
    typeof value.schemas === 'object' &&
    value.schemas !== null
  )
}

function updated(before: Manifest, made: Manifest): Manifest {
  const known = new Map(before.assets.map(entry => [entry.name, entry]))
  const assets = made.assets.map(entry => {
    const old = known.get(entry.name)
    return old !== undefined && old.text_hash === entry.text_hash && old.path === entry.path ? old : entry
  })
  return {
    ...made,
    assets,
    schemas: Object.fromEntries(assets.map(entry => [entry.name, entry.schema])),
  }
}

function changedEntries(before: Manifest | undefined, after: Manifest): number {
  const texts = (manifest: Manifest) =>
    new Map(manifest.assets.map(entry => [entry.name, JSON.stringify(entry)]))
  const old = before === undefined ? new Map<string, string>() : texts(before)
  const current = texts(after)
  const removed = [...old.keys()].filter(name => !current.has(name)).length
  return removed + [...current].filter(([name, text]) => old.get(name) !== text).length
}

/** Returns undefined if the warehouse does not exist yet. */
async function readLiveState(workspace: OpenedWorkspace): Promise<StateSnapshot | undefined> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', { signal: workspace.signal })
  if (session === undefined) return undefined
  try {
    return await session.state.read(workspace.environment.stateName)
  } finally {
    await session.close()
  }
}
