/** Begins a catalogue with what another one knew of an earlier snapshot, and hands on what this one knows. */
import type { Asset, AssetAnalysis, Project, ProjectAnalysis } from '../language/index.ts'
import { readsOf, type Snapshot, testReadsOf, usesVars, varsSignature } from './changes.ts'
import { shapeForReaders } from './entry.ts'
import { inCycle } from './graph.ts'
import {
  type CatalogMemory,
  type KeptAnalysis,
  keptHead,
  keptLineage,
  keptUses,
  type RevivedEntry,
  revivedAnalysis,
  revivedEntry,
} from './memory.ts'
import { type Outside, outsideSignature } from './outside.ts'
import { addTo } from './sets-by-key.ts'
import { openShape } from './shape.ts'
import type { Entry, State } from './state.ts'
import { isLossDiagnostic } from './too-expensive.ts'

/** All of it still holds: nothing is to be bound, and no graph is needed to find that out. Else undefined. */
export function wholeMemory(
  memory: CatalogMemory,
  project: Project,
  outside: Outside,
  load: readonly string[],
): ProjectAnalysis | undefined {
  if (memory.entries.size !== project.byName.size || memory.vars !== groundOf(project.settings, load))
    return undefined
  for (const [name, asset] of project.byName) {
    const kept = memory.entries.get(name)
    if (kept === undefined || kept.holds === 'never' || !isOf(kept, asset, outside)) return undefined
  }
  const revived = new Map<string, AssetAnalysis>()
  return {
    of(name) {
      const known = revived.get(name)
      const asset = project.byName.get(name)
      const kept = memory.entries.get(name)
      if (known !== undefined || asset === undefined || kept === undefined) return known
      const analysis = revivedAnalysis(name, kept, asset)
      revived.set(name, analysis)
      return analysis
    },
  }
}

/** Fills a fresh state. The snapshot that it then has differs from `project` in all that is to be looked at again. */
export function recall(state: State, memory: CatalogMemory, project: Project, outside: Outside): void {
  // With other extensions there are other functions.
  if (memory.entries.size === 0 || loadedIn(memory.vars) !== state.load.join(';')) return
  const sameVars = memory.vars === groundOf(project.settings, state.load)
  const assets = new Map<string, Asset>()
  for (const [name, kept] of memory.entries) {
    const asset = project.byName.get(name)
    const holds =
      asset !== undefined &&
      kept.holds === 'always' &&
      isOf(kept, asset, outside) &&
      (sameVars || !usesVars(asset))
    // Columns are compared with what they were, so that readers of an asset that keeps them need not be looked at.
    const revived = revivedEntry(name, kept, holds ? asset : undefined, state.engine)
    const entry = withLastGood(revived, holds ? kept : undefined)
    state.entries.set(name, entry)
    state.tables.set(name, () => shapeForReaders(entry))
    assets.set(name, holds ? asset : gone)
    if (holds) addToGraph(state, name, asset)
  }
  state.snapshot = { assets, outside, settings: project.settings }
}

/** Stands in a snapshot for an asset that is another one by now, or none. */
const gone = {} as Asset

/** `kept`: the texts, where they still hold. */
function withLastGood(entry: RevivedEntry, kept: KeptAnalysis | undefined): Entry {
  return {
    get bound() {
      return entry.bound
    },
    get tests() {
      return entry.tests
    },
    get units() {
      return entry.units
    },
    get lastGood() {
      const { shape, diagnostics } = entry.bound
      const isGood = shape !== openShape && diagnostics.every(({ severity }) => severity !== 'error')
      return isGood ? shape : undefined
    },
    analysis: entry.analysis,
    ...(kept !== undefined && { kept }),
  }
}

function addToGraph(state: State, name: string, asset: Asset): void {
  const reads = readsOf(asset)
  state.written.set(name, reads)
  state.graph.set(name, reads)
  for (const other of testReadsOf(asset)) addTo(state.testReaders, other, name)
}

function isOf(kept: KeptAnalysis, asset: Asset, outside: Outside): boolean {
  return (
    kept.textHash === asset.textHash &&
    kept.path === asset.path &&
    kept.outside === outsideSignature(outside, asset.name)
  )
}

/** Of all that is known for certain now. */
export function memoryOf(
  state: State,
  snapshot: Snapshot,
  mayKeep: (asset: Asset) => boolean,
): CatalogMemory {
  const entries = new Map<string, KeptAnalysis>()
  for (const [name, asset] of snapshot.assets) {
    const entry = state.entries.get(name)
    if (entry === undefined || state.stale.has(name)) continue
    if (state.staleTests.has(name) || state.staleUnits.has(name)) continue
    entries.set(name, entry.kept ?? keptAnalysis(state, snapshot, entry, asset, mayKeep(asset)))
  }
  return { vars: groundOf(snapshot.settings, state.load), entries }
}

/** What all SQL may rest on: a line with the extensions that are loaded, where there are some, and the variables. */
function groundOf(settings: Snapshot['settings'], load: readonly string[]): string {
  const vars = varsSignature(settings)
  return load.length === 0 ? vars : `${load.join(';')}\n${vars}`
}

function loadedIn(ground: string): string {
  return ground.slice(0, Math.max(0, ground.lastIndexOf('\n')))
}

/** The texts are made when they are written: those of ten thousand assets would take much memory side by side. */
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
    path: asset.path,
    textHash: asset.textHash,
    outside: outsideSignature(snapshot.outside, asset.name),
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
 * Whether more than what the asset reads can change what is said of it: what is missing is taken for what is nearest
 * in name, and members of cycles do not know each other.
 */
function restsOnOthers(state: State, snapshot: Snapshot, bound: Entry['bound'], asset: Asset): boolean {
  return (
    state.graph.levelOf(asset.name) === inCycle ||
    [...readsOf(asset), ...testReadsOf(asset)].some(name => !snapshot.assets.has(name)) ||
    bound.diagnostics.some(({ code }) => code === 'sql-unknown-table') ||
    (state.entries.get(asset.name)?.tests?.diagnostics ?? []).some(({ code }) => code === 'sql-unknown-table')
  )
}
