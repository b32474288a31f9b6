/**
 * Finds the projects below a folder of the workspace. It skips hidden folders and `node_modules` and follows
 * no links.
 */
import { type Dirent, promises } from 'node:fs'
import { join } from 'node:path'
import { findRoot, settingsFile } from '../workspace/index.ts'

const deepest = 8
const mostFolders = 20_000

/**
 * Returns their roots, nearest to `folder` first. The folder itself may be inside a project that starts above
 * it.
 */
export async function findProjects(folder: string): Promise<string[]> {
  const own = findRoot(folder)
  const roots = new Set(own === undefined ? [] : [own])
  let level = [folder]
  let looked = 0
  for (let depth = 0; depth < deepest && level.length > 0 && looked < mostFolders; depth++) {
    const next: string[] = []
    for (const path of level) {
      looked += 1
      const entries = await entriesOf(path)
      if (entries.some(entry => entry.name === settingsFile && !entry.isDirectory())) roots.add(path)
      next.push(...entries.filter(isWalked).map(entry => join(path, entry.name)))
    }
    level = next
  }
  return [...roots]
}

function isWalked(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules'
}

/** Returns no entries for a folder that was deleted or cannot be read. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await promises.readdir(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
