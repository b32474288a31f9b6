/** What the written files say of an asset depends on its key: where it is as it was, they say the same. */
import type { TestResult } from '@svc/server/contract'
import { type Asset, type Project, readWithOf } from '@svc/server/language'
import type { NewestRows } from '../quality/newest-rows.ts'
import type { StateSnapshot } from '../state/state.ts'
import { type OpenedWorkspace, sha256 } from '../workspace/open-workspace.ts'
import { isSameResult, standingVerdicts } from './test-results.ts'

export interface AssetKeys {
  /** What the asset has from its own file. What it has from those above it, their keys tell. */
  readonly file: string
  /** What the runs found, but for their times; and who reads the asset. */
  readonly found: string
}

export interface Found {
  readonly state: StateSnapshot | undefined
  /** The results of this run, including those that it took over. */
  readonly fresh: readonly TestResult[]
  readonly newestRows: NewestRows | undefined
}

/** Returns the keys of each asset of the project, by name. */
export function keysOf(project: Project, found: Found): ReadonlyMap<string, AssetKeys> {
  const tests = testsByAsset(project, found)
  return new Map(
    [...project.byName.values()].map(asset => [
      asset.name,
      { file: fileKey(asset), found: foundKey(asset.name, project, found, tests.get(asset.name) ?? '') },
    ]),
  )
}

function fileKey(asset: Asset): string {
  return `${asset.path} ${asset.textHash} ${asset.macroHash ?? ''} ${readWithOf(asset)}`
}

function foundKey(name: string, project: Project, { state, newestRows }: Found, tests: string): string {
  const live = state?.live.get(name)
  const rows = live && state?.builds.get(live.build_key)?.rows
  const newest = newestRows?.get(name)
  const row = newest === undefined ? '' : JSON.stringify(newest)
  return sha256(
    `${live?.definition_hash} ${live?.build_key} ${rows} ${row} ${project.children(name)} ${tests}`,
  )
}

function testsByAsset(project: Project, { state, fresh }: Found): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  const add = (asset: string, text: string) => all.set(asset, `${all.get(asset) ?? ''}\n${text}`)
  const tests = state === undefined ? [] : [...standingVerdicts(state, project)]
  // A scan may be shared with tests of other assets, whose results say so too.
  const scans = new Map<number, number>()
  for (const { seconds } of tests) scans.set(seconds, (scans.get(seconds) ?? 0) + 1)
  for (const { asset, name, status, seconds, ran_at, run_id } of tests)
    add(asset, `${name} ${status} ${seconds} ${ran_at} ${run_id} ${scans.get(seconds)}`)
  for (const { asset, name, kind, status, seconds, ran } of fresh) {
    if (!ran && kind !== 'unit') continue
    // A failed run finds results that the tables do not hold.
    if (!isSameResult(state?.tests.get(`${asset}\n${name}`), { status, seconds }))
      add(asset, `${name} ${kind} ${status} ${seconds} ${ran}`)
  }
  return all
}

/** Returns a hash of what concerns every asset; `secrets` are included because the files hide them. */
export function sharedKey(workspace: OpenedWorkspace, secrets: readonly string[]): string {
  const { root, environment, project, sources, found, settingsText, world } = workspace
  const { name, schema, warehouseUrl, vars } = environment
  const about = [
    world.program,
    root,
    name,
    schema,
    warehouseUrl,
    vars,
    settingsText,
    secrets,
    [...sources],
    [...found],
    project.glossary.file?.text,
  ]
  return sha256(JSON.stringify(about))
}

/**
 * Returns the assets about which their files may say something else than before: those that changed, and all below them,
 * whose columns may have. Undefined means all.
 */
export function changedByFiles(
  project: Project,
  before: ReadonlyMap<string, AssetKeys>,
  now: ReadonlyMap<string, AssetKeys>,
): ReadonlySet<string> | undefined {
  // Who read an asset that is gone is not known any more.
  if ([...before.keys()].some(name => !now.has(name))) return undefined
  const changed = new Set(
    [...now].flatMap(([name, { file }]) => (before.get(name)?.file === file ? [] : name)),
  )
  // A set that grows is walked to its end.
  for (const name of changed) for (const child of project.children(name)) changed.add(child)
  return changed
}
