/**
 * Makes the context pack of an upload (interface.md 2.8, decisions 4): the current content of the project's
 * files, and what is written of the last runs, which commands bring up to date before. It contains neither a secret nor a row
 * of data.
 */

import { join } from 'node:path'
import type { CatalogFile, ContextPack, HistoryRun, LineageEdge, TestResultsFile } from '@svc/server/contract'
import {
  credentialCode,
  type Diagnostic,
  doorOf,
  exportGlossary,
  type Metric,
  redact,
} from '@svc/server/language'
import { parseHistory } from '../artifacts/history.ts'
import { wholeBlocks } from '../artifacts/inherited-blocks.ts'
import { makeManifest, makeOutline } from '../artifacts/manifest.ts'
import { publishesOf } from '../artifacts/publishes.ts'
import { readJson, readText } from '../artifacts/read-file.ts'
import { catalogFile } from '../artifacts/write-artifacts.ts'
import { toCleanJson } from '../artifacts/write-file.ts'
import { historyFile } from '../artifacts/write-history.ts'
import { SvcError } from '../errors.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { problemsWith } from '../workspace/problems.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { packGlossary } from './pack-glossary.ts'
import { packVersions } from './pack-versions.ts'

/**
 * `wasDeployed`: whether the warehouse says that something was deployed in the environment; undefined if it could not be asked.
 * Throws SvcError `invalid-project`, because files with errors would give an incomplete pack.
 */
export async function makePack(
  workspace: OpenedWorkspace,
  wasDeployed: boolean | undefined,
): Promise<ContextPack> {
  const { pack, errors, catalog } = await gatherPack(workspace)
  if (errors === 0) return withLive(withoutDefaults(pack), catalog, wasDeployed)
  throw new SvcError('invalid-project', `the project has ${errors} errors`, {
    hint: 'svc validate shows all of them.',
  })
}

/** The store has no `svc.yaml`: what assets inherit becomes a part of their blocks. */
function withoutDefaults({ assets, ...pack }: ContextPack): ContextPack {
  return {
    ...pack,
    assets: assets.map(({ inherited, blocks, ...asset }) => ({
      ...asset,
      ...(blocks !== undefined && { blocks: wholeBlocks(blocks, inherited) }),
    })),
  }
}

/**
 * What is live, and since when: the store has no other way to know it than the order of versions, which clocks may upset. Where
 * nothing was ever deployed nothing is said of it, because what the store has is then what others uploaded.
 */
function withLive(
  { assets, ...pack }: ContextPack,
  catalog: CatalogFile | undefined,
  wasDeployed: boolean | undefined,
): ContextPack {
  const entries = new Map(catalog?.assets.map(entry => [entry.name, entry]))
  const saysLive = wasDeployed ?? catalog !== undefined
  const unknown = saysLive ? notLive : {}
  return {
    ...pack,
    assets: assets.map(asset => {
      const entry = entries.get(asset.name ?? '')
      if (entry === undefined) return { ...asset, ...unknown }
      const { last_run, rows, seconds, freshness } = entry
      const live = entry.active_hash === null ? unknown : liveIn(entry)
      return { ...asset, ...live, last_run, seconds, rows, freshness }
    }),
  }
}

function liveIn({
  active_hash,
  deployed_at = null,
  deployed_by = null,
  loaded_at = null,
}: CatalogFile['assets'][number]) {
  return { active_hash, deployed_at, deployed_by, loaded_at }
}

const notLive = { active_hash: null, deployed_at: null, deployed_by: null, loaded_at: null }

export interface Gathered {
  /** What the last run or whoever asked after it has written about the environment. */
  readonly catalog: CatalogFile | undefined
  readonly pack: ContextPack
  /** The number of errors in the project's files. */
  readonly errors: number
  /** The runs of the environment, newest first. */
  readonly runs: readonly HistoryRun[]
  /** The assets that each metric reads, by its identifier: the pack has those alone that `source_assets` names. */
  readonly metricReads: ReadonlyMap<string, readonly string[]>
}

