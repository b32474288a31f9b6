/** Lists and reads the macros of a project. */
import { join } from 'node:path'
import type { MayOpen } from '../catalog/index.ts'
import { createMacros, type Engine, type Macros, macrosFolder } from '../language/index.ts'
import { listFiles } from './read-assets.ts'
import { readIfExists } from './read-if-exists.ts'

export interface MacrosRead {
  readonly macros: Macros
  /** The texts of the files by path. */
  readonly read: ReadonlyMap<string, string>
}

/** Throws FileFailure where one of the files cannot be read. */
export function readMacros(root: string, engine: Engine, mayOpen?: MayOpen): MacrosRead {
  const read = new Map<string, string>()
  for (const path of listMacros(root, mayOpen)) {
    const text = readIfExists(join(root, path))
    if (text !== undefined) read.set(path, text)
  }
  return { read, macros: createMacros(read, engine) }
}

/** Returns sorted paths relative to `root` with forward slashes. Throws FileFailure. */
export function listMacros(root: string, mayOpen?: MayOpen): string[] {
  return listFiles(root, macrosFolder, '.sql', mayOpen)
}

/** Returns whether a file with this path holds macros. */
export function isMacroPath(path: string): boolean {
  if (!path.startsWith(macrosFolder) || !path.endsWith('.sql')) return false
  return path.split('/').every(name => !name.startsWith('.') && name !== 'node_modules')
}
