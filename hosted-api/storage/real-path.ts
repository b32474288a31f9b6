/** The one path of a file that may have several: two servers on two links to one file would not see each other. */
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Follows links, also in the folders above; the file need not exist. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  // A link to a file that does not exist yet.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return realPath(resolve(dirname(path), readlinkSync(path)))
  const folder = dirname(path)
  return folder === path ? path : join(realPath(folder), basename(path))
}

/** Returns whether the file has another name (a hard link), which nobody can follow. */
export function hasSecondName(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.nlink > 1
}