/** Also of a project with errors: what is known of it. */
export async function gatherPack(workspace: OpenedWorkspace): Promise<Gathered> {
  const { project, environment, world } = workspace
  const analysis = await workspace.analysis()
  const problems = [...problemsWith(workspace, analysis).values()].flat()
  const at = world.now().toISOString()
  const manifest = makeManifest(workspace, makeOutline({ project, analysis, environment, at }))
  const folder = await workspace.stateFolder()
  const names = new Set(project.byName.keys())
  const catalog = ofEnvironment(readJson<CatalogFile>(join(folder, catalogFile)), environment.name)
  const history = parseHistory(readText(join(folder, historyFile)) ?? '')
  const own = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
  const pack: ContextPack = {
    ...manifest,
    lineage: manifest.lineage.map(asExposure),
    environment: environment.name,
    exposures: [...exposuresOf(workspace), ...targetsOf(workspace)],
    glossary: packGlossary(exportGlossary(project.glossary, project.settings.name, project.byName.values())),
    versions: own(packVersions(catalog, ofEnvironment(history, environment.stateName))),
    test_results: own(readJson<TestResultsFile>(join(folder, 'test_results.json')) ?? {}),
    git: environment.branch === undefined ? null : { branch: environment.branch },
  }
  const secrets = [...secretsOf(workspace), ...secretsInFiles(workspace, problems)]
  const clean = <T>(value: T) => JSON.parse(toCleanJson(value, text => redact(text, secrets))) as T
  return {
    catalog,
    pack: clean(pack),
    runs: clean(ofEnvironment(history, environment.stateName)?.runs ?? []),
    errors: problems.filter(problem => problem.severity === 'error').length,
    metricReads: new Map(project.glossary.metrics.map(metric => [metric.id, assetsOf(metric)])),
  }
}

/** Returns the secrets that a check has found in files, which are in no pack of a project with these errors. */
function secretsInFiles(
  { textOf }: Pick<OpenedWorkspace, 'textOf'>,
  problems: readonly Diagnostic[],
): readonly string[] {
  return problems
    .filter(({ code }) => code === credentialCode)
    .map(({ path, range }) => textOf(path)?.slice(range.start, range.end) ?? '')
    .filter(text => text.length >= shortestSecret)
}

/** Hiding shorter texts would make ordinary ones unreadable. */
const shortestSecret = 4

function assetsOf({ sql, sourceAssets }: Metric): readonly string[] {
  return [...sourceAssets, ...(sql?.tags ?? []).flatMap(tag => (tag.kind === 'ref' ? [tag.name] : []))]
}

function exposuresOf({ project }: OpenedWorkspace): CatalogFile['exposures'] {
  return [...project.byName.values()].flatMap(({ name: asset, definition }) =>
    definition.exposures.map(({ name, type, url, owner, description }) => ({
      name,
      asset,
      type,
      url: url ?? null,
      owner: owner ?? null,
      description: description ?? null,
    })),
  )
}

/**
 * To the hosted store a publish target is somebody outside who gets an asset. It keeps which columns flow, not what
 * decides about rows, nor what is done to values: older ones refuse members that they do not know.
 */
function asExposure({ from, to, kind, columns }: LineageEdge): LineageEdge {
  return {
    from,
    to,
    kind: kind === 'publish' ? 'exposure' : kind,
    columns: columns.map(({ transform: _, ...pair }) => pair),
  }
}

function targetsOf({ project }: OpenedWorkspace): CatalogFile['exposures'] {
  return publishesOf(project, []).map(({ name, asset, type, resource, mode }) => ({
    ...{ name: doorOf(name), asset, type: 'publish', url: null, owner: null },
    description: [type, resource, mode].filter(part => part !== null).join(', '),
  }))
}

/** Files that a run on another git branch wrote do not describe this one. */
function ofEnvironment<T extends { readonly environment: string }>(
  file: T | undefined,
  name: string,
): T | undefined {
  return file?.environment === name ? file : undefined
}
