/** Converts LSP URIs to paths and back. Paths in a project are relative to its root, with forward slashes. */
import { isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Returns the absolute path; undefined for a URI that is no file (an untitled document, the left side of a
 * diff).
 */
export function filePathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined
  try {
    return withSmallDrive(fileURLToPath(uri))
  } catch {
    return undefined
  }
}

export function uriOf(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href
}

/** Returns undefined for a path that is not below `root`. */
export function pathWithin(root: string, file: string): string | undefined {
  const path = relative(root, file)
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined
  return path.split(sep).join('/')
}

/** Normalizes a URI: clients escape `:` and other characters differently. */
export function canonicalUri(uri: string): string {
  const file = filePathOf(uri)
  if (file === undefined) return uri
  return pathToFileURL(file).href
}

/**
 * Normalizes the drive letter: `C:\x` and `c:\x` are one file, and a project is identified by the path of its
 * root.
 */
export function withSmallDrive(path: string): string {
  return /^[A-Z]:/.test(path) ? path.charAt(0).toLowerCase() + path.slice(1) : path
}
