/**
 * Writes `schemas.lock.json`: the columns of the sources that are live, so that an editor knows them (decisions 2). Only a
 * promotion writes it (decisions 8): what a failed run saw decides nothing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FileLayout,
  formatSchemaLock,
  parseSchemaLock,
  type RawTable,
  type SchemaLock,
  type SourceLayouts,
  type SourceShapes,
  schemaLockPath,
  textOptionsOf,
} from '@svc/server/language'
import { changeWhole } from '../artifacts/write-file.ts'
import { hasSource } from '../plan/identities.ts'
import { loadedTables, withKnown } from '../plan/last-load.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { liveElsewhere, shapesWithElsewhere } from './live-elsewhere.ts'

/**
 * Returns the shapes that the last promotion had of each source, and the layouts of its text files. Peeks at files and columns from contracts are not
 * in it.
 */
export function readSchemaLock({ root, project }: Pick<Workspace, 'root' | 'project'>): SchemaLock {
  const path = join(root, schemaLockPath)
  return parseSchemaLock(existsSync(path) ? readFileSync(path, 'utf8') : undefined, project.engine)
}

/**
 * Writes the columns of the loads of a map that went live without a run (a promoted preview, a rollback). What a load does not
 * record of a column, the file keeps.
 */
export async function lockLiveLoads(
  session: WarehouseSession,
  workspace: Workspace,
  state: StateSnapshot,
  map: ReadonlyMap<string, BuildRecord>,
): Promise<void> {
  const before = readSchemaLock(workspace).shapes
  const shapes = new Map<string, readonly RawTable[]>()
  for (const [name, { build_key }] of map) {
    if (build_key === state.live.get(name)?.build_key) continue
    const tables = loadedTables(state, build_key)
    if (tables !== undefined && !isLocked(before.get(name), tables))
      shapes.set(name, withKnown(tables, before.get(name)))
  }
  await lockShapes(session, workspace, state, shapes)
}

/** Returns whether the lock has exactly the columns of these tables. */
export function isLocked(locked: readonly RawTable[] | undefined, loaded: readonly RawTable[]): boolean {
  const namesOf = (tables: readonly RawTable[]) =>
    tables.map(({ child = '', columns }) => [child, ...columns.map(({ name }) => name)].join('\n')).sort()
  return locked !== undefined && namesOf(locked).join('\n\n') === namesOf(loaded).join('\n\n')
}

/**
 * Writes the columns of sources that were promoted, beside those that other environments have live. Keeps the entries of other
 * sources, removes those of deleted ones, and writes the file only if it changes. A file that cannot be read is left as it is:
 * somebody has to resolve its conflict, and the next run says so.
 */
export async function lockShapes(
  session: WarehouseSession,
  workspace: Workspace,
  state: StateSnapshot,
  news: SourceShapes,
  newLayouts: SourceLayouts = new Map(),
): Promise<void> {
  if (news.size === 0) return
  const elsewhere = await liveElsewhere(session, state)
  const { byName, engine, settings } = workspace.project
  const path = join(workspace.root, schemaLockPath)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const before = parseSchemaLock(text, engine)
  if (before.problem !== undefined) return
  const shapes = new Map<string, readonly RawTable[]>()
  const promoted = shapesWithElsewhere(news, elsewhere, before.shapes, engine)
  for (const [name, tables] of [...before.shapes, ...promoted]) {
    const asset = byName.get(name)
    if (asset !== undefined && hasSource(asset)) shapes.set(name, tables)
  }
  const layouts = new Map<string, readonly FileLayout[]>()
  for (const [name, found] of [...before.layouts, ...newLayouts]) {
    const asset = byName.get(name)
    if (asset !== undefined && textOptionsOf(asset.definition.ingest) !== undefined) layouts.set(name, found)
  }
  const next = formatSchemaLock(shapes, { engine, layouts, engines: settings.engines.values(), before: text })
  if (next !== text) changeWhole(path, next, workspace.world.pid)
}
