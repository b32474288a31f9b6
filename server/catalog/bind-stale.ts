/** Binds the stale transforms level by level, then the SQL of stale tests. */
import { setImmediate } from 'node:timers/promises'
import type { Asset } from '../language/index.ts'
import { type BindContext, bindLevel } from './bind-level.ts'
import { type Bound, nothingBound } from './bound.ts'
import { isGood, newEntry, shapeForReaders } from './entry.ts'
import { readShape } from './known-world.ts'
import { markReaders } from './note-changes.ts'
import { addTo } from './sets-by-key.ts'
import { sameShape } from './shape.ts'
import { reaches } from './stand-ins.ts'
import type { State } from './state.ts'
import type { Task } from './task.ts'
import { checkTests, hasTestSql } from './tests-sql.ts'

/**
 * Binds level by level: assets of one level never read each other, so a change makes only later levels stale. Calls
 * `onBound` with each asset.
 */
export async function bindStale(task: Task, onBound: (name: string) => void): Promise<void> {
  const { state } = task
  for (const name of state.stale) if (!task.assetOf(name)) state.stale.delete(name)
  const due = dueIn(task)
  state.onStale = due.add
  due.addAll()
  for (let names = due.next(); names !== undefined && !task.isAborted(); names = due.next()) {
    await bindNames(task, names, onBound)
    if (readMeant(task, names)) due.addAll()
    // Whoever asks meanwhile, or takes the question back, must be heard also where nothing was waited for.
    await setImmediate()
  }
  state.onStale = undefined
}

/** How often an asset is bound in one analysis: once, and once more for each thing that was learned of what it reads. */
const mostTimes = 100

/** Returns the assets to bind, by level. What is stale but not wanted stays stale. */
function dueIn({ state, isWanted }: Task) {
  const levels = new Map<number, Set<string>>()
  const times = new Map<string, number>()
  let level = -1
  const add = (name: string): void => {
    if (isWanted(name)) addTo(levels, state.graph.levelOf(name), name)
  }
  const isDue = (name: string): boolean => {
    if (!state.stale.has(name) || state.graph.levelOf(name) !== level) return false
    const count = (times.get(name) ?? 0) + 1
    times.set(name, count)
    if (count > mostTimes) state.stale.delete(name)
    return count <= mostTimes
  }
  return {
    add,
    /** Adds all that is stale, after levels have changed. */
    addAll(): void {
      for (const name of state.stale) add(name)
      level = -1
    },
    /** Takes the names of the lowest level; undefined if there are no more. */
    next(): readonly string[] | undefined {
      if (levels.size === 0) return undefined
      level = levels.has(level + 1) ? level + 1 : Math.min(...levels.keys())
      const names = [...(levels.get(level) ?? [])]
      levels.delete(level)
      return names.filter(isDue)
    },
  }
}

/**
 * Marks as stale those of `names` that now read an asset which they name without a tag: they must be bound
 * after it, and it is wanted with them.
 */
function readMeant({ state, want }: Task, names: readonly string[]): boolean {
  const waiting = names.filter(name => {
    const reads = state.graph.parentsOf(name)
    const meant = [...(state.meant.get(name) ?? [])].filter(
      other => !reads.includes(other) && !reaches(state.graph, name, other),
    )
    return meant.length > 0 && state.graph.set(name, [...reads, ...meant])
  })
  if (waiting.length === 0) return false
  state.graph.settle()
  want(waiting)
  for (const name of waiting) state.stale.add(name)
  return true
}

async function bindNames(
  task: Task,
  names: readonly string[],
  onBound: (name: string) => void,
): Promise<void> {
  const assets = names.flatMap(name => task.assetOf(name) ?? [])
  const byName = new Map(assets.map(asset => [asset.name, asset]))
  const note = (name: string, bound: Bound) => {
    settle(task, byName.get(name), bound)
    onBound(name)
  }
  await bindLevel(contextOf(task), assets, note)
  for (const asset of assets) if (!asset.sql) note(asset.name, nothingBound)
}

function contextOf({ state, world, names, batchSize, guard, isAborted }: Task): BindContext {
  return { binder: state.binder, tables: state.tables, world, names, batchSize, guard, isAborted }
}

function settle({ state }: Task, asset: Asset | undefined, bound: Bound): void {
  if (asset === undefined) return
  const { name } = asset
  const before = state.entries.get(name)
  const known = state.remembersColumns ? before?.lastGood : undefined
  const lastGood = isGood(asset, bound) ? bound.shape : known
  const entry = newEntry(name, { bound, tests: before?.tests, units: undefined, lastGood })
  state.entries.set(name, entry)
  state.looks += 1
  state.stale.delete(name)
  state.staleUnits.add(name)
  const shape = shapeForReaders(entry)
  if (before && sameShape(shapeForReaders(before), shape)) return
  state.tables.set(name, shape)
  state.staleTests.add(name)
  markReaders(state, name)
}

export async function bindStaleTests(task: Task): Promise<void> {
  const { state } = task
  const shapeOf = (name: string) => readShape(state, name)
  const ready = [...state.staleTests].filter(name => task.isWanted(name) && !state.stale.has(name))
  const assets = ready.flatMap(name => task.assetOf(name) ?? []).filter(asset => needsTests(state, asset))
  const found =
    assets.length === 0
      ? []
      : await checkTests({ ...contextOf(task), world: { ...task.world, shapeOf } }, assets)
  // Where that failed they are as stale as before.
  for (const name of ready) state.staleTests.delete(name)
  for (const [name, tests] of found) {
    const entry = state.entries.get(name)
    if (entry) state.entries.set(name, newEntry(name, { ...entry, tests }))
  }
}

/** Returns the assets whose transform or tests are still to be bound. */
export function waitingIn(state: State): ReadonlySet<string> {
  const waiting = new Set(state.stale)
  for (const name of state.staleTests) {
    const asset = state.snapshot?.assets.get(name)
    if (asset !== undefined && needsTests(state, asset)) waiting.add(name)
  }
  return waiting
}

/** Returns whether the asset has SQL in tests now, or had some before. */
function needsTests(state: State, asset: Asset): boolean {
  return state.entries.get(asset.name)?.tests !== undefined || hasTestSql(asset)
}
