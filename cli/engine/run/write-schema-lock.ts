/**
 * Writes `schemas.lock.json`: the columns of this run's sources, so that an editor knows them (decisions 2).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  formatSchemaLock,
  parseSchemaLock,
  type RawTable,
  type SourceShapes,
  schemaLockPath,
} from '@svc/server/language'
import { writeWhole } from '../artifacts/write-file.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { hasSource } from '../plan/identities.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * Returns the shapes that the last run saw of each source. Peeks at files and columns from contracts are not
 * in it.
 */
export function readSchemaLock(root: string): SourceShapes {
  const path = join(root, schemaLockPath)
  return parseSchemaLock(existsSync(path) ? readFileSync(path, 'utf8') : undefined).shapes
}

/**
 * Keeps entries of sources that were not fetched, removes those of deleted sources, and writes the file only
 * if it changes.
 */
export function writeSchemaLock(workspace: Workspace, fetched: ReadonlyMap<string, FetchedSource>): void {
  if (fetched.size === 0) return
  const path = join(workspace.root, schemaLockPath)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const shapes = new Map<string, readonly RawTable[]>()
  for (const [name, tables] of parseSchemaLock(text).shapes) {
    const asset = workspace.project.byName.get(name)
    if (asset !== undefined && hasSource(asset)) shapes.set(name, tables)
  }
  for (const [name, source] of fetched)
    shapes.set(
      name,
      source.tables.map(({ shape }) => shape),
    )
  const next = formatSchemaLock(shapes)
  if (next !== text) writeWhole(path, next, workspace.world.pid)
}
