/** Lists and reads the macros of a project. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createMacros, type Engine, type Macros, macrosFolder } from '../language/index.ts'
import { FileFailure } from './file-failure.ts'
import { readIfExists } from './read-if-exists.ts'

export interface MacrosRead {
  readonly macros: Macros
  /** The texts of the files by path. */
  readonly read: ReadonlyMap<string, string>
}

/** Throws FileFailure where one of the files cannot be read. */
export function readMacros(root: string, engine: Engine): MacrosRead {
  const read = new Map<string, string>()
  for (const path of listMacros(root)) {
    const text = readIfExists(join(root, path))
    if (text !== undefined) read.set(path, text)
  }
  return { read, macros: createMacros(read, engine) }
}

/** Returns sorted paths relative to `root` with forward slashes. Throws FileFailure. */
export function listMacros(root: string): string[] {
  const folder = join(root, macrosFolder)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names
      .map(name => `${macrosFolder}${name.replaceAll('\\', '/')}`)
      .filter(isMacroPath)
      .sort()
  } catch (cause) {
    throw new FileFailure(`cannot read ${macrosFolder}`, 'Are you allowed to read it?', cause)
  }
}

/** Returns whether a file with this path holds macros. */
export function isMacroPath(path: string): boolean {
  if (!path.startsWith(macrosFolder) || !path.endsWith('.sql')) return false
  return path.split('/').every(name => !name.startsWith('.') && name !== 'node_modules')
}
