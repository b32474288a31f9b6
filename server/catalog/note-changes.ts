/**
 * Marks what an edit makes stale: updates the graphs, the stand-ins and the marks of a catalogue to a new
 * snapshot.
 */
import { metricAssets } from '../language/glossary/metric-asset.ts'
import type { Project } from '../language/index.ts'
import { nearestAssets } from '../language/project/asset-names.ts'
import type { Change } from './changes.ts'
import { addTo } from './sets-by-key.ts'
import type { State } from './state.ts'

export function noteChanges(state: State, change: Change, project: Project): void {
  const { graph, written, stale, staleTests, staleUnits, entries } = state
  const comeOrGone = new Set(change.removed)
  for (const { name } of change.changed) if (!entries.has(name)) comeOrGone.add(name)
  for (const name of comeOrGone) markReaders(state, name)
  const readers = new Set([...comeOrGone].flatMap(name => [...written.childrenOf(name)]))
  let isRewired = comeOrGone.size > 0
  for (const { name, reads, testReads } of change.changed) {
    if (written.set(name, reads)) isRewired = true
    readers.add(name)
    stale.add(name)
    staleTests.add(name)
    for (const other of testReads) addTo(state.testReaders, other, name)
  }
  for (const name of change.removed) {
    for (const part of [graph, written, entries, state.tables, state.standIns]) part.remove(name)
    stale.delete(name)
    staleTests.delete(name)
    staleUnits.delete(name)
  }
  if (isRewired) for (const name of state.standIns.readers()) readers.add(name)
  if (change.changed.length + change.removed.length > 0) forgetMeant(state, readers)
  placeStandIns(state, project, readers)
  for (const name of graph.settle()) {
    stale.add(name)
    markReaders(state, name)
  }
}

/**
 * Forgets which assets were meant by tables without a tag, so that they are resolved as in a fresh catalogue.
 */
function forgetMeant(state: State, readers: Set<string>): void {
  for (const name of state.meant.keys()) {
    readers.add(name)
    state.stale.add(name)
  }
  state.meant.clear()
}

/**
 * Updates the stand-ins of `readers`, those that may have other ones now. `graph` holds what assets read,
 * stand-ins included.
 */
function placeStandIns(state: State, project: Project, readers: ReadonlySet<string>): void {
  const exists = (name: string): boolean => project.byName.has(name)
  const metrics = metricAssets(project)
  for (const name of readers) {
    if (!exists(name) && !metrics.has(name)) continue
    const reads = state.standIns.place(name, state.written.parentsOf(name), exists, missing =>
      nearestAssets(project, missing),
    )
    if (state.graph.set(name, reads)) state.stale.add(name)
  }
}

/** Marks the readers of a changed asset; one that was deleted since is skipped when its turn comes. */
export function markReaders(state: State, name: string): void {
  for (const child of state.graph.childrenOf(name)) {
    state.stale.add(child)
    state.onStale?.(child)
  }
  for (const reader of state.testReaders.get(name) ?? []) state.staleTests.add(reader)
}
