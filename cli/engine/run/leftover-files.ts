/**
 * Finds files of svc that dead processes left: spools and journals that no command can continue from, and
 * temporary files. It considers only names that svc itself creates.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { usualEnvironment } from '@svc/server/language'
import { remainsOfFetch, resumableMs } from '../ingest/progress-file.ts'
import { isAlive } from '../warehouse/lease/process-identity.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { journalFile, workFolder } from './journal.ts'
import { spoolsOf } from './spools.ts'

export interface LeftoverFile {
  /** The path relative to the project's root, with `/`. */
  readonly path: string
  readonly bytes: number
}

export async function findLeftoverFiles(workspace: Workspace, warehouse: Warehouse): Promise<LeftoverFile[]> {
  const { root, world } = workspace
  const work = foldersIn(join(root, '.svc')).flatMap(folder => foldersIn(join(folder, 'work')))
  const own = await workFolder(workspace)
  const found: string[] = []
  for (const folder of work) {
    const environment = basename(folder).replace(/-[0-9a-f]{8}$/, '')
    if (folder === own) found.push(...deadSpools(folder, world.now()))
    else if ((await warehouse.leaseHolder(environment)) === undefined)
      found.push(...deadWork(folder, world.now()))
  }
  const publishes = foldersIn(join(root, '.svc')).flatMap(folder => foldersIn(join(folder, 'publish')))
  found.push(...publishes.flatMap(deadLooks))
  found.push(...[root, join(root, '.svc'), ...foldersIn(join(root, '.svc'))].flatMap(deadDrafts))
  return leftovers(root, found)
}

/** An environment may be called as a folder of `.svc` that belongs to the whole project. */
const ownFolders: ReadonlySet<string> = new Set(['cache', 'logs', 'patch'])

/**
 * Returns the folders in which runs of these environments have written files for other programs. That of `dev` itself stays: what
 * any branch of it has fetched and not loaded yet is there.
 */
export function foldersOfEnvironments(
  root: string,
  environments: readonly { readonly name: string }[],
): LeftoverFile[] {
  const branches = environments.filter(({ name }) => name !== usualEnvironment && !ownFolders.has(name))
  const folders = branches.map(({ name }) => join(root, '.svc', name))
  return leftovers(root, folders.filter(existsSync))
}

function leftovers(root: string, paths: readonly string[]): LeftoverFile[] {
  return paths.map(path => ({ path: relative(root, path).split(sep).join('/'), bytes: sizeOf(path) }))
}

export async function removeLeftoverFiles(root: string, files: readonly LeftoverFile[]): Promise<void> {
  for (const { path } of files) {
    await rm(join(root, path), { recursive: true, force: true })
    // When the last spool is deleted, its parent folder is deleted too.
    if (path.includes('/work/')) await rmdir(dirname(join(root, path))).catch(() => undefined)
  }
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => join(folder, entry.name))
}

function deadSpools(folder: string, now: Date): string[] {
  return foldersIn(spoolsOf(folder)).filter(spool => !remainsOfFetch(spool).isUsable(now))
}

/** Returns all files of another branch or environment if no command can continue from them. */
function deadWork(folder: string, now: Date): string[] {
  const spools = foldersIn(spoolsOf(folder))
  const dead = deadSpools(folder, now)
  if (dead.length < spools.length) return dead
  const journal = statSync(join(folder, journalFile), { throwIfNoEntry: false })
  const isFresh = journal !== undefined && now.getTime() - journal.mtimeMs < resumableMs
  return isFresh ? dead : [folder]
}

/** Finds what the dry run of a publish that was killed has read: `crm.customers.look-4711`. */
function deadLooks(folder: string): string[] {
  return foldersIn(folder).filter(look => {
    const pid = /\.look-([0-9]+)$/.exec(look)?.[1]
    return pid !== undefined && !isAlive(Number(pid))
  })
}

/** Finds `.manifest.json.4711.tmp` of a process that has ended. */
function deadDrafts(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(name => {
    const pid = /^\..+\.([0-9]+)\.tmp$/.exec(name)?.[1]
    return pid === undefined || isAlive(Number(pid)) ? [] : [join(folder, name)]
  })
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
