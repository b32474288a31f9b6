/** Reads project files from disk for the editor: a file that cannot be read is logged and skipped. */
import { join } from 'node:path'
import type { MayOpen } from '../../catalog/index.ts'
import { type Diagnostic, glossaryPath } from '../../language/index.ts'
import { encodingProblems, readIfExists, schemaLockFile, settingsFile } from '../../workspace/index.ts'
import type { Log } from '../log.ts'

/** The files of a project besides the assets. */
export const projectFiles: readonly string[] = [settingsFile, glossaryPath, schemaLockFile]

export interface FileRead {
  readonly text: string
  /** The encoding problems of the file. */
  readonly problems: readonly Diagnostic[]
}

/** Returns undefined if there is no file, or if it cannot be read. */
export function readProjectFile(
  root: string,
  path: string,
  { log, mayOpen }: { readonly log: Log; readonly mayOpen: MayOpen },
): FileRead | undefined {
  const file = join(root, path)
  if (!mayOpen(file)) {
    log.warn(`${file} is not read: it is a link that leads out of a project that is not trusted`)
    return undefined
  }
  try {
    const text = readIfExists(file)
    if (text === undefined) return undefined
    return { text, problems: encodingProblems(root, [[path, text]]) }
  } catch (error) {
    if (!isGone(error)) log.warn(`cannot read ${file} (${codeOf(error)})`)
    return undefined
  }
}

/** Returns the paths that are listed; none if a folder cannot be read, which is logged. */
export function listedOrNone(log: Log, list: () => string[]): string[] {
  try {
    return list()
  } catch (error) {
    log.warn(error instanceof Error ? error.message : String(error))
    return []
  }
}

/** Returns whether the error means that the file was removed meanwhile. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
