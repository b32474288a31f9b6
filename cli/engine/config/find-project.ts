/** Where a project begins: the nearest folder upwards with `svc.yaml`, or else with `.svc` files below `models/`. */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { SvcError } from '../errors.ts'

export const settingsFile = 'svc.yaml'
export const defaultModels = 'models'

/** The root's absolute path. SvcError `no-project` where there is none. */
export function findProject(cwd: string): string {
  const folders = upwards(cwd)
  const root = folders.find(hasSettings) ?? folders.find(hasModels)
  if (root !== undefined) return root
  throw new SvcError(
    'no-project',
    `no project here: neither svc.yaml nor models/*.svc in ${resolve(cwd)} or above`,
    {
      hint: 'Make one in this folder with: svc init.',
    },
  )
}

/** As `findProject`, without the error. */
export function findProjectOrNothing(cwd: string): string | undefined {
  const folders = upwards(cwd)
  return folders.find(hasSettings) ?? folders.find(hasModels)
}

function upwards(cwd: string): string[] {
  const folders = [resolve(cwd)]
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

/** Looks two levels deep: enough to tell a project from a folder that happens to be called `models`. */
function hasModels(folder: string): boolean {
  const models = join(folder, defaultModels)
  return hasAsset(models, 2)
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

/** Nothing in what is no folder, or may not be looked into. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
