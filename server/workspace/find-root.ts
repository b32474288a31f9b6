/**
 * Finds the root of a project: the nearest folder upwards with `svc.yaml`, or else with `.svc` files below
 * `models/`.
 */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const settingsFile = 'svc.yaml'
export const defaultModels = 'models'

/** Returns the root's absolute path; undefined if no folder from here upwards is a project. */
export function findRoot(folder: string): string | undefined {
  const folders = upwards(folder)
  return folders.find(hasSettings) ?? folders.find(hasModels)
}

function upwards(folder: string): string[] {
  const folders = [resolve(folder)]
  for (;;) {
    const last = folders[folders.length - 1] ?? ''
    const parent = dirname(last)
    if (parent === last) return folders
    folders.push(parent)
  }
}

function hasSettings(folder: string): boolean {
  return existsSync(join(folder, settingsFile))
}

/** Searches two levels, enough to distinguish a project from another folder named `models`. */
function hasModels(folder: string): boolean {
  return hasAsset(join(folder, defaultModels), 2)
}

function hasAsset(folder: string, depth: number): boolean {
  const entries = entriesOf(folder)
  if (entries.some(entry => entry.name.endsWith('.svc') && !entry.isDirectory())) return true
  if (depth === 0) return false
  return entries.some(
    entry =>
      entry.isDirectory() && !entry.name.startsWith('.') && hasAsset(join(folder, entry.name), depth - 1),
  )
}

/** Returns no entries for a path that is no folder or cannot be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
