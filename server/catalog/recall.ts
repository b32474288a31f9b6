/** Starts a catalogue with the memory of another one, and writes the memory of this one. */
import { cachePath, isMetricKey, metricAssets } from '../language/glossary/metric-asset.ts'
import {
  type Asset,
  type AssetAnalysis,
  type Project,
  type ProjectAnalysis,
  readWithOf,
} from '../language/index.ts'
import { readsOf, type Snapshot, testReadsOf, usesVars, varsSignature } from './changes.ts'
import { shapeForReaders } from './entry.ts'
import { inCycle } from './graph.ts'
import {
  type CatalogMemory,
  type KeptAnalysis,
  keptHead,
  keptLineage,
  keptUses,
  revivedAnalysis,
  revivedEntry,
} from './memory.ts'
import { type Outside, outsideSignature } from './outside.ts'
import { addTo } from './sets-by-key.ts'
import type { Entry, State } from './state.ts'
import { isLossDiagnostic } from './too-expensive.ts'

/**
 * Returns an analysis if the entire memory is still valid: nothing must be bound, and no graph is needed to
 * see that. Otherwise returns undefined.
 */
export function wholeMemory(
  memory: CatalogMemory,
  project: Project,
  outside: Outside,
  load: readonly string[],
): ProjectAnalysis | undefined {
  const metrics = metricAssets(project)
  if (memory.entries.size !== project.byName.size + metrics.size) return undefined
  if (memory.vars !== groundOf(project.settings, load)) return undefined
  for (const subjects of [project.byName, metrics])
    for (const [name, asset] of subjects) {
      const kept = memory.entries.get(name)
      if (kept === undefined || kept.holds === 'never' || !isOf(kept, asset, outside)) return undefined
    }
  const revived = new Map<string, AssetAnalysis>()
  return {
    of(name) {
      const known = revived.get(name)
      const asset = project.byName.get(name) ?? metrics.get(name)
      const kept = memory.entries.get(name)
      if (known !== undefined || asset === undefined || kept === undefined) return known
      const analysis = revivedAnalysis(name, kept, asset)
      revived.set(name, analysis)
      return analysis
    },
  }
}

/**
 * Fills a fresh state. Its snapshot then differs from `project` in everything that has to be analyzed again.
 */
export function recall(state: State, memory: CatalogMemory, project: Project, outside: Outside): void {
  // Other extensions mean other functions.
  if (memory.entries.size === 0 || loadedIn(memory.vars) !== state.load.join(';')) return
  const sameVars = memory.vars === groundOf(project.settings, state.load)
  const assets = new Map<string, Asset>()
  const metrics = new Map<string, Asset>()
  for (const [name, kept] of memory.entries) {
    const isMetric = isMetricKey(name)
    const asset = isMetric ? metricAssets(project).get(name) : project.byName.get(name)
    const holds =
      asset !== undefined &&
      kept.holds === 'always' &&
      isOf(kept, asset, outside) &&
      (sameVars || !usesVars(asset))
    // The old columns are kept for comparison: readers of an asset whose columns stay the same need no new
    // analysis.
    const entry = revivedEntry(name, kept, holds ? asset : undefined, state.engine)
    state.entries.set(name, entry)
    state.tables.set(name, () => shapeForReaders(entry))
    const subjects = isMetric ? metrics : assets
    subjects.set(name, holds ? asset : gone)
    if (holds) addToGraph(state, name, asset)
  }
  state.snapshot = { assets, metrics, outside, settings: project.settings }
}

/** Represents in a snapshot an asset that has changed or is gone. */
const gone = {} as Asset

function addToGraph(state: State, name: string, asset: Asset): void {
  const reads = readsOf(asset)
  state.written.set(name, reads)
  state.graph.set(name, reads)
  for (const other of testReadsOf(asset)) addTo(state.testReaders, other, name)
}

function isOf(kept: KeptAnalysis, asset: Asset, outside: Outside): boolean {
  return (
    kept.textHash === asset.textHash &&
    kept.readWith === readWithOf(asset) &&
    kept.path === cachePath(asset) &&
    kept.outside === groundBeside(outside, asset)
  )
}

/** Returns what the analysis of an asset depends on besides its file: its source, and the macros in its SQL. */
function groundBeside(outside: Outside, asset: Asset): string {
  const signature = outsideSignature(outside, asset.name)
  return asset.macroHash === undefined ? signature : `${asset.macroHash} ${signature}`
}

/** Returns the memory of all entries that are up to date. */
export function memoryOf(
  state: State,
  snapshot: Snapshot,
  mayKeep: (asset: Asset) => boolean,
): CatalogMemory {
  const entries = new Map<string, KeptAnalysis>()
  for (const subjects of [snapshot.assets, snapshot.metrics])
    for (const [name, asset] of subjects) {
      const entry = state.entries.get(name)
      if (entry === undefined || state.stale.has(name)) continue
      if (state.staleTests.has(name) || state.staleUnits.has(name)) continue
      entries.set(name, entry.kept ?? keptAnalysis(state, snapshot, entry, asset, mayKeep(asset)))
    }
  return { vars: groundOf(snapshot.settings, state.load), entries }
}

/**
 * Returns what any SQL may depend on: a line with the loaded extensions, if there are any, and the variables.
 */
function groundOf(settings: Snapshot['settings'], load: readonly string[]): string {
  const vars = varsSignature(settings)
  return load.length === 0 ? vars : `${load.join(';')}\n${vars}`
}

function loadedIn(ground: string): string {
  return ground.slice(0, Math.max(0, ground.lastIndexOf('\n')))
}

/**
 * Makes the texts one at a time when they are written: those of ten thousand assets would take much memory.
 */
function keptAnalysis(
  state: State,
  snapshot: Snapshot,
  { bound, tests, units }: Entry,
  asset: Asset,
  mayKeep: boolean,
): KeptAnalysis {
  const found = [...bound.diagnostics, ...(tests?.diagnostics ?? [])]
  const isStopped = found.some(isLossDiagnostic) || units?.some(({ stopped }) => stopped)
  const isSure = mayKeep && !isStopped
  const rests = isSure && restsOnOthers(state, snapshot, bound, asset)
  return {
    path: cachePath(asset),
    textHash: asset.textHash,
    readWith: readWithOf(asset),
    outside: groundBeside(snapshot.outside, asset),
    holds: isSure ? (rests ? 'unless-others-change' : 'always') : 'never',
    get head() {
      return keptHead({ bound, tests, units }, mayKeep, state.engine)
    },
    get lineage() {
      return keptLineage({ bound, tests, units })
    },
    get uses() {
      return keptUses({ bound, tests, units })
    },
  }
}

/**
 * Returns whether the analysis depends on more than the asset's inputs: a missing asset is read as the
 * nearest one in name, and members of cycles have no shape for each other.
 */
function restsOnOthers(state: State, snapshot: Snapshot, bound: Entry['bound'], asset: Asset): boolean {
  return (
    state.graph.levelOf(asset.name) === inCycle ||
    [...readsOf(asset), ...testReadsOf(asset)].some(name => !snapshot.assets.has(name)) ||
    bound.diagnostics.some(({ code }) => code === 'sql-unknown-table') ||
    (state.entries.get(asset.name)?.tests?.diagnostics ?? []).some(({ code }) => code === 'sql-unknown-table')
  )
}
