/** Lists and reads the files of a project, fast enough for ten thousand of them. It never parses. */
import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type MayOpen, mayOpenAll } from '../catalog/index.ts'
import { FileFailure } from './file-failure.ts'

/** Returns the `.svc` files, as `listFiles` does. */
export function listAssets(root: string, models: string, mayOpen?: MayOpen): string[] {
  return listFiles(root, models, '.svc', mayOpen)
}

/** Returns sorted paths relative to `root` with forward slashes. Throws FileFailure. */
export function listFiles(root: string, start: string, ending: string, mayOpen = mayOpenAll): string[] {
  const folder = start.replace(/\/+$/, '')
  const found: Found = { root, ending, mayOpen, seen: new Set(), paths: [] }
  const path = join(root, folder)
  if (mayOpen(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    found.seen.add(realpathSync(path))
    collect(folder, found)
  }
  return found.paths.sort()
}

interface Found {
  readonly root: string
  readonly ending: string
  readonly mayOpen: MayOpen
  /** The folders that were walked through because of their own or a link's name. */
  readonly seen: Set<string>
  readonly paths: string[]
}

/**
 * Returns whether `listAssets` would include a file with this path. `models` is the folder in the settings.
 */
export function isAssetPath(models: string, path: string): boolean {
  if (!path.endsWith('.svc') || !path.startsWith(models)) return false
  const below = path.slice(models.length).split('/')
  return below.every(name => !name.startsWith('.') && name !== 'node_modules')
}

/** Reads one asset. Throws FileFailure. */
export function readAsset(root: string, path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function collect(folder: string, found: Found): void {
  const { root, ending, mayOpen, seen, paths } = found
  for (const entry of entriesOf(root, folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink() && !mayOpen(join(root, path))) continue
    const kind = kindOf(root, path, entry)
    if (kind === 'file' && entry.name.endsWith(ending)) paths.push(path)
    // Only a link can lead to a folder that is read elsewhere, or to one above.
    if (kind === 'folder' && (!entry.isSymbolicLink() || isNew(root, path, seen))) collect(path, found)
  }
}

function entriesOf(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true })
  } catch (cause) {
    throw unreadable(folder, cause)
  }
}

/** Returns the kind of an entry, following links; a broken or circular link is neither file nor folder. */
export function kindOf(root: string, path: string, entry: Dirent): 'file' | 'folder' | 'other' {
  const stat = entry.isSymbolicLink() ? targetOf(join(root, path)) : entry
  if (stat?.isFile() === true) return 'file'
  return stat?.isDirectory() === true ? 'folder' : 'other'
}

function targetOf(link: string): Stats | undefined {
  try {
    return statSync(link, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isNew(root: string, path: string, seen: Set<string>): boolean {
  const real = realpathSync(join(root, path))
  const overlaps = [...seen].some(
    folder => folder === real || folder.startsWith(`${real}/`) || real.startsWith(`${folder}/`),
  )
  if (overlaps) return false
  seen.add(real)
  return true
}

function unreadable(path: string, cause: unknown): FileFailure {
  const reason = cause instanceof Error ? cause.message.replace(/^(E[A-Z]+): .*$/s, '$1') : String(cause)
  return new FileFailure(`cannot read ${path} (${reason})`, 'Are you allowed to read it?', cause)
}
